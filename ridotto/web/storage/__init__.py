"""What the server keeps: tables, people and chat in SQLite or PostgreSQL."""
