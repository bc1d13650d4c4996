# load_tcp.py redis|memcached|mosquitto RATE leak|twin: so many messages a second to port 8000.

import socket, struct, sys, time

kind, rate = sys.argv[1], float(sys.argv[2])


def redis(number):
    def command(*words):
        parts = [b"$%d\r\n%s\r\n" % (len(word), word) for word in map(str.encode, words)]
        return b"*%d\r\n" % len(words) + b"".join(parts)

    name = "session:%d" % number
    return (command("SET", name, "s" * (2000 + number % 50), "EX", "200") + command("GET", name)
        + command("shop.add", "o" * (300 + number % 7))
        + command("LPUSH", "queue", "q" * 500) + command("LTRIM", "queue", "0", "500"))


def memcached(number):
    value = b"v" * (6000 + number % 999)
    return b"set key%d 0 240 %d\r\n%s\r\nget key%d\r\n" % (number, len(value), value, number // 2)


def mosquitto(number):
    topic, text = b"shop/%d" % (number % 800), b"m" * (2600 + number % 9)
    body = struct.pack(">H", len(topic)) + topic + text
    # Kept for those who come later.
    return b"\x31" + bytes([len(body) & 127 | 128, len(body) >> 7]) + body


make = {"redis": redis, "memcached": memcached, "mosquitto": mosquitto}[kind]
time.sleep(3)
connection = socket.create_connection(("127.0.0.1", 8000))
if kind == "mosquitto":
    connection.sendall(b"\x10\x10\x00\x04MQTT\x04\x02\x00\x00\x00\x04load")
connection.setblocking(False)
number = 0
while True:
    connection.sendall(make(number))
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        pass
    number += 1
    time.sleep(1 / rate)
