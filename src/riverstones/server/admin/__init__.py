"""What operators do to a server's database with `riverstones admin`: check, export, erase."""
