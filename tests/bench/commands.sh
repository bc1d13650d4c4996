# Part commands: what short commands pay, beside an empty library. Sourced by run.

commands_times=300
[ -z "$quick" ] || commands_times=20

build_commands() {
	# shellcheck disable=SC2086
	$CC $bench_cflags -o "$work/commands" "$bench/commands.c" \
		&& echo 'int something;' >"$work/empty.c" \
		&& $CC -shared -fPIC -o "$work/empty.so" "$work/empty.c"
}

# commands_measure ROUND NAME TIMES PROGRAM ARGUMENT...: appends
# `name round contender cpu_us wall_us faults`. Their logs go with the folder.
commands_measure() {
	round=$1
	name=$2
	times=$3
	shift 3
	mkdir -p "$work/commands.logs"
	(cd "$work/commands.logs" && "$work/commands" "$times" - "$work/empty.so" \
		"$build/libpmem.so" -- "$@") | {
		for contender in none empty pmem; do
			read -r figures && echo "$name $round $contender $figures"
		done
	} >>"$work/commands.results"
	rm -rf "$work/commands.logs"
}

commands_run() {
	commands_measure "$1" true $commands_times true
	commands_measure "$1" ls $commands_times ls /
	commands_measure "$1" sed $commands_times sed s/a/b/ /etc/hostname
	commands_measure "$1" bash $commands_times bash -c true
	commands_measure "$1" 100-forks $((commands_times / 10)) \
		bash -c 'for ((i = 0; i < 100; i++)); do (:); done'
}

commands_print() {
	printf '\nshort commands: us of CPU, and page faults; medians of %s turns, over rounds\n\n' \
		"$commands_times"
	printf '%-12s %10s %10s %10s %10s %10s %10s\n' command none empty pmem none empty pmem
	for name in $(awk '!seen[$1]++ { print $1 }' "$work/commands.results"); do
		for field in 4 6; do
			for contender in none empty pmem; do
				awk -v name="$name" -v contender=$contender -v field=$field \
					'$1 == name && $3 == contender { print $field }' \
					"$work/commands.results" | sort -n | awk '{ line[NR] = $1 }
					END { print line[int((NR + 1) / 2)] }'
			done
		done | tr '\n' ' ' | awk -v name="$name" '{
			printf "%-12s %10d %10d %10d %10d %10d %10d\n", name, $1, $2, $3, $4, $5, $6 }'
	done
}
