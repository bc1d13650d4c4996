#!/bin/sh
# gunicorn with a Flask application: two workers with two threads each, a handler that throws,
# new workers (HUP), and a handler that leaks.

. "$PMEM_ROOT/tests/servers/server.sh"
needs gunicorn gunicorn
needs_module flask python3-flask

cat >app.py <<'END'
import ctypes
import hashlib
import json
import zlib

from flask import Flask, Response, request

app = Flask(__name__)
libc = ctypes.CDLL(None)


@app.route("/hash/<name>")
def hash_of(name):
    return hashlib.sha256(name.encode() * 1000).hexdigest()


@app.route("/json")
def as_json():
    n = int(request.args["n"])
    rows = [{"i": i, "text": "x" * (i * n % 97)} for i in range(100)]
    return Response(zlib.decompress(zlib.compress(json.dumps(rows).encode())))


@app.route("/keep")
def keep():
    libc.malloc(9001)  # as an extension in C may do; what Python has is freed at its end
    return "kept"


@app.route("/throw")
def throw():
    raise ValueError("on purpose")
END

tidy() {
	# Times, ports, process ids; which of several workers says it first.
	grep -v 'was terminated due to signal 15' \
		| sed 's/\[[-0-9]* [0-9:,+ ]*\]/DATE/; s/\[[0-9]*\]/[N]/; s/pid:[ 0-9]*/pid: N/
		s/:[0-9]\{4,5\}\b/:N/; s/([0-9]*)/(N)/; s/pid:* [0-9]*/pid N/' | sort
}

begin() {
	port=$(free_port)
	start /usr/bin/gunicorn --chdir "$here" -w 2 --threads 2 -b "127.0.0.1:$port" app:app
	wait_for "gunicorn to answer" http_answers /hash/ready
	# shellcheck disable=SC2046
	must_log "$server" $(children_of "$server")
}

main_load() {
	loaded pages http 8 $((4000 / part)) "/hash/n{i}" "/json?n={i}" "/keep?n={i}" "/nothing?n={i}"
}

finish() {
	stop TERM
}

# The leak is in the last workers: what the first had is gone with them.
work() {
	begin
	loaded throw http 2 50 "/throw?n={i}"
	loaded before http 4 1000 "/json?n={i}" "/hash/again{i}"
	# Workers that are replaced may be ended twice, the second time by the signal.
	before=$(children_of "$server" | sort | tr '\n' ' ')
	kill -HUP "$server"
	replaced() {
		for old in $before; do
			gone "$old" || return 1
		done
		[ "$(children_of "$server" | wc -l)" -eq 2 ] && http_answers /hash/ready
	}
	wait_for "new workers" replaced
	main_load
	# shellcheck disable=SC2046
	must_log $(children_of "$server")
	finish
}

after_logs() {
	planted 1000 9001
}

judge "5,050 answers of 2 workers, a leak, exceptions, HUP, exits"
