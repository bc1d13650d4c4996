#!/bin/sh
# The exit status of `pmem leaks` tells a leak (3), growth outside of malloc (4) and that nobody can tell (5) apart, as
# options ask for it; the lowest counts. With --fail-on no service passes that surely grows so fast, whatever pmem
# calls it; and none fails that does not.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"
leaks="leaks --raw"

# 6.87 MiB an hour each: at one place, at one place after another, of which none grows for long, or outside.
service leaky 11 240 'print "+ keep/serve 10 1000"'
service tiers 12 240 'print "+ keep" int(i / 10) "/serve 10 1000"'
service arenas 13 240 'printf "memory %d 4000000\n", 4e6 + i * 10000'
service files 14 240 'printf "memory 4000000 %d\n", 4e6 + i * 10000'
service quiet 15 240 ''
# A pool that fills and then stands still, beside other work.
service pool 16 240 'if (i < 40) print "+ new_slab/start 10 1000"'
# Six snapshots; a leak in its first minute; one whose frees are not all seen.
service chunks 17 6 'printf "memory %d 4000000\n", 22e6 + i * 2e7'
service young 18 10 'print "+ keep/serve 10 1000"'
service blind 19 240 'print "+ keep/serve 10 1000"; if (i == 0) print "unseen keep/serve"'

# answers LOG STATUS...: of each of these options, in this order.
answers() {
	log=$1
	shift
	for options in '--fail-on 6M' '--fail-on 7M' '--fail-on-outside 6M' '--fail-on-outside 7M' '--fail-on-unjudged' \
			'--fail-on 6M --fail-on-unjudged' '--fail-on 7M --fail-on-unjudged' '--fail-on 6M --fail-on-outside 7M' \
			'--fail-on 7M --fail-on-outside 6M' '--fail-on-lost'; do
		# shellcheck disable=SC2086
		ask "$1" $options "$log.log"
		shift
	done
}
answers leaky 3 0 0 0 0 3 0 3 0 3
answers arenas 4 0 4 0 0 4 0 0 4 0
answers files 0 0 0 0 0 0 0 0 0 0
answers quiet 0 0 0 0 0 0 0 0 0 0
answers pool 0 0 0 0 0 0 0 0 0 0
answers chunks 0 0 0 0 5 5 5 0 0 0
answers young 0 0 0 0 5 5 5 0 0 0
answers blind 0 0 0 0 5 5 5 0 0 0
ask 4 --fail-on 0 arenas.log
ask 0 --fail-on 0 --min-rate 10M arenas.log
# Without any of them each is 0.
for log in leaky arenas chunks; do
	ask 0 $log.log
done

# No source of it grows for long, but the process does: by as much as is sure.
for to in 125 165 205; do
	ask 3 --fail-on 6M --to $to tiers.log
	ask 3 --fail-on-all 6M --to $to tiers.log
	ask 0 --fail-on-all 7M --to $to tiers.log
	says 'not judged: live grows by 6\.8[67] MiB an hour, and no source surely does'
	ask 0 --fail-on 7M --to $to tiers.log
	# Of single stacks, and of some sources, nothing else is asked.
	ask 0 --fail-on 6M --by stack --to $to tiers.log
	ask 0 --fail-on 6M --match serve --to $to tiers.log
done
# What was asked for of sources alone says nothing of memory outside, unless that is asked for, too.
ask 0 --fail-on 6M --match parse arenas.log
ask 4 --fail-on 6M --fail-on-outside 6M --match parse arenas.log
ask 0 --baseline quiet.log arenas.log
ask 4 --baseline quiet.log --fail-on-outside 6M arenas.log

# Of several the lowest counts; what cannot be read counts last.
ask 3 --fail-on 6M --fail-on-unjudged quiet.log chunks.log arenas.log leaky.log
ask 4 --fail-on 6M --fail-on-unjudged quiet.log chunks.log arenas.log
ask 5 --fail-on 6M --fail-on-unjudged quiet.log chunks.log
ask 0 --fail-on 6M --fail-on-unjudged quiet.log pool.log
ask 4 --fail-on 6M missing.log arenas.log
ask 5 --fail-on-unjudged missing.log chunks.log
ask 1 --fail-on 6M --fail-on-unjudged missing.log quiet.log
ask 2 --fail-on-outside fast arenas.log
# Where it fails for that, nothing is let pass.
ask 0 --fail-on 0 young.log
says '; --fail-on lets that pass'
ask 5 --fail-on 0 --fail-on-unjudged young.log
says_not 'lets that pass'
ask 0 --fail-on-outside 6M young.log
says_not 'lets that pass'

# Real servers under load: one grew outside of malloc, while its sources were still too young; one leaks by
# malloc, in Lua; then twins.
if command -v zstd >/dev/null; then
	ask 4 --fail-on 1M "$PMEM_ROOT/tests/corpus/logs/js_client.leak/"*.zst
	ask 3 --fail-on 1M "$PMEM_ROOT/tests/corpus/logs/haproxy.leak/"*.zst
	for log in haproxy redis c_sessions py_visit java_keep; do
		ask 0 --fail-on 1M --fail-on-outside 0 "$PMEM_ROOT/tests/corpus/logs/$log.twin/"*.zst
	done
	# An interpreter's process is called what its script is.
	ask 0 --exe service.py "$PMEM_ROOT"/tests/corpus/logs/py_slow.*/*.zst
	says '^1 of 2 processes leaks'
else
	echo "figure: without real servers' logs, which need zstd"
fi

# --exe takes the command as it is shown, and a part of it with stars.
{
	head -n 1 leaky.log
	echo '# command /usr/bin/leaky --job [7] a\x20b'
	sed 1d leaky.log
} >job.log
ask 0 --by process job.log quiet.log
shown=$(sed -n 's/^ *leaks .* 11  //p' out)
[ "$shown" = '/usr/bin/leaky --job [7] a b' ] || wrong "shown as $shown"
for name in "$shown" '*--job*' leaky /usr/bin/leaky; do
	ask 3 --fail-on 0 --exe "$name" job.log quiet.log
	says '^leaky .*\(process 11[^)]*\) leaks '
done
ask 1 --exe '--job' job.log quiet.log
