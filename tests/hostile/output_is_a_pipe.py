# Puts pipes that nobody writes into in the place of what the driver reads, and dies.
# expect: died exit 3
import os


def program():
    folder = os.path.dirname(os.environ["TMPDIR"])
    for name in ("stdout", "stderr", "stack", "native"):
        os.unlink(os.path.join(folder, name))
        os.mkfifo(os.path.join(folder, name))
    os._exit(3)
