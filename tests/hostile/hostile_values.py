# Returns objects that raise, and lie, wherever they are looked at.
# expect: finished
class Hostile:
    def __init__(self):
        self.own = 1

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")

    def __eq__(self, other):
        raise RuntimeError("eq")

    __hash__ = None


class Endless(dict):
    def values(self):
        while True:
            yield 1


def program():
    loop = []
    loop.append(loop)
    return [Hostile(), loop, iter(int, 1), "\udc80"]
