#!/bin/sh
# A leak planted in one line of a web application, under load, with as many workers as an operator
# has: that line is what `pmem leaks` tells first, and the tree of `report` reads as the
# application's own. Flask in gunicorn, Sinatra in puma.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
needs ab apache2-utils
[ -x /usr/bin/gunicorn ] && /usr/bin/python3 -c 'import flask' 2>/dev/null || {
	echo "skipped: needs gunicorn python3-flask"
	exit 77
}
[ -x /usr/bin/puma ] && ruby -e 'require "sinatra/base"; exit!(true)' 2>/dev/null || {
	echo "skipped: needs puma ruby-sinatra"
	exit 77
}

mkdir python ruby
cat >python/shop.py <<'END'
import zlib
from flask import Flask
app = Flask(__name__)
kept = []
def remember(n):
    kept.append(bytearray(n))
def work(n):
    return zlib.compress(bytes(range(256)) * n)
@app.route("/buy")
def buy():
    remember(9000)
    return str(len(work(40)))
END
cat >ruby/config.ru <<'END'
require "sinatra/base"
class Shop < Sinatra::Base
  set :environment, :production
  KEPT = []
  def remember(n)
    KEPT << "x" * n
  end
  get "/buy" do
    remember(9000)
    (1..200).map { |i| "item #{i} " * 4 }.join.size.to_s
  end
end
run Shop
END

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# load FOLDER COMMAND...: PORT in it is where the server listens; leaves its logs in the folder, and
# what leaked under the load.
load() {
	folder=$1
	shift
	port=$(free_port)
	command=$(echo "$*" | sed "s/PORT/$port/")
	# shellcheck disable=SC2086
	(cd "$folder" && exec env LD_PRELOAD="$PMEM_LIBRARY" setsid $command) >"$folder.out" 2>&1 &
	server=$!
	trap 'kill -9 -$server 2>/dev/null || true' EXIT
	wait_for "$folder" ab -q -n 1 "http://127.0.0.1:$port/buy"
	ab -q -t 12 -n 1000000 -c 4 "http://127.0.0.1:$port/buy" >"$folder.ab" 2>&1 || fail "no answers" "$folder.ab"
	grep -q 'Failed requests: *0$' "$folder.ab" || grep -q 'Length: *[0-9]*, Exceptions: 0)' "$folder.ab" \
		|| fail "requests failed" "$folder.ab"
	# While it runs: a snapshot may come as it ends, and lets go of all.
	COLUMNS=120 "$PMEM_BUILD/pmem" leaks --min-time 1s "$folder" >"$folder.leaks" 2>&1 || true
	kill -TERM $server
	tries=0
	while kill -0 $server 2>/dev/null && [ $tries -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	kill -9 -$server 2>/dev/null || true
	wait $server 2>/dev/null || true
}

# tells FOLDER LINE TREE...: the first source that leaks is the line, and the tree has these words.
tells() {
	folder=$1
	line=$2
	shift 2
	grep -m 1 -E '^ *(leaks|brief|[0-9.]+ [KMG]iB) ' "$folder.leaks" | grep -Fq "$line" \
		|| fail "$line is not the first" "$folder.leaks"
	COLUMNS=120 "$PMEM_BUILD/pmem" report --at peak --tree "$folder" >"$folder.tree" 2>&1 \
		|| fail "there is no tree" "$folder.tree"
	for word; do
		grep -Fq "$word" "$folder.tree" || fail "$word is not in the tree" "$folder.tree"
	done
}

load python gunicorn -w 2 -b 127.0.0.1:PORT shop:app
tells python 'shop.py:6 in remember' 'Flask.wsgi_app  ' 'buy  shop.py:11' 'remember  shop.py:6'
load ruby puma -w 2 -t 4:4 -b tcp://127.0.0.1:PORT config.ru
tells ruby 'config.ru:6 in Shop#remember' 'Shop#remember  config.ru:6'
