# load: a web application with a planted leak under load, as tests share it; real.sh comes first.

free_port() {
	python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# What is done with the server between two halves of its load; its process is in $server.
meanwhile() {
	:
}

ask() {
	ab -q -t 6 -n 1000000 -c 4 "http://127.0.0.1:$port/buy" >"$folder.ab" 2>&1 || fail "no answers" "$folder.ab"
	grep -q 'Failed requests: *0$' "$folder.ab" || grep -q 'Length: *[0-9]*, Exceptions: 0)' "$folder.ab" \
		|| fail "requests failed" "$folder.ab"
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
	ask
	meanwhile
	ask
	# While it runs: a snapshot may come as it ends, and lets go of all.
	COLUMNS=120 "$PMEM_BUILD/pmem" leaks -v --min-time 1s "$folder" >"$folder.leaks" 2>&1 || true
	kill -TERM $server
	tries=0
	while kill -0 $server 2>/dev/null && [ $tries -lt 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	kill -9 -$server 2>/dev/null || true
	wait $server 2>/dev/null || true
}

# tells FOLDER LINE TREE...: the first source of blocks that leaks is the line, and the tree has these (grep).
# What a runtime maps for its own heap may be told before.
tells() {
	folder=$1
	line=$2
	shift 2
	grep -E '^ *((leaks|too early) +[0-9]|[0-9.]+ [KMG]iB( in [0-9hms. ]+)?  )' "$folder.leaks" |
		grep -vE ' (mmap|mprotect) < ' | head -n 1 | grep -q "$line" \
		|| fail "$line is not the first" "$folder.leaks"
	COLUMNS=120 "$PMEM_BUILD/pmem" report --at peak --tree "$folder" >"$folder.tree" 2>&1 \
		|| fail "there is no tree" "$folder.tree"
	for word; do
		grep -q "$word" "$folder.tree" || fail "$word is not in the tree" "$folder.tree"
	done
}
