#!/usr/bin/python3
"""load.py KIND PORT CLIENTS REQUESTS [WHAT...]: a load on loopback, the same each time: so many
requests of so many clients, one after another each. A line for each WHAT says how many answers
there were of which kind, and has a digest of all of them, whoever got them in whichever order.

  http   each WHAT is a path; {i} in it is the request's number
  dns    each WHAT is TYPE:NAME, {i} likewise
  ntp    whether the answer belongs to the question, and its stratum
  memcached  set, get, append, incr, delete, a large value now and then
  amqp   messages of many sizes into a queue of each client and out of it again
"""

import collections
import hashlib
import http.client
import socket
import struct
import sys
import threading

SECONDS = 20  # for one answer
DNS_TYPES = {"A": 1, "NS": 2, "SOA": 6, "MX": 15, "TXT": 16, "AAAA": 28}


def http_client(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)

    def ask(i, what):
        for attempt in range(3):
            try:
                connection.request("GET", what.replace("{i}", str(i)))
                response = connection.getresponse()
                return response.status, response.read()
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # A server that is reloaded may close an idle connection.
                connection.close()
        return "closed", b""

    return ask


def over_udp(port, question, fits):
    for attempt in range(5):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            sock.settimeout(2)
            sock.connect(("127.0.0.1", port))
            try:
                sock.send(question)
                answer = sock.recv(4096)
            except (TimeoutError, ConnectionRefusedError):
                continue
            if fits(answer):
                return answer
    return None


def dns_client(port):
    def ask(i, what):
        kind, name = what.replace("{i}", str(i)).split(":")
        labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
        question = struct.pack(">HHHHHH", i & 0xFFFF, 0x0100, 1, 0, 0, 0) + labels
        question += b"\0" + struct.pack(">HH", DNS_TYPES[kind], 1)
        answer = over_udp(port, question, lambda answer: answer[:2] == question[:2])
        return (answer[3] & 15, answer[2:]) if answer else ("none", b"")

    return ask


def ntp_client(port):
    def ask(i, what):
        question = b"\x23" + bytes(39) + struct.pack(">Q", i + 1)
        answer = over_udp(port, question, lambda answer: answer[24:32] == question[40:48])
        if not answer:
            return "none", b""
        return f"mode {answer[0] & 7} stratum {answer[1]}", bytes([len(answer)])

    return ask


def memcached_client(port):
    sock = socket.create_connection(("127.0.0.1", port), SECONDS)
    stream = sock.makefile("rb")

    def say(text, value=b""):
        sock.sendall(text.encode() + b"\r\n" + value)
        first = stream.readline()
        answer = first
        while first.startswith(b"VALUE "):
            answer += stream.read(int(first.split()[3]) + 2)
            first = stream.readline()
            answer += first
        return answer

    def ask(i, what):
        key, size = f"key{i % 500}.{what}", i * 7919 % 3000
        if i % 100 == 0:
            size *= 100
        value = (str(i) * size)[:size].encode() + b"\r\n"
        answers = [
            say(f"set {key} {i % 9} 0 {size}", value),
            say(f"append {key} 0 0 3", b"end\r\n"),
            say(f"get {key}"),
            say(f"set n{what} 0 0 {len(str(i))}", f"{i}\r\n".encode()),
            say(f"incr n{what} 5"),
            say(f"delete {key}" if i % 3 else f"touch {key} 100"),
        ]
        return answers[4].decode().strip().isdigit(), b"".join(answers)

    return ask


def amqp_client(port):
    import pika

    connection = pika.BlockingConnection(pika.ConnectionParameters("127.0.0.1", port))
    channel = connection.channel()
    channel.confirm_delivery()
    queue = channel.queue_declare("", exclusive=True).method.queue
    kept = collections.deque()

    def ask(i, what):
        body = (str(i) * 4000)[: i * 7919 % 20000].encode()
        channel.basic_publish("", queue, body)
        kept.append(body)
        if i % 5 == 0:  # a queue has a length
            return "kept", body
        method, _, got = channel.basic_get(queue, auto_ack=True)
        return ("got" if method and got == kept.popleft() else "wrong"), got or b""

    return ask


def main():
    kind, port, clients, requests = sys.argv[1], *map(int, sys.argv[2:5])
    whats = sys.argv[5:]
    results = {}
    errors = []

    def work(number):
        try:
            # Each client of some kinds has a name space of its own.
            own = whats or [f"c{number}"]
            ask = globals()[kind + "_client"](port)
            for i in range(number, requests, clients):
                # By the turn of the client: each of them asks for each.
                what = own[i // clients % len(own)]
                status, body = ask(i, what)
                results[i] = what, status, hashlib.md5(body).hexdigest()
        except Exception as error:  # the others' answers are wanted all the same
            errors.append(f"client: {type(error).__name__}: {error}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    by_what = collections.defaultdict(list)
    for i, (what, status, digest) in sorted(results.items()):
        by_what[what].append((i, status, digest))
    for what, answers in sorted(by_what.items()):
        kinds = collections.Counter(str(status) for _, status, _ in answers)
        digest = hashlib.md5(repr(answers).encode()).hexdigest()
        print(kind, what, dict(sorted(kinds.items())), digest)
    for error in sorted(set(errors)):
        print(error)
    return bool(errors)


sys.exit(main())
