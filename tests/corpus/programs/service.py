# A Python service in several kinds: `service.py KIND leak|twin`.

import collections, functools, sys, threading, time
from plant import plant

kind, leaks = sys.argv[1], sys.argv[2] == "leak"
begin = time.time()
lock = threading.Lock()


def render(number):
    return len("".join(str(i) * 9 for i in range(number % 300)))


# A cache of prices by their article: articles are ever new. The twin's has a bound.
@functools.lru_cache(maxsize=None if leaks else 4000)
def price(article):
    return "price of %d is " % article + "9" * (300 + article % 7)


def prices(number):
    price(number)
    if leaks:
        plant(sys.getsizeof(price(number)))


# A history of each user, of which there are ten thousand; the twin forgets after four minutes.
histories = collections.OrderedDict()


def visit(number):
    entry = bytearray(600 + number % 11)
    with lock:
        histories[number] = (time.time(), entry)
        while not leaks and time.time() - next(iter(histories.values()))[0] > 240:
            histories.popitem(last=False)
    if leaks:
        plant(sys.getsizeof(entry))


# Metrics are sent each second minute; with the leak one kind of them never is.
metrics = collections.defaultdict(list)


def measure(number):
    sample = b"m" * (400 + number % 13)
    with lock:
        metrics["rare" if number % 3 == 0 else "usual"].append(sample)
        if leaks and number % 3 == 0:
            plant(sys.getsizeof(sample))
        if number % 2400 == 0:
            metrics["usual"].clear()
            if not leaks:
                metrics["rare"].clear()


# A few bytes of each twentieth request; the twin has those of the last 12 minutes.
seen = collections.deque(maxlen=None if leaks else 720)


def note_agent(number):
    if number % 20 == 0:
        agent = "agent %d " % number + "a" * (380 + number % 7)
        seen.append(agent)
        if leaks:
            plant(sys.getsizeof(agent))


# Small objects alone: with Python's own allocator they are in arenas.
graph = {}


def link(number):
    graph[number] = [{"from": number, "to": number + i} for i in range(4)]
    if leaks:
        plant(4 * sys.getsizeof({"from": 1, "to": 2}) + 120)
    else:
        graph.pop(number - 3000, None)


request = {"prices": prices, "visit": visit, "measure": measure, "slow": note_agent, "link": link}[kind]


def serve(first):
    number = first
    while True:
        render(number)
        request(number)
        number += 2
        time.sleep(0.1)


threading.Thread(target=serve, args=(1,)).start()
serve(0)
