#!/bin/sh
# What `pmem completion bash` prints completes subcommands, options and their words, and names
# of logs, as bash splits a line: at `=`, too.

set -u
command -v bash >/dev/null || {
	echo "skipped: needs bash"
	exit 77
}
"$PMEM_BUILD/pmem" completion bash >script || exit 1
mkdir 'a b' && : >'a b/pmem.1.log' && : >'pmem.22.log' && : >pmem.22.log.1 && : >'pmem.*.log'
: >other.txt
cat >ask <<'END_ASK'
# ask WORD...: what the last word becomes, sorted, on a line.
set -u
source ./script
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
compopt() { return 0; } # only inside of a real completion
_pmem
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END_ASK
bad=0

# check WANTED WORD...
check() {
	wanted=$1
	shift
	got=$(bash ./ask "$@" 2>&1)
	[ "$got" = "$wanted" ] || {
		echo "$*: '$got', not '$wanted'"
		bad=1
	}
}
check 'completion ' pmem comp
check '--help --version ' pmem --
check 'run ' pmem help ru
check 'bash fish zsh ' pmem completion ''
check 'zsh ' pmem completion z
check '--report ' pmem run --re
check 'a b/pmem.1.log ' pmem export 'a b/'
check 'a b pmem.*.log pmem.22.log pmem.22.log.1 ' pmem export ''
check 'pmem.22.log pmem.22.log.1 ' pmem export -o x pmem.2
check '--value ' pmem export pmem.22.log --v
check 'pprof ' pmem export --to p
check 'pprof ' pmem export --to = p
check 'collapsed csv gprof2dot log mwrap ndjson pprof speedscope ' pmem export --to =
check 'first ' pmem export --at f
check ' ' pmem export --output pmem.
# Behind a command is that command's: names of files, which bash finds itself.
check ' ' pmem run --report ls --re
bash ./ask pmem run -- bas | grep -q 'bash ' || {
	echo "commands are not found"
	bad=1
}

# In a shell it is in effect, and does not complain.
words=$(bash -c 'eval "$("$0/pmem" completion bash)"; complete -p pmem' "$PMEM_BUILD" 2>&1)
[ "$words" = 'complete -o default -F _pmem pmem' ] || {
	echo "$words"
	bad=1
}
exit $bad
