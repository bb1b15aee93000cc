"""The tables of this server: `registry` has them all, `live_table` is one, `bot_driver` makes its bots move."""
