"""The ways in: routes and sockets, and what guards them (middleware, limits, addresses)."""
