#!/bin/sh
# long
# A log of 100 MB goes through in memory that does not grow with it, and adds up in each of its
# snapshots.
set -eu
. "$PMEM_ROOT/tests/lib/export.sh"
need python3 python3

# The last snapshot of the known log, again and again.
awk -v snapshots=48000 '
	/^\[/ { header = header snapshot; snapshot = "" }
	{ snapshot = snapshot $0 "\n" }
	END {
		printf "%s", header
		sub(/^[^\n]*\n/, "", snapshot)
		gsub(/reason=exit/, "reason=churn", snapshot)
		for (i = 2; i < snapshots; i++)
			printf "[%3d]=========================================================\n%s", i, snapshot
	}' "$log" >large.log
bytes=$(wc -c <large.log)
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=1"
python3 - "$pmem" "$bytes" <<'END'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "export", "--raw", "--to", "ndjson", "-o", "large.ndjson", "large.log"],
               check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = used.ru_utime + used.ru_stime
most = used.ru_maxrss * 1024
print("figure: %.0f MB a second of one processor, %.0f MB of memory" % (int(sys.argv[2]) / seconds / 1e6, most / 1e6))
assert most < int(sys.argv[2]), most
END
same 'snapshots, and those that do not add up' '48000 0' "$(awk '
	{ match($0, /"live":[0-9]+/); live = substr($0, RSTART + 7, RLENGTH - 7) }
	/"kind":"total"/ { snapshots++; bad += live != sum; sum = 0; next }
	{ sum += live }
	END { print snapshots + 0, bad + 0 }' large.ndjson)"
