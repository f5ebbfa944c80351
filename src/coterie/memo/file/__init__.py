"""The file of the memo: SQLite tables, and the store that reads and writes them."""
