# real: what the tests of real programs share; each of them sources it first. A program runs
# twice, in the folder plain/ and, under the library, in the folder logged/, which gets the
# logs. Both lie in the test's own folder, which the runner made and removes. With
# TEST_ALLOCATOR, the path of an allocator's library, both run on that. With TEST_ACCOUNT, that of account.c, an
# account of each block is kept beside each log: $ACCOUNT.PID.

set -eu
LC_ALL=C.UTF-8 TZ=UTC
export LC_ALL TZ
mkdir -p plain logged

# fail WHAT [FILE...]: ends the test, and shows what the files have to say. Not on standard
# output, which $(...) would swallow.
fail() {
	exec >&2
	echo "failed: $1"
	shift
	for shown; do
		echo "--- $shown"
		head -n 10 "$shown"
	done
	exit 1
}

# needs PROGRAM PACKAGE: ends the test as skipped where there is no such program.
needs() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "skipped: needs $2"
	exit 77
}

# In a container root may have no right to be another user.
needs_root() {
	[ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups true 2>/dev/null &&
		return
	echo "skipped: needs root"
	exit 77
}

# preload_of SIDE: what LD_PRELOAD is there.
preload_of() {
	[ "$1" = plain ] || printf %s "${TEST_ACCOUNT:+$TEST_ACCOUNT:}$PMEM_LIBRARY:"
	printf %s "${TEST_ALLOCATOR:+$TEST_ALLOCATOR:}${LD_PRELOAD:-}"
}

# The loader only warns of what it cannot load.
if [ -n "${TEST_ALLOCATOR:-}" ]; then
	LD_PRELOAD=$(preload_of plain) cat /proc/self/maps >maps 2>maps.err
	grep -q " $(realpath "$TEST_ALLOCATOR")" maps || fail "$TEST_ALLOCATOR is not there" maps.err
fi

# run SIDE NAME COMMAND...: leaves SIDE's NAME.out, NAME.err and NAME.status.
run() {
	side=$1
	name=$2
	shift 2
	status=0
	(cd "$side" && exec timeout --foreground -k 5 $((100 * ${TEST_SLOWER:-1})) env LD_PRELOAD="$(preload_of "$side")" "$@") \
		>"$name.$side.out" 2>"$name.$side.err" </dev/null || status=$?
	echo $status >"$name.$side.status"
}

# same STATUS NAME COMMAND...: the command ends with this status, without the library and
# under it, and says the same.
same() {
	want=$1
	shift
	run plain "$@"
	run logged "$@"
	for what in status out err; do
		cmp -s "$1.plain.$what" "$1.logged.$what" || fail "$1: not the same $what under the library" \
			"$1".plain.* "$1".logged.*
	done
	[ "$(cat "$1.plain.status")" -eq "$want" ] || fail "$1: status is not $want" "$1".plain.*
}

# agree BLOCKS LOG...: the logs' numbers agree with each other, nothing was lost but what a
# program may bring about by itself, and there are so many blocks in them at least.
agree() {
	least=$1
	shift
	"$LOGCHECK" "$@" >agree.out 2>&1 || fail "the logs do not agree" agree.out
	figures=$(tail -n 1 agree.out)
	blocks=$(echo "$figures" | sed -n 's/.*logs, \([0-9]*\) blocks.*/\1/p')
	[ "${blocks:-0}" -ge "$least" ] || fail "$blocks blocks in $*, not $least"
	# Programs have constructors that run before ours, and stacks deeper than we keep. With
	# PMEM_ORACLE the agreement of two unwinders is counted there, too.
	lost=$(sed -n 's/^losses //p' "$@" | tr ' ' '\n' \
		| grep -v -e '^stacks_cut=' -e '^stacks_ended=' -e '^stacks_short=[1-9][0-9]\{0,1\}$' -e '^oracle_equal=' \
		-e '^oracle_further=' | sort -u | tr '\n' ' ')
	[ -z "$lost" ] || fail "$* lost $lost"
	echo "figure: $figures"
	[ -z "${TEST_ACCOUNT:-}" ] || match_accounts 1 "$@"
	# For others: what each log has said, if the test removes it.
	mkdir -p agreed
	for agreed; do
		sed -n -e 1p -e '/^losses /p' "$agreed" >"agreed/$(ls agreed | wc -l)"
	done
}

# match_accounts LEAST LOG...: each log has what its process's account has, so many at least. A process that is
# killed, or ends by _exit(), leaves no account; one that allocates nothing has no snapshot.
match_accounts() {
	least=$1 count=0
	shift
	for log; do
		pid=${log##*/pmem.}
		account=$ACCOUNT.${pid%.log}
		[ -e "$account" ] && ! grep -q ' alloc=0/0 ' "$account" || continue
		told=$(sed -n 's/^time=.*\( live=[^ ]* alloc=[^ ]* \).*/\1/p' "$log" | tail -n 1)
		[ "$told" = "$(cat "$account")" ] || fail "$log has$told, its account$(cat "$account")"
		count=$((count + 1))
	done
	at_least "accounts of $*" $count "$least"
	echo "figure: $count processes are exact by an account"
}

# log_of PROGRAM: the path of the one log in logged/ whose process ran this file. It ends with
# a block that was written at exit.
log_of() {
	found=$(grep -l "^# pmem .* exe=[^ ]*/$1 " logged/pmem.*.log) || fail "no log of $1"
	[ "$(echo "$found" | wc -l)" -eq 1 ] || fail "more than one log of $1: $found"
	case $(grep '^time=' "$found" | tail -n 1) in
	*' reason=exit '*) echo "$found" ;;
	*) fail "$found has no last block" ;;
	esac
}

