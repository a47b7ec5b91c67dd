# Empties a file that belongs to somebody else, by its name.
# expect: finished PermissionError
# needs: files
import os


def program():
    os.truncate("TREASURE", 0)
