"""How fast Ridotto is, beside its peers, on one machine in one run: `make bench`."""
