"""Says after a game where it was lost: each decision's chance, judged by what its seat knew, and who had the luck."""
