# work_redis [planted]: redis under the library, and clients that are not: a thousand keys that
# are overwritten with values of one size, a queue that fills and empties, and, planted, a list
# that nobody reads.
library=$LD_PRELOAD
unset LD_PRELOAD
rm -f sock
LD_PRELOAD=$library redis-server --port 0 --unixsocket "$PWD/sock" --save '' --appendonly no \
	--daemonize no >redis.out 2>&1 &
server=$!
tries=0
until redis-cli -s sock ping >/dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 200 ] || exit 1
	sleep 0.05
done
awk -v planted="${1:-}" 'BEGIN {
	value = sprintf("%300s", ""); gsub(/ /, "v", value)
	for (round = 0; round < 120; round++) {
		for (key = 0; key < 1000; key++)
			print "SET key:" key " " value
		for (job = 0; job < 50; job++)
			print "RPUSH queue job:" round "." job
		print "DEL queue"
		for (job = 0; job < 20 && planted; job++)
			print "SET lost:" round "." job " " value
	}
	print "SHUTDOWN NOSAVE"
}' | redis-cli -s sock >replies 2>&1
wait $server
