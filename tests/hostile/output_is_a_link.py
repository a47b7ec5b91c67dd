# Puts links to somebody else's large file in the place of what the driver reads and cuts, and waits until it has looked.
# expect: finished
import os
import time


def program():
    folder = os.path.dirname(os.environ["TMPDIR"])
    for name in ("stdout", "stderr", "stack", "native"):
        os.unlink(os.path.join(folder, name))
        os.symlink("TREASURE", os.path.join(folder, name))
    time.sleep(1)
    return 1
