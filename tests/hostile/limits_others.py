# Leaves its parent no descriptors.
# expect: finished PermissionError
# needs: sockets
import os
import resource


def program():
    resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (3, 3))
