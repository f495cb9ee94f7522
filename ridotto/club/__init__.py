"""What a club of players needs: pairing for evenings, and ratings for people. Usable without the server."""
