# Reads a file in somebody else's folder.
# expect: finished PermissionError
# needs: files


def program():
    with open("TREASURE") as file:
        return file.read()
