#!/bin/sh
# Bash running a script: subshells, pipes, command substitution, background jobs and wait,
# traps, here-documents, exec. Each child that bash forks has its own log, whose counts go
# on from its parent's.
# on each allocator

. "$PMEM_ROOT/tests/lib/real.sh"
needs bash bash

cat >work.sh <<'END'
declare -A words
kept=()
for ((i = 0; i < 1500; i++)); do
	kept+=("a string of some length, number $i")
	words[w$((i * 7919 % 503))]+="$i "
done
echo "${#kept[@]} ${#words[@]} ${words[w7]}"

twice() { local text=$1; echo "${text//a/aa}$text"; }
sum=0
for i in {1..20}; do
	text=$(twice "banana $i")
	((sum += ${#text}))
done
echo "$sum" >&2

for job in 1 2 3 4; do
	(
		lines=()
		for ((i = 0; i < 1000; i++)); do
			lines+=("job $job line $i ${kept[i]//string/thread}")
		done
		printf '%s\n' "${lines[@]}" | sort -r | head -n 200 | tail -n 1 >"job.$job"
		exit $job
	) &
	jobs[job]=$!
done
for job in 1 2 3 4; do
	wait "${jobs[job]}"
	echo "job $job: $? $(<job.$job)"
done

printf '%s\n' "${kept[@]}" | while read -r line; do
	[[ $line =~ ([0-9]*)9$ ]] && echo "${BASH_REMATCH[1]}"
done | { mapfile -t found; echo "${#found[@]} ${found[*]:10:5}"; }

diff <(printf '%s\n' "${!words[@]}" | sort) <(printf 'w%d\n' {0..502} | sort) && echo same
cat <<TEXT
here $(echo $((6 * 7))) $(( $(wc -l <job.1) + 1 ))
TEXT
trap 'echo trapped; trap - EXIT; exec sh -c "echo replaced; exit 3"' EXIT
nothing_of_this_name
exit 9
END
same 3 work bash ../work.sh
# The first process that bash ran in was replaced by sh: its log has both runs.
log=$(grep -l '^# pmem .* exe=[^ ]*/bash ' logged/pmem.*.log | xargs grep -L '^# forked from')
at_least "live at its peak" "$(peak "$log")" $((1500 * 30))
agree 4 "$log"
children=$(grep -l '^# forked from' logged/pmem.*.log | wc -l)
at_least "children with a log" "$children" 4
agree 20 logged/pmem.*.log

rm logged/pmem.*.log
same 127 missing bash -c 'a=({1..10000}); echo ${#a[@]}; nothing_of_this_name'
log=$(log_of bash)
agree 1 "$log"