# total LOG NAME: of the last snapshot, in bytes: live, alloc or free.
total() {
	sed -n "s|^time=.* $2=\([0-9]*\)/.*|\1|p" "$1" | tail -n 1
}

# left LOG: bytes live in the last snapshot, but for what constructors of libraries took: some
# allocators bring libstdc++, which keeps 72 KiB for exceptions.
left() {
	awk '
		function add() { if (outermost !~ /\/ld-linux/) sum += live; outermost = ""; live = 0 }
		/^\[/ { sum = live = 0 }
		/^[{]/ { live = substr($2, 6) }
		/^  [{]/ { outermost = $2 }
		/^$/ { add() }
		END { print sum }' "$1"
}

# peak LOG: the most live bytes that a block speaks of.
peak() {
	sed -n 's|^time=.* live=\([0-9]*\)/.*|\1|p' "$1" | sort -n | tail -n 1
}

# at_least WHAT NUMBER LEAST
at_least() {
	[ "${2:-0}" -ge "$3" ] || fail "$1: ${2:-nothing}, not $3 or more"
}

# blocks_at_exit LOG BYTES: how many blocks of so many bytes each are live in the last block of
# the log, in sources that have no others.
blocks_at_exit() {
	awk -v bytes="$2" '
		/^\[/ { found = 0 }
		/^[{]/ && substr($2, 6) + 0 == bytes * substr($5, 8) { found += substr($5, 8) }
		END { print found + 0 }' "$1"
}

# at_most WHAT NUMBER MOST
at_most() {
	[ "${2:-$(($3 + 1))}" -le "$3" ] || fail "$1: ${2:-nothing}, not $3 or less"
}

# holds_at_exit LOG BLOCKS LEAST MOST: in the last block of the log a source has so many
# blocks live, all of one size from LEAST to MOST bytes.
holds_at_exit() {
	awk -v blocks="$2" -v least="$3" -v most="$4" '
		/^\[/ { found = 0 }
		/^[{]/ && $5 == "blocks:" blocks "," {
			each = substr($2, 6) / blocks
			if (each == int(each) && each >= least && each <= most)
				found = 1
		}
		END { exit !found }' "$1" \
		|| fail "no source in the last block of $1 holds $2 blocks of $3 to $4 bytes each"
}

# wait_for WHAT COMMAND...: until it succeeds, 20 seconds at most.
wait_for() {
	what=$1
	shift
	tries=0
	until "$@" >/dev/null 2>&1; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || fail "waited in vain for $what"
		sleep 0.1
	done
}

# gone PID: the process is no more, or waits for its parent alone.
gone() {
	case $(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) in
	'' | Z*) return 0 ;;
	esac
	return 1
}
