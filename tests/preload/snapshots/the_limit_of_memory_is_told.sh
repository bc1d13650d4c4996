#!/bin/sh
# The log tells how much memory the process's control group has in use, and may have: of the group or of
# the one around it that has less left. Where no group has a limit it is the machine's memory, and
# its swap. What is no file of the kernel's is not believed.

set -eu
cat >program.c <<'END'
#include <stdlib.h>

int
main(void)
{
	for (int i = 0; i < 100; i++)
		*(volatile char *)malloc(100000) = 1;
}
END
"${CC:-gcc}" -O1 -o program program.c
unshare -m true 2>/dev/null || { echo "skipped: needs rights to mount, and a mount point at /"; exit 77; }
total=$(($(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))

# told SCRIPT: the limit in the first snapshot, where the script made the groups. $second and $first are the
# folders of ours, in cgroups' second and first version.
told() {
	rm -f pmem.*.log
	second=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)
	first=/sys/fs/cgroup/memory$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
	export second first
	unshare -m sh -eu -c "mount -t tmpfs none /sys/fs/cgroup
		mkdir -p \$second \$first
		$1
		LD_PRELOAD=\$PMEM_LIBRARY exec ./program"
	grep '^memory ' pmem.*.log | head -n 1 | grep -Eo ' (cgroup|machine)=.*' || true
}

# same WHAT TOLD EXPECTED
same() {
	[ "$2" = "$3" ] || { echo "$1: '$2', not '$3'"; exit 1; }
}

# The kernel's own files of one number each stand in for groups'.
kernel='is() { : >$1; mount --bind /proc/sys/kernel/$2 $1; }'
high=$(cat /proc/sys/kernel/ngroups_max)
low=$(cat /proc/sys/kernel/printk_ratelimit)
same "second version" "$(told "$kernel; is \$second/memory.max ngroups_max; is \$second/memory.current printk_ratelimit")" \
	" cgroup=$low/$high"
swap=$(($(sed -n 's/^SwapTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo) * 1024))
swap=$([ "$swap" -eq 0 ] || echo " swap=N/$swap")
same "no file of the kernel's" "$(told 'echo 1000 >$second/memory.max; echo 10 >$second/memory.current' \
	| sed 's/=[0-9]*/=N/g')" " machine=N/$total$swap"
same "no limit" "$(told "$kernel; is \$second/memory.max ostype; is \$second/memory.current ngroups_max" \
	| sed 's/=[0-9]*/=N/g')" " machine=N/$total$swap"
grep -q '^[0-9]*:memory:/.' /proc/self/cgroup || exit 0
same "first version" "$(told "$kernel; is \$first/memory.limit_in_bytes ngroups_max
	is \$first/memory.usage_in_bytes printk_ratelimit")" " cgroup=$low/$high"
same "the group around it" "$(told "$kernel; root=/sys/fs/cgroup/memory
	is \$first/memory.limit_in_bytes ngroups_max; is \$first/memory.usage_in_bytes printk_ratelimit
	is \$root/memory.limit_in_bytes printk_ratelimit; is \$root/memory.usage_in_bytes printk_ratelimit")" " cgroup=$low/$low"
