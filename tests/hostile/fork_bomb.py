# Forks processes that fork (bounded), all of which sleep.
# expect: timed_out
import os
import time


def program():
    for _ in range(5):
        os.fork()
    time.sleep(60)
