"""What is wrong with a pool, why, and what would change it."""
