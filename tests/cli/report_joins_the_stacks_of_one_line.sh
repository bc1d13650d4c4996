#!/bin/sh
# Rows of report and diff are lines, as those of leaks are: all stacks that allocate at one line are one row,
# with the sums, and with the callers that all have. With --stacks each stack has a row. What --match leaves
# out is in no row.

. "$PMEM_ROOT/tests/cli/leaks/asking.sh"

says_row() {
	says "^ *$1\$"
}

# of LOG PID STACK COUNT...: a process with so many blocks of 1,000 bytes of each stack, and with twice as many
# in the second snapshot.
of() {
	log=$1
	{
		echo "pid $2"
		shift 2
		for i in 1 2; do
			printf '+ %s %s 1000\n' "$@"
			echo "snapshot 60000 churn"
		done
	} | ./scriptlog "$log" >/dev/null
}
of 11.log 11 get/put/handle 1 get/put/answer 2 get/take/answer 4 other/answer 8
of 12.log 12 get/take/answer 16 other/answer 32

leaks=report
ask 0 --bytes 11.log
says_row '16000 +53\.3% +16 +\+8000 +16 +8000 +other < answer < main'
says_row '14000 +46\.7% +14 +\+7000 +14 +7000 +get'
says_row '30000 +100\.0% +30 +\+15000 +30 +15000 +total'
ask 0 --bytes --by growth -n 1 11.log
says_row '\+7000 +14000 .* and 1 more source'
# One that calls put() alone has put() in all its stacks.
ask 0 --bytes --match put 11.log
says_row '6000 +20\.0% +6 +\+3000 +6 +3000 +get < put'
says_row '24000 +80\.0% +24 .* 2 sources not asked for'
# What is searched for may be in a caller that not all have.
ask 0 --bytes --match answer 11.log
says_row '16000 +53\.3% .* other < answer < main'
says_row '12000 +40\.0% +12 .* get'
says_row '2000 +6\.7% +2 .* 1 source not asked for'
ask 0 --bytes --match main 11.log
says_row '14000 .* get'
says_not 'not asked for'
ask 0 --bytes --not 'put|take' 11.log
says_row '16000 .* other < answer < main'
says_row '14000 .* 3 sources not asked for'
says_not ' get$'
ask 0 --bytes --stacks 11.log
for stack in 'other < answer' 'get < take < answer' 'get < put < answer' 'get < put < handle'; do
	says " $stack < main\$"
done
# Of several processes, one that has two of the stacks is one.
ask 0 --bytes 11.log 12.log
says_row '80000 +63\.5% +80 +\+40000 +80 +40000 +2 +other < answer < main'
says_row '46000 +36\.5% +46 +\+23000 +46 +23000 +2 +get'

leaks=diff
ask 0 --bytes 11.log
says_row 'grew +7000 +14000 +\+7000 +\+7 +\+7 +get'
ask 0 --bytes 11.log 12.log
says_row 'grew +14000 +32000 +\+18000 +\+18 +\+18 +get'

# A line came, or went, with all its stacks.
{
	printf '+ get/put/handle 2 1000\n+ drop/put 1 1000\n+ drop/take 1 1000\n+ lose/put 1 1000\n+ lose/take 1 1000\n'
	echo 'snapshot 60000 churn'
	printf '+ get/take/answer 3 1000\n+ fresh/put 4 1000\n+ fresh/take 5 1000\n'
	printf -- '- drop/put 1 1000\n- drop/take 1 1000\n- lose/put 1 1000\n'
	echo 'snapshot 60000 churn'
} | ./scriptlog 13.log >/dev/null
ask 0 --bytes --from 0 13.log
says_row 'grew +2000 +5000 +\+3000 +\+3 +\+3 +get'
says_row 'came +0 +9000 +\+9000 +\+9 +\+9 +fresh'
says_row 'shrank +2000 +1000 +-1000 +-1 +0 +lose'
says_row 'went +2000 +0 +-2000 +-2 +0 +drop'
