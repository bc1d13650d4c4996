# Part servers: what requests cost, and the memory that a server has in the end. tests/servers
# starts, loads and ends them. Sourced by run.

all_servers="puma gunicorn postgresql mariadb openjdk node redis memcached"
# Without --among. Others take minutes a server.
servers_contenders="none pmem pmem-sampled heaptrack jemalloc-sampled"
# These work in children, and heaptrack records the first process alone.
forking_servers="puma gunicorn postgresql node"

# can_measure SERVER CONTENDER
can_measure() {
	case " $servers_missing " in *" $1 "*) return 1 ;; esac
	[ "$2" = heaptrack ] || return 0
	case " $forking_servers " in *" $1 "*) return 1 ;; esac
}

build_servers() {
	servers_missing=
	servers_measured=
	for name in $contenders; do
		case " ${among:-$servers_contenders} " in *" $name "*)
			servers_measured="$servers_measured $name" ;;
		esac
	done
	# shellcheck disable=SC2086
	$CC $bench_cflags -o "$work/launch" "$root/tests/servers/launch.c" || return
	# The servers' own users must reach the libraries, wherever this folder lies.
	chmod 755 "$work"
	mkdir "$work/reachable" && cp "$build/libpmem.so" "$work/reachable"
}

# server_run SERVER CONTENDER ROUND: appends `server:load contender round cpu_us status bytes` for
# each load, and `server contender round kib status bytes`.
server_run() {
	folder=$work/server
	rm -rf "$folder"
	mkdir "$folder"
	status=0
	(
		build=$work/reachable
		cd "$folder" || exit
		SERVERS_SIDE=$2 SERVERS_PART=${quick:+10} SERVERS_UNDER=''
		SERVERS_ENVIRONMENT=$(environment_of "$2" "$folder/$2")
		[ "$2" != heaptrack ] || SERVERS_UNDER="$bench/under_heaptrack $heaptrack_home"
		PMEM_ROOT=$root PMEM_BUILD=$build PMEM_LIBRARY='' LAUNCH=$work/launch
		export CC SERVERS_SIDE SERVERS_PART SERVERS_UNDER SERVERS_ENVIRONMENT
		export PMEM_ROOT PMEM_BUILD PMEM_LIBRARY LAUNCH
		exec timeout -k 10 300 "$root/tests/servers/$1.sh"
	) >"$work/server.said" 2>&1 </dev/null || status=$?
	case $status in
	0) status=answers:$(cat "$folder/answered") ;;
	77)
		servers_missing="$servers_missing $1"
		echo "missing   $1: $(sed -n 's/^skipped: //p' "$work/server.said")" \
			>>"$work/servers.missing"
		return
		;;
	124) status=timeout ;;
	*)
		status=failed
		echo "$1, $2:" >&2
		tail -n 5 "$work/server.said" >&2
		;;
	esac
	bytes=$(cat "$folder/written" 2>/dev/null)
	touch "$work/servers.loads" "$work/servers.memory"
	if [ -s "$folder/answered" ]; then
		awk -v of="$1" -v who="$2" -v round="$3" -v ended="$status ${bytes:-0}" '
			$1 ~ /^from:/ { begun = $2 }
			$1 ~ /^to:/ {
				split($1, part, ":")
				print of ":" part[2], who, round, ($2 - begun) / part[3], ended
			}' "$folder/$2.books/named" >>"$work/servers.loads"
	else
		# Its loads are those that others had.
		sed -n "s/^\($1:[^ ]*\) .*/\1/p" "$work/servers.loads" | sort -u \
			| sed "s/\$/ $2 $3 0 $status 0/" >"$work/servers.none"
		cat "$work/servers.none" >>"$work/servers.loads"
	fi
	echo "$1 $2 $3 $(sed -n 's/^end [0-9]* //p' "$folder/$2.books/named" 2>/dev/null \
		| grep . || echo 0) $status ${bytes:-0}" >>"$work/servers.memory"
}

servers_run() {
	for server in ${servers:-$all_servers}; do
		for contender in $servers_measured; do
			! can_measure "$server" "$contender" || server_run "$server" "$contender" "$1"
		done
	done
	rm -rf "$work/server"
}

servers_print() {
	cat <<-TEXT

		SERVERS: microseconds of CPU a request, and the MiB that the server's processes have in the
		end, pages that they share counted once; by /proc and rusage, daemons and children among
		them, without the clients. The same requests each time. x is over no profiler, compared
		within each round: median (min..max). heaptrack's interpreter is in both, since it runs
		beside. Of a server that works in children ($forking_servers) heaptrack
		sees nothing: it records the first process alone. jemalloc brings its allocator, which is in
		x, too; redis runs on it anyway.
	TEXT
	[ ! -e "$work/servers.missing" ] || cat "$work/servers.missing"
	[ -s "$work/servers.loads" ] || return 0
	servers_table "$work/servers.loads" "CPU a request over no profiler" us 1
	servers_table "$work/servers.memory" "memory in the end over no profiler" MiB 1024
}

# servers_table RESULTS TITLE UNIT SHARE: figures are divided by the share.
servers_table() {
	tabulate "$1" '
	function runs_of(row, who) {
		gather(row, who, 1)
		return n
	}
	function line(row, who) {
		if (!begins(row, who, 21, 2, 3))
			return
		printf "%10.2f %22s", median() / share, sprintf("(%.2f..%.2f)", least() / share, most() / share)
		compare(row, who, "none", 1, "/")
		printf " %7.2f %14s", median(), sprintf("(%.2f..%.2f)", least(), most())
		printf " %12.3f %5d\n", median_of(row, who, 3) / 1048576, runs_of(row, who)
	}
	END {
		names = split(contenders, name, " ")
		for (r = 1; r <= row_count; r++) {
			printf "\n%s%10s %22s %7s %14s %12s %5s\n", pad(rows[r], 21), unit, "(min..max)", \
				"x none", "(min..max)", "written MiB", "runs"
			for (c = 1; c <= names; c++)
				line(rows[r], name[c])
		}
		summary(title, 1, "none", 2, 3)
	}' -v title="$2" -v unit="$3" -v share="$4" -v contenders="${servers_measured# }"
}
