"""A table that lives in a browser's worker: no thread, no server, no socket; one page, which is the host."""
