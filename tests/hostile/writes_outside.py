# Changes a file that belongs to somebody else.
# expect: finished PermissionError
# needs: files


def program():
    with open("TREASURE", "w") as file:
        file.write("overwritten")
