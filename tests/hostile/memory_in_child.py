# Lets a child process allocate without end.
# expect: out_of_memory
import subprocess
import sys


def program():
    subprocess.run([sys.executable, "-c", "kept = []\nwhile True: kept.append(bytearray(b\"x\") * (1 << 25))"])
