"""The routes, one module for each feature. Each is given the services it needs, and none knows another."""
