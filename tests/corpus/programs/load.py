# load.py RATE PATH... leak|twin: so many requests a second to port 8000, on two connections that are kept.
# A RATE `5,9,13` changes each second minute.

import http.client, sys, time

rates, paths = [float(rate) for rate in sys.argv[1].split(",")], sys.argv[2:-1]
connections, number, begin = [None, None], 0, time.time()
while True:
    at = number % 2
    try:
        if not connections[at]:
            connections[at] = http.client.HTTPConnection("127.0.0.1", 8000, timeout=5)
        connections[at].request("GET", paths[number % len(paths)].replace("NUMBER", str(number)))
        connections[at].getresponse().read()
    except (OSError, http.client.HTTPException):
        connections[at] = None
    number += 1
    time.sleep(1 / rates[int((time.time() - begin) / 120) % len(rates)])
