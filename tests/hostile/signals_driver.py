# Ends the process that watches it.
# expect: finished PermissionError
# needs: signals
import os
import signal


def program():
    os.kill(DRIVER, signal.SIGTERM)
