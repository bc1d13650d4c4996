#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# Flask on gunicorn, with three kinds of workers. Each request makes a list longer: its line comes first in
# each worker, with its bytes, also behind the many stacks of imports under PYTHONMALLOC=malloc. Twins keep
# the last hundred alone. Without PYTHONMALLOC=malloc small objects have no line, and the answer says why.

. "$PMEM_ROOT/tests/services/service.sh"
needs ab apache2-utils
needs gunicorn gunicorn
/usr/bin/python3 -c 'import flask' 2>/dev/null || needs flask python3-flask
/usr/bin/python3 -c 'import gevent' 2>/dev/null || needs gevent python3-gevent
cat >audit.py <<'X'
import os, sys
kept = []

def note(number):
    if os.environ["KIND"] == "objects":
        entry = [{"number": number, "tag": str(number + i)} for i in range(60)]
    else:
        entry = bytearray(9000 + number % 7)
    kept.append(entry)
    if "TWIN" in os.environ and len(kept) > 100:
        del kept[0]

def planted():
    if os.environ["KIND"] == "blocks":
        return sum(len(entry) + 1 for entry in kept)
    return sum(sys.getsizeof(row) + sys.getsizeof(row["tag"]) for entry in kept for row in entry)
X
cat >app.py <<'X'
import flask, audit, itertools
app = flask.Flask(__name__)
numbers = itertools.count()

@app.route("/buy")
def buy():
    audit.note(next(numbers))
    return flask.jsonify(items=[str(i) for i in range(50)])
X
cat >conf.py <<'X'
import ctypes, os
bind, workers, threads = "127.0.0.1:" + os.environ["port"], 2, 4
worker_class = os.environ["CLASS"]
preload_app = worker_class == "gthread"

def post_worker_init(worker):
    open("booted.%d" % os.getpid(), "w").close()

def worker_exit(server, worker):
    import audit
    with open("planted.%d" % os.getpid(), "w") as file:
        file.write("planted %d\n" % audit.planted())
    # A snapshot behind all of it.
    ctypes.CDLL(None).pmem_snapshot(b"end")
    os._exit(0)
X
# way CLASS KIND MALLOC REQUESTS TWINS JUDGE...: a leaking server, judged, then its twin, which gets TWINS
# requests: one that leaked would fail with so many.
way() {
	export CLASS="$1" KIND="$2" PYTHONMALLOC="$3"
	twins=$5
	serve_web "$4" gunicorn -c conf.py app:app
	shift 5
	in_workers "$@"
	export TWIN=1
	serve_web "$twins" gunicorn -c conf.py app:app
	case $1 in
	is_planted) in_workers is_innocent 'in note' 1500000 ;;
	is_told) in_workers is_quiet "$planted" ;;
	esac
	unset TWIN
}

way sync blocks malloc 1500 400 is_planted 'audit.py:8 in note' 1
way gthread blocks malloc 1500 400 is_planted 'audit.py:8 in note' 1
way gevent blocks default 1500 400 is_planted 'audit.py:8 in note' 1
way sync objects default 2500 2500 is_told 'mmap < .*[.]py:[0-9]* in ' 'PYTHONMALLOC=malloc'
