def program():
    while True:
        pass
