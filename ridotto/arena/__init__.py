"""Bots against bots: tournaments, ratings, certificates, balance and the audit for leaks."""
