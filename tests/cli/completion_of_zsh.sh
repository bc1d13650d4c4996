#!/bin/sh
# What `pmem completion zsh` prints completes subcommands, options and their words, and names of
# logs, as a real zsh does in a terminal when Tab is pressed.

set -u
command -v zsh >/dev/null || {
	echo "skipped: needs zsh"
	exit 77
}
mkdir home 'a b' logs && : >'a b/pmem.1.log' && : >'pmem.22.log' && : >pmem.22.log.1 && : >other.txt
HOME=$PWD/home
ZDOTDIR=$HOME
export HOME ZDOTDIR
bad=0

# What a shell in the terminal does first. All that is offered goes into the file `offered`; when
# everything has been, into `done`.
cat >"$HOME/.zshrc" <<'END_RC'
PROMPT=
autoload -Uz compinit
compinit -u -d "$HOME/dump"
eval "$("$PMEM_BUILD/pmem" completion zsh)"
bindkey '^I' complete-word
zstyle ':completion:*' insert-tab no
compadd() {
	local -a hits
	if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
		builtin compadd "$@"
		return
	fi
	builtin compadd -A hits "$@"
	(( $#hits )) && print -rl -- $hits >>offered
	builtin compadd "$@"
}
finish() { print >>done }
comppostfuncs=(finish)
print >ready
END_RC
cat >ask <<'END_ASK'
# ask LINE: in a terminal of its own, with Tab behind it.
zmodload zsh/zpty
await() {
	local i
	for ((i = 0; i < 600; i++)); do
		[[ -e $1 ]] && return 0
		zpty -rt shell text
		sleep 0.05
	done
	print "no $1: $text"
	return 1
}
zpty shell zsh -i
await ready || exit 1
zpty -w -n shell "$1"$'\t'
await done
zpty -d shell
END_ASK

# check WANTED LINE: what the line's end becomes, sorted, on a line.
check() {
	rm -f offered ready 'done'
	: >offered
	zsh -f ./ask "$2" || bad=1
	got=$(LC_ALL=C sort -u offered | tr '\n' ' ')
	[ "$got" = "$1 " ] || {
		echo "$2: '$got', not '$1 '"
		bad=1
	}
}
check completion 'pmem comp'
check run 'pmem help ru'
check 'bash fish zsh' 'pmem completion '
check --report 'pmem run --re'
check --value 'pmem export pmem.22.log --v'
check pprof 'pmem export --to p'
check pprof 'pmem export --to=p'
check first 'pmem export --at f'
check first 'pmem report -af'
check 'pmem.22.log pmem.22.log.1' 'pmem diff --from 3 pmem.2'
check 'pmem.1.log' 'pmem export a\ b/p'
check 'a\ b home logs' 'pmem report --sysroot '
check printenv 'pmem run printen'
# Behind a command is that command's.
check other.txt 'pmem run ls oth'
exit $bad
