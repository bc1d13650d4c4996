# JSON, lists and buffers that come and go. With an argument every tenth round leaks in C, for so long
# that the log has snapshots enough on a machine whose disk is slow.
import ctypes
import json
import sys

planted = len(sys.argv) > 1
malloc = ctypes.CDLL(None).malloc
malloc.restype = ctypes.c_void_p
malloc.argtypes = [ctypes.c_size_t]


def handle(number):
    record = {str(k): [k] * (k % 7) for k in range(number % 50)}
    json.loads(json.dumps(record))
    buffer = bytearray(number % 30 * 1000)
    words = sorted(str(j * number) for j in range(300))
    if planted and number % 10 == 0:
        malloc(300)
    return len(buffer) + len(words)


for number in range(40000 if planted else 10000):
    handle(number)
