# Writes files until the disk is full, into folders that it then closes to everybody.
# expect: died disk
import os


def program():
    count = 0
    while True:
        folder = os.path.join(os.environ["TMPDIR"], str(count))
        os.mkdir(folder)
        with open(os.path.join(folder, "file"), "wb") as file:
            file.write(b"x" * (8 << 20))
        os.chmod(folder, 0)
        count += 1
