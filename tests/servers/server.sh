# server: what the scripts of this folder share; each of them sources it first. A script says
# what it needs, defines work(), which starts a server as its operator would, loads it and ends
# it, and calls judge. work() runs twice: with $side plain, and logged, under the library; in
# the script's own folder, which the runner made. What it prints are the answers. Line 2 may say
# `# pmem: FLAGS`: the library is built with these, so that a server that hardly allocates must
# leave a log, too, or one that has room for each source.
#
# Only what is exact is judged: answers, exits, output, logs. Figures of time and memory go into
# the table.
#
# tests/bench/servers.sh measures some of these servers. Such a script has begin(), which starts
# the server and waits for it, main_load() and finish(); work() calls them, too, and does more
# between. A bench runs these three once and compares nothing. It sets in the environment
# SERVERS_SIDE, which is $side then, SERVERS_ENVIRONMENT, the server's variables, SERVERS_UNDER, a
# command that starts the server's, and SERVERS_PART.

. "$PMEM_ROOT/tests/lib/real.sh"
PATH=$PATH:/usr/sbin:/sbin
python=/usr/bin/python3
here=$PWD
name=$(basename "$0" .sh)
chmod 755 plain logged
: >complaints
# A script may say otherwise:
torn=              # -t: a process is killed, so its last block may be cut off
may_lose=          # names of losses that are this program's to be expected, separated by blanks
part=${SERVERS_PART:-1} # of a main_load: a bench in a hurry asks for a tenth
tidy() { cat; }    # tidy STREAM: leaves out what differs from run to run

# complain WHAT [FILE...]: the test has failed, and goes on.
complain() {
	{
		echo "$1"
		shift
		for shown; do
			echo "--- $shown"
			head -c 3000 "$shown" | head -n 20
		done
	} | sed "s|^|$name: |" >>complaints
}

# needs_module NAME PACKAGE: of python's.
needs_module() {
	$python -c "import $1" 2>/dev/null && return
	echo "skipped: needs $2"
	exit 77
}

free_port() {
	$python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_as USER COMMAND...: in $side. Sets $server, the process's id. The library is loaded by the
# server alone, not by what leads to it.
start_as() {
	user=$1
	shift
	books=$here/$side.books
	mkdir -p "$books"
	# shellcheck disable=SC2086
	if [ -n "${SERVERS_SIDE:-}" ]; then
		set -- env $SERVERS_ENVIRONMENT "$@"
	else
		set -- env LD_PRELOAD="$(preload_of "$side")" "$@"
	fi
	[ "$user" = root ] \
		|| set -- setpriv --reuid="$user" --regid="$(id -gn "$user")" --init-groups "$@"
	# shellcheck disable=SC2086
	(cd "$side" && exec "$LAUNCH" "$books" ${SERVERS_UNDER:-} "$@") \
		>"$here/$side.out" 2>"$here/$side.err" </dev/null &
	launcher=$!
	wait_for "the start of $name" [ -s "$books/pid" ]
	server=$(cat "$books/pid")
}

start() {
	start_as root "$@"
}

# mark NAME: notes how much time and memory the server has taken so far.
mark() {
	before=$(wc -l <"$books/marks")
	kill -USR1 "$launcher"
	wait_for "a mark" eval '[ "$(wc -l <"$books/marks")" -gt "$before" ]'
	echo "$1 $(tail -n 1 "$books/marks")" >>"$books/named"
}

# load NAME REQUESTS COMMAND...: between two marks. What it prints are answers.
load() {
	label=$1
	requests=$2
	shift 2
	mark "from:$label:$requests"
	status=0
	"$@" || status=$?
	if [ $status -ne 0 ]; then
		[ "$side" = logged ] || fail "$label: status $status"
		echo "$label: status $status"
	fi
	mark "to:$label:$requests"
}

# clients KIND CLIENTS REQUESTS [WHAT...]: load.py on $port.
clients() {
	clients_kind=$1
	shift
	timeout --foreground -k 5 60 $python "$PMEM_ROOT/tests/servers/load.py" "$clients_kind" "$port" "$@"
}

# loaded NAME KIND CLIENTS REQUESTS [WHAT...]: the same as a load.
loaded() {
	label=$1
	shift
	load "$label" "$3" clients "$@"
}

# listens: something does, on $port.
listens() {
	$python -c "import socket; socket.create_connection(('127.0.0.1', $port))"
}

# http_answers PATH: an HTTP server on $port does.
http_answers() {
	$python -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1], timeout=5)' \
		"http://127.0.0.1:$port$1"
}

# children_of PID: their ids, a line each.
children_of() {
	for stat in /proc/[0-9]*/stat; do
		fields=$(sed 's/.*) [A-Z] //' "$stat" 2>/dev/null) || continue
		[ "${fields%% *}" != "$1" ] || basename "${stat%/stat}"
	done
}

