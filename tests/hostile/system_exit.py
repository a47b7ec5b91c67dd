# Raises SystemExit: an exception like another.
# expect: finished SystemExit
import sys


def program():
    sys.exit(4)
