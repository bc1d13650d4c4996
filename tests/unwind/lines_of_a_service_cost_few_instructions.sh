#!/bin/sh
# long: costs
# What a request of a Flask application costs more than without the library where Python has all from
# malloc(), in instructions: 704,000 when this was written (Debian's CPython 3.11 and Flask, gcc 12, -O2),
# and no more than 15 % above that. It was 937,000 when the table of sources was asked for each stack first,
# by its frames, though one that ends in the interpreter's loop is known by its lines alone. Counted
# under callgrind, which is exact.

. "$PMEM_ROOT/tests/lib/counted.sh"
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
/usr/bin/python3.11 -c 'import flask' 2>/dev/null || { echo "skipped: needs python3-flask"; exit 77; }
build "$quiet"

cat >service.py <<'END'
import io, json, os, sys, zlib
from flask import Flask, request

app = Flask(__name__)
kept = []

@app.route("/json")
def packed():
    n = int(request.args["n"])
    text = json.dumps([{"i": i, "text": "x" * (i * n % 97)} for i in range(100)])
    return zlib.decompress(zlib.compress(text.encode()))

@app.route("/keep")
def keep():
    kept.append(bytearray(9000))
    return "kept"

def ask(i):
    path, _, query = ("/json?n=%d", "/keep", "/nothing")[i % 3].partition("?")
    environment = {"REQUEST_METHOD": "GET", "SCRIPT_NAME": "", "PATH_INFO": path,
        "QUERY_STRING": query % i if query else "", "SERVER_NAME": "localhost", "SERVER_PORT": "80",
        "HTTP_HOST": "localhost", "wsgi.version": (1, 0), "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr, "wsgi.multithread": False, "wsgi.multiprocess": False,
        "wsgi.run_once": False, "wsgi.url_scheme": "http", "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1"}
    for part in app.wsgi_app(environment, lambda status, headers, error=None: None):
        pass

def count(how):
    command = "LD_PRELOAD= callgrind_control -i %s %d >/dev/null 2>&1"
    assert os.system(command % (how, os.getpid())) == 0

for i in range(60):
    ask(i)
count("on")
for i in range(90):
    ask(i)
count("off")
END

# a_request PRELOAD
a_request() {
	echo $(($(marked "$1" /usr/bin/python3.11 service.py) / 90))
}

export PYTHONMALLOC=malloc PYTHONHASHSEED=0
none=$(a_request "")
added=$(($(a_request "$library") - none))
echo "figure: a request: $added instructions added to $none"
[ "$none" -gt 300000 ] || { echo "nothing was counted"; exit 1; }
within $added 100000 810000
