# Puts a pipe that nobody writes into in the place of the stack that a hang shows, and hangs.
# expect: timed_out
import os


def program():
    stack = os.path.join(os.path.dirname(os.environ["TMPDIR"]), "stack")
    os.unlink(stack)
    os.mkfifo(stack)
    while True:
        pass
