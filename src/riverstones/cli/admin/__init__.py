"""`riverstones admin`: what operators do to a server's database. `commands` declares, `actions` carries out."""
