# Reads the environment of the process that watches it.
# expect: finished PermissionError
# needs: files


def program():
    with open("/proc/DRIVER/environ", "rb") as file:
        return file.read()
