# Loops with every signal ignored that can be.
# expect: timed_out
import signal


def program():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