# must_log PID...: these processes did so much that they must have a log.
must_log() {
	[ "$side" = plain ] || printf '%s\n' "$@" >>"$books/must_log"
}

# ended: waits until no process of the server is left, and says how it ended.
ended() {
	tries=0
	until [ -e "$books/ended" ]; do
		tries=$((tries + 1))
		if [ $tries -eq 300 ]; then
			echo "does not end; left are:"
			for pid in $(cat "$books/pids"); do
				gone "$pid" || sed 's/ (.*) [A-Z].*/ a process/; s/^[0-9]* //' "/proc/$pid/stat" || true
			done
			kill -TERM "$launcher"
		fi
		[ $tries -lt 400 ] || fail "processes that cannot be killed"
		sleep 0.1
	done
	sort "$books/ended"
}

# stop SIGNAL
stop() {
	mark end
	kill "-$1" "$server" || echo "is no more"
	ended
}

# find_logs SIDE: which logs are of the server's processes: those in its folder, and those in the
# fallback directory, or in /, where daemons go, whose process, or its parent, we know.
find_logs() {
	find "$here/$1" -name 'pmem.*.log*' >logs
	find / /tmp -maxdepth 1 -name 'pmem.*.log*' -newer "$here/begun" >candidates 2>/dev/null || true
	# Those of others may go away meanwhile.
	cat logs candidates | while read -r log; do
		sed -n "s|^# pmem [0-9]* pid=\([0-9]*\) ppid=\([0-9]*\) .*|\1 \2 $log|p;1q" "$log" 2>/dev/null || true
	done >headers
	awk -v here="$here/" '
		FILENAME ~ /pids$/ { ours[$1] = 1; next }
		index($3, here) == 1 { ours[$1] = 1; next }
		{ pid[$3] = $1; parent[$3] = $2 }
		END {
			do {
				more = 0
				for (path in pid)
					if (!(path in found) && (pid[path] in ours || parent[path] in ours))
						more = found[path] = ours[pid[path]] = 1
			} while (more)
			for (path in found)
				print path
		}' "$1.books/pids" headers >fallback_logs
	cat fallback_logs >>logs
}

# The last losses of each log, summed by name.
sum_losses() {
	while read -r log; do
		grep -a '^losses ' "$log" | tail -n 1
	done <logs | tr ' ' '\n' | awk -F= 'NF == 2 { sum[$1] += $2 }
		END { for (name in sum) print name "=" sum[name] }' | sort
}

judge_logs() {
	find_logs logged
	: >blocks
	: >no_blocks
	while read -r log; do
		if grep -aq '^\[' "$log"; then echo "$log" >>blocks; else echo "$log" >>no_blocks; fi
	done <logs
	if [ ! -s blocks ]; then
		complain "there is no log"
		return
	fi
	# shellcheck disable=SC2086
	xargs "$LOGCHECK" $torn <blocks >agree.out 2>&1 || complain "logs do not agree" agree.out
	for subcommand in report leaks; do
		xargs "$PMEM_BUILD/pmem" $subcommand --raw <blocks >$subcommand.out 2>$subcommand.err \
			|| complain "pmem $subcommand fails" $subcommand.err
	done
	sum_losses >losses
	for loss in $(cut -d= -f1 losses); do
		case " stacks_cut stacks_short stacks_ended $may_lose " in
		*" $loss "*) ;;
		*) complain "lost: $(grep "^$loss=" losses)" ;;
		esac
	done
	touch logged.books/must_log
	for pid in $(cat logged.books/must_log); do
		grep -q "/pmem\.$pid\.[^/]*$" logs || complain "process $pid has no log"
	done
}

