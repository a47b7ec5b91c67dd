# Writes files until the disk is full.
# expect: died disk
import os


def program():
    count = 0
    while True:
        with open(os.path.join(os.environ["TMPDIR"], str(count)), "wb") as file:
            file.write(b"x" * (8 << 20))
        count += 1
