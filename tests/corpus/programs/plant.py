import os, time

planted = noted = 0
first = None


def plant(size):
    global planted, noted, first
    now = time.time()
    planted += size
    first = first or now
    if now - noted > 5:
        noted = now
        with open("planted.%d" % os.getpid(), "w") as file:
            file.write("%d %d\n" % (planted, first))
