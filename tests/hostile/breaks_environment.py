# Empties the environment and goes to a folder that is then removed.
# expect: finished
import os
import tempfile


def program():
    os.environ.clear()
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    os.rmdir(folder)
    return 1
