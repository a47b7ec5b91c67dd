# Never returns; its stack is asked for before it is killed.
# expect: timed_out spin
def spin():
    while True:
        pass


def program():
    spin()
