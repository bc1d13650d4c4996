#!/bin/sh
# What `pmem completion fish` prints completes subcommands, options and their words, and names of
# logs, as a real fish asks for them.

set -u
command -v fish >/dev/null || {
	echo "skipped: needs fish"
	exit 77
}
HOME=$PWD/home
export HOME
unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
mkdir "$HOME"
"$PMEM_BUILD/pmem" completion fish >script || exit 1
mkdir 'a b' logs && : >'a b/pmem.1.log' && : >'pmem.22.log' && : >pmem.22.log.1 && : >other.txt
bad=0

# check WANTED LINE: what the line's end becomes, sorted, on a line.
check() {
	got=$(fish --private -c 'source ./script; complete -C $argv[1]' "$2" 2>&1 | cut -f 1 | LC_ALL=C sort |
		tr '\n' ' ')
	[ "$got" = "$1 " ] || {
		echo "$2: '$got', not '$1 '"
		bad=1
	}
}
check completion 'pmem comp'
check '--help --version -V -h' 'pmem -'
check run 'pmem help ru'
check 'bash fish zsh' 'pmem completion '
check --report 'pmem run --re'
check --value 'pmem export pmem.22.log --v'
check 'pprof' 'pmem export --to p'
check '--to=pprof' 'pmem export --to=p'
check first 'pmem export --at f'
check first 'pmem report -a f'
check 'a b/ home/ logs/ pmem.22.log pmem.22.log.1' 'pmem export '
check 'a b/pmem.1.log' 'pmem export "a b/p'
check 'pmem.22.log pmem.22.log.1' 'pmem diff --from 3 pmem.2'
check other.txt 'pmem export --output o'
check 'a b/ home/ logs/' 'pmem report --sysroot '
# Behind a command is that command's.
fish --private -c 'source ./script; complete -C "pmem run bas"' | grep -q '^bash' || {
	echo "commands are not found"
	bad=1
}
words=$(fish --private -c 'source ./script; complete -C "pmem run true --rep"' 2>&1)
[ -z "$words" ] || {
	echo "behind a command: $words"
	bad=1
}
# With what it is.
fish --private -c 'source ./script; complete -C "pmem report --inv"' >words 2>&1
printf -- '--inverted\tthe tree from the allocating function outwards\n' | cmp - words || bad=1
exit $bad
