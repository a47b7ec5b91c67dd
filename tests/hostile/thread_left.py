# Leaves a thread running.
# expect: finished
import threading
import time


def program():
    threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return 1
