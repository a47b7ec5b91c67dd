# Empties the table of modules and the search path.
# expect: died protocol
import sys


def program():
    sys.path.clear()
    sys.modules.clear()
    return 1