# planted BLOCKS BYTES: so many blocks of so many bytes each were leaked, by whichever of the
# processes: the logs say so at their end, and so does the reader. Whether `pmem leaks` names
# them is a figure.
planted() {
	sum=0
	: >leaky
	while read -r log; do
		count=$(blocks_at_exit "$log" "$2")
		[ "$count" -eq 0 ] || echo "$log" >>leaky
		sum=$((sum + count))
	done <blocks
	# With a full table they are in {other}, among others.
	if [ "$sum" -ne "$1" ] && grep -q '^table_full=' losses; then
		echo "planted: $1 of $2 bytes, $sum told apart: the table was full" >planted.figure
		return
	fi
	[ "$sum" -eq "$1" ] || complain "$sum blocks of $2 bytes in the last blocks of the logs, not $1"
	reported=0
	places=
	while read -r log; do
		"$PMEM_BUILD/pmem" report --raw --bytes -n 0 --since start "$log" >planted.report 2>&1 || true
		count=$(awk -v bytes="$2" '
			/^ *[0-9]+ +[0-9.]+% +[0-9]+ / && $1 == $3 * bytes && $4 == "+" $1 { sum += $3 }
			END { print sum + 0 }' planted.report)
		reported=$((reported + count))
		"$PMEM_BUILD/pmem" leaks -v --raw "$log" >planted.leaks 2>&1 || true
		awk -v bytes="$2" '
			/^\[/ { count = 0 }
			/^[{]/ && $5 != "blocks:0," && substr($2, 6) + 0 == bytes * substr($5, 8) { id[++count] = $1 }
			END { for (i = 1; i <= count; i++) print id[i] }' "$log" >planted.ids
		place=$(grep -E '^ *(leaks|steps) ' planted.leaks | grep -nFf planted.ids | cut -d: -f1 | head -n 1)
		places="$places ${place:-no}"
	done <leaky
	[ "$reported" -eq "$1" ] || complain "pmem report shows $reported blocks of $2 bytes that grew, not $1"
	echo "planted: $1 of $2 bytes, place in pmem leaks:$places" >planted.figure
}

# row WHAT: for the table; fields are separated by tabs.
row() {
	printf '%s\t%s\t%s\t' "$name" "$1" "$(wc -l <logs)"
	tr '\n' '\0' <logs | xargs -0r stat -c %s | awk '{ sum += $1 } END { printf "%d\t", sum }'
	tr '\n' ' ' <losses
	# A load's time is the difference of two marks.
	awk '
		{ side = FILENAME ~ /^plain/ ? "plain" : "logged" }
		$1 ~ /^from:/ { begun = $2 }
		$1 ~ /^to:/ {
			split($1, part, ":")
			if (side == "plain")
				order[++loads] = part[2]
			each[side, part[2]] = ($2 - begun) / part[3]
			all[side] += $2 - begun
		}
		{ final[side] = $3 }
		END {
			printf "\t"
			for (i = 1; i <= loads; i++) {
				plain = each["plain", order[i]]
				logged = each["logged", order[i]]
				printf "%s%s %.0f %.0f", (i > 1 ? ", " : ""), order[i], plain, logged
				if (plain)
					printf " (%.2f)", logged / plain
			}
			printf "\t%d\t%d\t%.1f\t%.1f\t", all["plain"], all["logged"],
				final["plain"] / 1024, final["logged"] / 1024
		}' plain.books/named logged.books/named
	awk '{ printf "%.1f%s", $1 / 1024, NR == 1 ? "\t" : "\n" }' plain.books/peak logged.books/peak
}

# work_on SIDE
work_on() {
	side=$1
	status=0
	(work) >"answers.$side" 2>"client.$side" &
	wait $! || status=$?
	[ $status -eq 0 ] || complain "work, $side: status $status" "client.$side" "$side.err"
}

clean() {
	[ -n "${SERVERS_KEEP:-}" ] || xargs -r rm -f <fallback_logs
}

# measure: for a bench. Leaves a checksum of the answers in `answered`, and in `written` the bytes
# that the profiler left; the marks are among the books.
measure() {
	side=$SERVERS_SIDE
	mkdir "$side"
	# A profiler may write late, when the server has become another user.
	chmod 777 "$side"
	touch begun
	{
		begin
		main_load
		finish
	} >answers
	tidy answers <answers | cksum | cut -d' ' -f1 >answered
	find_logs "$side"
	{
		tr '\n' '\0' <logs
		# Some change to another folder.
		find "$here" -name 'jeprof.*' -print0 -o -name heaptrack.data -print0
	} | xargs -0r stat -c %s | awk '{ sum += $1 } END { print sum + 0 }' >written
}

# judge WHAT: WHAT is compared, in few words. after_logs, where a script defines it, may judge more.
judge() {
	: >fallback_logs
	trap clean EXIT
	trap 'exit 130' INT TERM
	if [ -n "${SERVERS_SIDE:-}" ]; then
		measure
		return
	fi
	work_on plain
	[ ! -s complaints ] || fail "it does not work without the library" complaints
	touch begun
	work_on logged
	for each in plain logged; do
		mv "$each.out" "out.$each"
		mv "$each.err" "err.$each"
		for stream in answers client out err; do
			sed "s/$each/SIDE/g" "$stream.$each" | tidy $stream >"tidy.$stream.$each" || true
		done
	done
	for stream in answers client out err; do
		diff "tidy.$stream.plain" "tidy.$stream.logged" >"difference.$stream" \
			|| complain "not the same $stream" "difference.$stream"
	done
	judge_logs
	[ ! -s blocks ] || { command -v after_logs >/dev/null && after_logs; } || true
	row "$1" >"${SERVERS_ROW:-row}" 2>row.err || complain "no row" row.err
	sed -n 's/^/figure: /p' agree.out planted.figure 2>/dev/null | tail -n 2
	[ ! -s no_blocks ] || echo "figure: $(wc -l <no_blocks) logs without a block"
	cat complaints
	[ ! -s complaints ]
}
