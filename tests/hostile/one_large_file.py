# Writes a file of a terabyte, most of it a hole.
# expect: finished OSError
import os


def program():
    with open(os.path.join(os.environ["TMPDIR"], "large"), "wb") as file:
        file.seek(1 << 40)
        file.write(b"end")
