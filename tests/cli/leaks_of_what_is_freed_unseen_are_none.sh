#!/bin/sh
# A source whose entries say `unseen` may have had blocks freed past the library. What it grows by is no
# leak, nor is live's growth by it, and `pmem leaks` tells how much that is. Without the word it is a leak,
# and another source that leaks beside it is one all the same.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# grown NAME [FIRST] [MORE]: 120 minutes, in each of which 200 blocks of 100 bytes are kept.
grown() {
	turns "$1" 120 "+ copy_name/curl 200 100\n+ work 10000 100\n- work 10000 100\n${3:-}snapshot 60000 churn" \
		"${2:-# as it is}" <<'END'
snapshot 60000 churn
END
}

grown plain
ask 3 -v --raw --fail-on 0 plain.log
says '^1 source leaks .*an hour'
says_not 'freed past|unseen'

grown unseen 'unseen copy_name/curl'
ask 0 -v --raw --fail-on 0 --fail-on-all 0 unseen.log
says '^live grew from .* to 2\.29 MiB$'
says ': not judged: 1 source, \+2\.27 MiB, whose blocks may be freed past the library$'
says '^other sources.*not judged: freed unseen: 1 \(--all\)$|^sources not judged: freed unseen: 1 \(--all\)$'
says_not 'source.* leaks? [0-9]|live grows|PMEM_SHOW'
ask 0 --raw --all unseen.log
says '^ *freed unseen .*curl'
ask 0 --raw --by process unseen.log plain.log
says '^ *not judged: freed unseen .*server$'

# It is told late: of the whole run that holds.
turns late 100 '+ copy_name/curl 200 100\n+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn' <<'END'
unseen copy_name/curl
+ copy_name/curl 200 100
snapshot 60000 churn
END
ask 0 -v --raw --fail-on 0 late.log
says 'not judged: 1 source, \+1\.9[0-9] MiB, '

# A leak beside it: a thousandth of all that grows, but no small one of what can be judged.
grown both 'unseen copy_name/curl' '+ keep/handle 1 100\n'
ask 3 -v --raw --fail-on 0 both.log
says '^1 source leaks 5\.8[0-9] KiB an hour'
says 'not judged: 1 source, \+2\.27 MiB, '
says '^ *leaks .* keep '
says_not 'leaks .*curl'

# What does not grow is judged, as it has what the log says, or less.
turns flat 120 '+ copy_name/curl 200 100\n- copy_name/curl 200 100\n+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn' \
	'unseen copy_name/curl\n+ copy_name/curl 100 1000' <<'END'
snapshot 60000 churn
END
ask 0 -v --raw --fail-on 0 flat.log
says ': no leak: live stays at '
says_not 'judged'

# Small blocks of such sources need not be in memory: the others are judged.
turns large 60 '+ keep/handle 20 300\n+ copy_name/curl 4000 300\n+ work 10000 100\n- work 10000 100\nsnapshot 60000 churn' \
	'unseen copy_name/curl\nlose unseen_frees 3' <<'END'
snapshot 60000 churn
END
sed -i 's/ rss=[0-9]*/ rss=4194304/' large.log
ask 3 -v --raw --fail-on 0 large.log
says '^1 source leaks '
says_not 'not judged: [0-9.]+ [KM]iB of live'

# Other answers go on as they are.
"$pmem" report --raw unseen.log >out 2>err || wrong report
says '^2\.2[0-9] MiB .*copy_name'
"$pmem" export --to ndjson unseen.log >out 2>err || wrong ndjson
says '"unseen":true,"id".*copy_name'
! grep -v copy_name out | grep -q unseen || wrong "ndjson of another source"
"$pmem" html -o page.html unseen.log
grep -q 'not judged: 1 source, +2.27 MiB, whose blocks may be freed past the library' page.html || wrong "not in the page"
