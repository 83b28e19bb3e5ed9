"""The project as a folder of files that any server can give out: the table in a page, the rulebook, boards, games."""
