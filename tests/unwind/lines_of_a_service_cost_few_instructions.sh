#!/bin/sh
# What a request of a Flask application costs more than without the library where Python has all from
# malloc(), in instructions: 721,000 when this was written (Debian's CPython 3.11 and Flask, gcc 12, -O2),
# and no more than 15 % above that. It was 937,000 when the table of sources was asked for each stack first,
# by its frames, though one that ends in the interpreter's loop is known by its lines alone. Counted
# under callgrind, which is exact.

set -eu
command -v gcc >/dev/null 2>&1 || { echo "skipped: needs gcc"; exit 77; }
command -v valgrind >/dev/null 2>&1 || { echo "skipped: needs valgrind"; exit 77; }
[ -x /usr/bin/python3.11 ] || { echo "skipped: needs python3.11"; exit 77; }
/usr/bin/python3.11 -c 'import flask' 2>/dev/null || { echo "skipped: needs python3-flask"; exit 77; }
mkdir lib
# No snapshot among them.
(cd lib && CC=gcc CFLAGS='-DPMEM_CHURN_THRESH=0x10000000000 -DPMEM_LOOK_MS=0' PREFIX=$PMEM_ROOT \
	"$PMEM_ROOT/compile.sh" library)

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
	LD_PRELOAD=$1 PYTHONMALLOC=malloc PYTHONHASHSEED=0 valgrind --tool=callgrind --instr-atstart=no \
		--callgrind-out-file=out /usr/bin/python3.11 service.py >said 2>&1 || { cat said >&2; exit 1; }
	echo $(($(sed -n 's/^totals: //p' out | tail -n 1) / 90))
}

none=$(a_request "")
with=$(a_request "$PWD/lib/libpmem.so")
added=$((with - none))
echo "figure: a request: $added instructions added to $none"
[ "$none" -gt 300000 ] && [ $added -gt 100000 ] || { echo "nothing was counted"; exit 1; }
[ $added -le 829000 ] || { echo "more than 829,000"; exit 1; }
