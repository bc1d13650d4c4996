# planted: runs programs under the library and asks `pmem leaks` about them. Source it first.

LC_ALL=C.UTF-8
export LC_ALL
pmem=$PMEM_BUILD/pmem
judged=0
found=0

wrong() {
	echo "$name: $1"
	cat verdict
	exit 1
}

# has PROGRAM: whether it is installed; says so when not.
has() {
	command -v "$1" >/dev/null 2>&1 && return 0
	echo "without $1"
	return 1
}

# judge NAME STATUS COMMAND...: leaves `verdict` of the command's log, in which seconds are enough.
# As a rule they are not: whatever the command does, there is no leak yet.
judge() {
	name=$1
	want=$2
	shift 2
	rm -f pmem.*.log*
	LD_PRELOAD=$PMEM_BUILD/libpmem.so "$@" >out 2>err || {
		cat err >verdict
		wrong "it fails"
	}
	status=0
	"$pmem" leaks -v --fail-on 0 --min-time 1h pmem.*.log >verdict 2>&1 || wrong "in an hour: status $?"
	! grep -Eq '^[0-9]+ sources? leaks? ' verdict || wrong "leaks after some seconds"
	"$pmem" leaks -v --fail-on 0 --min-time 0 pmem.*.log >verdict 2>&1 || status=$?
	[ $status -eq "$want" ] || wrong "status $status, not $want"
	judged=$((judged + 1))
}

# leaks_are COUNT|any [REGEX]: so many sources leak, and the first is there. A program that tidies up as it
# ends held it.
leaks_are() {
	sed -n '/^ *verdict /,/^$/p' verdict | sed '1d;$d' | grep -E '^ *(leaks|kept) ' >rows || true
	count=$(wc -l <rows)
	found=$((found + count))
	if [ "$1" = any ]; then
		[ "$count" -gt 0 ] || wrong "no leak"
	else
		[ "$count" -eq "$1" ] || wrong "$count leaks, not $1"
	fi
	[ $# -lt 2 ] || head -1 rows | grep -Eq "$2" || wrong "the first is not in $2"
}

row_has() {
	head -1 rows | grep -q "$1" || wrong "no '$1' in the first row"
}
