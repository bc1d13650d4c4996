#!/bin/sh
# hostile.sh PMEM MUTATOR SECONDS FIRST LOG...: for so long, PMEM, built with the sanitizers, on what
# MUTATOR (tests/fuzz/hostile.c) makes of the logs with the seeds from FIRST on. It ends by itself in
# 60 seconds, with a status that help tells of, and sends a terminal no commands; or the seed and the
# command line are told, and the status is 1.

set -u
pmem=$1 mutator=$2 seconds=$3 seed=$4
shift 4
export ASAN_OPTIONS=exitcode=99:detect_leaks=0:allocator_may_return_null=1
export UBSAN_OPTIONS=halt_on_error=1:exitcode=99
end=$(($(date +%s) + seconds))
harmful="[$(printf '\001-\010\013\014\016-\037\177')]|$(printf '\302')[$(printf '\200-\237')]"
bad=0
runs=0 turn=0
first=$seed
while [ "$(date +%s)" -lt $end ] && [ $bad -eq 0 ]; do
	rm -rf round
	mkdir round
	cd round || exit 1
	"$mutator" "$seed" "$@" || exit 1
	mkfifo fifo
	# Archives: whole, cut off, with something behind them, and one of an archive.
	kind=$((seed % 7))
	# A hole takes too long to be packed.
	[ "$(stat -c %s pmem.77.log)" -lt 50000000 ] || kind=none
	case $kind in
	0) gzip -1 pmem.77.log ;;
	1) gzip -1 pmem.77.log && head -c 2000 pmem.77.log.gz >cut && mv cut pmem.77.log.gz ;;
	2) gzip -1 pmem.77.log && echo more >>pmem.77.log.gz ;;
	3) gzip -1 pmem.77.log && cp pmem.77.log.gz pmem.79.log && gzip -1 pmem.79.log ;;
	esac 2>/dev/null
	log=$(ls pmem.77.log* | head -n 1)
	for words in "report" "report --tree --stacks" "leaks --all" "diff --from first" "leaks ." \
		"export --to csv" "export --to ndjson" "export --to speedscope" "export --to pprof -o out" \
		"html -o out" "top --once" "report --by thread --at peak"; do
		# Some of them each time.
		turn=$((turn + 1))
		[ $(((seed * 7 + turn) % 4)) -eq 0 ] || continue
		runs=$((runs + 1))
		# shellcheck disable=SC2086
		timeout -k 5 60 "$pmem" $words "$log" >../output 2>../err </dev/null
		status=$?
		if [ $status -gt 3 ] || tr '\r' ' ' <../output | LC_ALL=C grep -aqE "$harmful"; then
			echo "seed $seed: pmem $words $log: status $status"
			head -n 40 ../err
			bad=1
		fi
	done
	cd .. || exit 1
	seed=$((seed + 1))
done
echo "Done $((seed - first)) rounds, $runs command lines, from seed $first on"
exit $bad
