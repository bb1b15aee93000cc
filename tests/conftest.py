"""What all tests share: how hard Hypothesis tries, and signals that work.

CI tries the same examples every time (Hypothesis sees to that by itself), other machines try new ones.
`HYPOTHESIS_PROFILE=thorough make test` looks longer.
"""

import os
import signal

from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)

if profile := os.environ.get("HYPOTHESIS_PROFILE"):
    settings.load_profile(profile)
elif "CI" not in os.environ:
    settings.load_profile("local")

# A shell that starts the tests in the background has them ignore these, and so would the commands that tests stop.
for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, handler)
