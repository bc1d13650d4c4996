#!/bin/sh
# What has come at last and was never there before is told, with its source, though nobody can say
# yet whether it leaks; --fail-on lets it pass. A tooth as high as those before is none, nor what
# has been there for longer, nor a fraction of all that is live.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

# live FILE PROGRAM: 200 seconds of a process that holds 10 MB in main, with what the awk program
# prints in each of them.
live() {
	awk "BEGIN {
		for (i = 0; i < 200; i++) {
			if (i == 0)
				print \"+ base/main 10 1000000\"
			print \"+ work/handle 50 1000\"
			print \"- work/handle 50 1000\"
			$2
			print \"snapshot 1000 churn\"
		}
	}" | ./scriptlog "$1" >/dev/null
}

live burst.log 'if (i == 196) print "+ load/upload 29 1000000"; if (i == 197) print "+ note/upload 1 5000"'
ask 0 -v --fail-on 0 --bytes burst.log
says ': too early: 2900[0-9]{4} of the 3900[0-9]{4} live came in the last [4-6]\.0s, 29000000 of it in \{[0-9a-f]{16}\} load < upload < main$'
says_not 'sources? leaks? '

# In the log's last snapshot.
live last.log 'if (i == 199) print "+ load/upload 29 1000000"'
ask 0 -v --bytes last.log
says ': too early: 29000000 of the 39000000 live '

# Freed again, but for a part.
live part.log 'if (i == 190) print "+ load/upload 29 1000000"; if (i == 195) print "- load/upload 20 1000000"'
ask 0 -v --bytes part.log
says ': too early: 9000000 of the 19000000 live .*, 9000000 of it in '

# While others shrink: a part is no more than the whole.
live shrinks.log 'if (i == 196) print "+ load/upload 29 1000000\n- base/main 4 1000000"'
ask 0 -v --bytes shrinks.log
says ': too early: 2500[0-9]{4} of the 3500[0-9]{4} live .*, 2500[0-9]{4} of it in '

live freed.log 'if (i == 190) print "+ load/upload 29 1000000"; if (i == 195) print "- load/upload 29 1000000"'
live teeth.log 'if (i % 40 == 37) print "+ load/upload 29 1000000"; if (i % 40 == 39 && i < 199) print "- load/upload 29 1000000"'
live earlier.log 'if (i == 150) print "+ load/upload 29 1000000"'
live small.log 'if (i == 196) print "+ load/upload 2 1000000"'
for log in freed teeth earlier small; do
	ask 0 -v $log.log
	says_not 'came in the last'
done

# Nor at the start of a process of a few seconds: all is new then.
awk '/^snapshot/ { $2 = 10 } { print }' <<END >short
$(awk 'BEGIN { for (i = 0; i < 100; i++) print "+ a/b 1 10\nsnapshot 0 churn"; print "+ load/b 1 100000\nsnapshot 0 churn" }')
END
./scriptlog short.log <short >/dev/null
ask 0 -v short.log
says_not 'came in the last'

# Where its source is told of as a leak, though a brief one, once is enough.
live brief.log 'if (i >= 185) print "+ load/upload 3 1000000"'
ask 0 -v brief.log
says ': too early: 1 source, \+.* in '
says_not 'came in the last'
