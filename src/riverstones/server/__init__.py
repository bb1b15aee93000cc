"""Tables to meet at: HTTP, WebSockets, storage, people, and bots that think elsewhere.

`app` puts the parts together and `run` starts them. `house` keeps the tables that are being played, `live` is one of
them, `sockets` and `routes` are the ways in, `storage` is where everything stays, `thinking` is where bots think.
"""
