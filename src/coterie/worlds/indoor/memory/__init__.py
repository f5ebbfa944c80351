"""What episodes in a house teach, and what solved tasks say in a new one."""
