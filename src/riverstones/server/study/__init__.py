"""What the server does for study: puzzle ratings, reviews, and the refusal to analyse games that are being played."""
