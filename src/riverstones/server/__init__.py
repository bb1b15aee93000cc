"""The server: HTTP, WebSockets, storage, accounts, and engine workers.

`app` assembles the parts and `run` starts them. `tables` has the live tables, `http` the routes, the sockets and their
guards, `storage` the database, `accounts` people with their sessions, `workers` the engine.
"""
