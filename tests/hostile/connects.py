# Talks to a server on this machine.
# expect: finished PermissionError
# needs: sockets
import socket


def program():
    with socket.create_connection(("127.0.0.1", 9), timeout=1):
        return "connected"
