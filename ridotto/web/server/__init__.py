"""The server: the application, its routes, and the processes it runs in."""
