#!/bin/sh
# long
# What lies in a folder or beside a log, or is named in one, may be anybody's: it is opened when it
# is a file, and only then. No pipe makes the reader wait, no device acts, no link leads it away,
# and a file of any size is looked at as far as it is on the disk. What was named is read if it is
# a pipe, too.

set -u
pmem=$PMEM_BUILD/pmem
log=$PMEM_ROOT/tests/cli/logs/format1.log
bad=0
"$pmem" report --raw "$log" >expected 2>&1 || exit 1

# says STATUS WORDS ARGUMENT...: in time, and with these words on standard error.
says() {
	status=$1 words=$2
	shift 2
	timeout 60 "$pmem" "$@" >out 2>err </dev/null
	got=$?
	[ $got -eq "$status" ] && { [ -z "$words" ] || grep -q -e "$words" err; } && return
	echo "pmem $*: status $got:"
	cat err
	bad=1
}
# opened FIFO: whether somebody has opened it since `watch` was called.
watch() {
	rm -f opened
	(: >"$1" && : >opened) 2>/dev/null &
	watched=$!
}
is_quiet() {
	sleep 0.1
	if [ -e opened ]; then
		echo "$1: was opened"
		bad=1
	fi
	kill $watched 2>/dev/null
	wait $watched 2>/dev/null
}

# Beside a log.
mkdir beside
cp "$log" beside/pmem.77.log
mkfifo beside/pmem.77.log.1
watch beside/pmem.77.log.1
says 0 'pmem.77.log.1: not opened: it is a device, a pipe' report --raw beside/pmem.77.log
grep -q "$(sed -n '$p' expected)" out || { echo "the log beside a pipe is not shown"; bad=1; }
is_quiet "a pipe beside a log"
# A link to a pipe in a folder, a device, and a kernel's file.
mkdir folder
cp "$log" folder/pmem.77.log
mkfifo folder/pmem.78.log
ln -s pmem.78.log folder/pmem.79.log
ln -s /dev/zero folder/pmem.80.log
ln -s /proc/self/environ folder/pmem.81.log
watch folder/pmem.78.log
says 1 'pmem.78.log: not opened' leaks folder
for number in 79 80 81; do
	grep -q "pmem.$number.log: not opened" err || { echo "nothing is said of $number"; bad=1; }
done
says 1 'pmem.80.log: not opened' report folder
says 1 'pmem.81.log: not opened' html --raw -o page.html folder
is_quiet "a pipe in a folder"
# A log that says it goes on from one.
mkfifo place.log
sed "/^# pmem/a # note $PWD/place.log: refused" "$log" >moved.log
watch place.log
says 0 '' report --raw moved.log
is_quiet "a pipe that a log names"

# Modules: whatever they are called.
mkfifo module
ln -s module link
for path in "$PWD/module" "/$PWD/link" "$PWD/./module" //dev/full /./proc/self/mem \
	/tmp/../proc/self/environ; do
	sed "s|/srv/app/server|$path|g" "$PMEM_ROOT/tests/cli/export/server.log" >module.log
	grep -qF "$path" module.log || { echo "$path is not in the log"; bad=1; }
	watch module
	says 0 'not opened' report module.log
	is_quiet "$path"
done

# Files of any size: a log, its piece, one that a log names, a module.
mkdir large
{
	cat "$log"
	printf '# note before'
} >large/pmem.77.log
truncate -s 7T large/pmem.77.log
printf '\n' >>large/pmem.77.log
says 1 'expected' report --raw large/pmem.77.log
cp "$log" large/pmem.78.log
truncate -s 7T large/pmem.78.log.1
says 1 'expected' report --raw large/pmem.78.log
sed "/^# pmem/a # note $PWD/large/pmem.77.log: refused" "$log" >moved.log
says 1 'pmem.77.log:77: a line: expected' report --raw moved.log

# Named: a pipe of one's own is read, by its name and by its number.
mkfifo named
cat "$log" >named &
"$pmem" report --raw named >out 2>err || bad=1
wait
cat "$log" | "$pmem" report --raw /dev/stdin >>out 2>>err || bad=1
"$pmem" report --raw /dev/fd/3 3<"$log" >>out 2>>err || bad=1
"$pmem" report --raw - <"$log" >>out 2>>err || bad=1
if [ "$(grep -c "$(sed -n '$p' expected)" out)" -ne 4 ] || [ -s err ]; then
	echo "what was named is not read:"
	cat err
	bad=1
fi
exit $bad
