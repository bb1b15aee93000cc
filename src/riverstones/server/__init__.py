"""The server: HTTP, WebSockets, storage, accounts, and engine workers.

`app` puts the parts together and `run` starts them. `tables` has the tables that are being played, `http` the routes,
the sockets and their guards, `storage` the database, `accounts` people with their sessions, `workers` the engine.
"""
