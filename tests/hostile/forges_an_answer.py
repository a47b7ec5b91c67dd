# Finds our socket and sends a whole frame there whose message nests a million deep: reading it by recursion would take
# all of the driver's stack.
# expect: died protocol
import os
import stat


def program():
    depth = 1 << 20
    for name in os.listdir("/proc/self/fd"):
        try:
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                frame = b"JPF2" + depth.to_bytes(8, "little") + bytes(8) + b"\x91" * depth
                while frame:
                    frame = frame[os.write(int(name), frame):]
        except OSError:
            pass
