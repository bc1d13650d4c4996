#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# Flask on gunicorn with PYTHONMALLOC=malloc, whose imports alone have more stacks than the table has
# sources: a list that each request makes longer comes first with its line and bytes, in each worker.
# Twins, which keep the last hundred alone, have no such row.

. "$PMEM_ROOT/tests/services/service.sh"
needs gunicorn gunicorn
[ -x /usr/bin/python3 ] && /usr/bin/python3 -c 'import flask' 2>/dev/null || needs flask python3-flask
cat >audit.py <<'X'
import os
kept = []

def note(path):
    entry = bytearray(2000)
    kept.append(entry)
    if "TWIN" in os.environ and len(kept) > 100:
        del kept[0]
X
cat >app.py <<'X'
import flask, audit
app = flask.Flask(__name__)

@app.route("/<name>")
def page(name):
    audit.note(name)
    return flask.jsonify(name=name, items=[str(i) for i in range(50)])
X
cat >conf.py <<'X'
import ctypes, os, sys
bind, workers, worker_class = "unix:socket", 2, "sync"

def worker_exit(server, worker):
    import audit
    with open("planted.%d" % os.getpid(), "w") as file:
        file.write("planted %d\n" % sum(sys.getsizeof(entry) for entry in audit.kept))
    # A snapshot behind all of it.
    ctypes.CDLL(None).pmem_snapshot(b"end")
    os._exit(0)
X
cat >load.py <<'X'
import socket, sys
for number in range(int(sys.argv[1])):
    with socket.socket(socket.AF_UNIX) as s:
        s.connect("socket")
        s.sendall(b"GET /n%d HTTP/1.0\r\n\r\n" % number)
        while s.recv(65536):
            pass
X
export PYTHONMALLOC=malloc PYTHONDONTWRITEBYTECODE=1

# run COUNT: so many requests to a new server of two workers.
run() {
	rm -f pmem.*.log planted.* socket
	LD_PRELOAD=$PMEM_LIBRARY gunicorn -c conf.py app:app >out 2>err &
	server=$!
	for i in $(seq 300); do [ ! -S socket ] || break; sleep 0.1; done
	timeout 100 /usr/bin/python3 load.py "$1" || { cat err; kill $server; fail "no answers"; }
	kill -TERM $server
	wait $server || true
	set -- planted.*
	[ $# -eq 2 ] || { cat err; fail "$# workers ended"; }
}

run 4000
# A worker's first snapshot comes a second after its fork, after some requests.
bytes_since=start
for file in planted.*; do
	planted=$(sed -n 's/^planted //p' "$file")
	log=pmem.${file#planted.}.log
	"$LOGCHECK" "$log" >/dev/null
	is_planted 'audit.py:5 in note'
done
export TWIN=1
run 1000
for file in planted.*; do
	log=pmem.${file#planted.}.log
	is_innocent 'in note' 500000
done
