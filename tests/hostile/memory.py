# Allocates without end.
# expect: out_of_memory
def program():
    kept = []
    while True:
        kept.append(bytearray(b"x") * (1 << 25))
