"""What all tests share: how hard Hypothesis tries.

CI tries the same examples every time (Hypothesis sees to that by itself), other machines try new ones.
`HYPOTHESIS_PROFILE=thorough make test` looks longer.
"""

import os

from hypothesis import settings

settings.register_profile("local", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=2000)

if profile := os.environ.get("HYPOTHESIS_PROFILE"):
    settings.load_profile(profile)
elif "CI" not in os.environ:
    settings.load_profile("local")
