#!/bin/sh
# src/pmem.h's functions in Python, by ctypes and without anything to install, as an example: a
# service that names its moments and its tenants, pauses while it loads, and asks what is live, by line.
# of whole stacks

# shellcheck source=tests/lib/real.sh
. "$PMEM_ROOT/tests/lib/real.sh"
python=/usr/bin/python3
needs $python python3

cat >service.py <<'END'
import ctypes, sys

class Source(ctypes.Structure):
    _fields_ = [("id", ctypes.c_ulonglong)] + [
        (name, ctypes.c_longlong) for name in (
            "live", "blocks", "alloc", "allocs", "free", "frees",
            "alloc_since", "allocs_since", "free_since", "frees_since")
    ] + [("depth", ctypes.c_int), ("label", ctypes.c_int)]

try:
    pmem = ctypes.CDLL(None)
    pmem.pmem_live.restype = ctypes.c_longlong
except AttributeError:
    sys.exit("pmem is not there")

assert pmem.pmem_snapshot("before the deploy ✓".encode()) >= 0
assert pmem.pmem_snapshot(None) == -6 and pmem.pmem_snapshot(b"a\nb") == -6
live = pmem.pmem_live()
kept = [bytearray(100000) for i in range(50)]
assert 5000000 <= pmem.pmem_live() - live < 5100000
assert pmem.pmem_snapshot(b"after the deploy") >= 1

pmem.pmem_reset()
assert pmem.pmem_pause() == 1
loaded = [bytearray(200000) for i in range(10)]
assert pmem.pmem_resume() == 0
source = Source()
frames = (ctypes.c_void_p * 64)()
since = []
for number in range(pmem.pmem_sources()):
    if pmem.pmem_source_at(number, ctypes.byref(source), frames, 64) > 0:
        since.append((source.alloc_since, source.allocs_since))
alloc, allocs = max(since)
assert 2000000 <= alloc < 2100000 and allocs >= 10, (alloc, allocs)

assert pmem.pmem_label("tenant ä".encode()) > 0
held = [bytearray(300000) for i in range(10)]
def sell(): held.append(bytearray(5000))
for i in range(40): sell()
assert pmem.pmem_label(None) == 0
pmem.pmem_snapshot(b"loaded")

# The counters of each line, by label. A bytearray of n bytes takes n + 1.
text = ctypes.create_string_buffer(1024)
held_by = {}
for number in range(pmem.pmem_sources()):
    if pmem.pmem_source_at(number, ctypes.byref(source), frames, 64) > 0:
        lines = [text.value.decode() for frame in frames[:source.depth]
            if frame and pmem.pmem_frame_line(ctypes.c_void_p(frame), text, len(text)) > 0]
        assert source.label == 0 or pmem.pmem_label_name(source.label, text, len(text)) > 0
        if lines and source.live == source.blocks * 5001:
            key = (lines[0], text.value.decode() if source.label else None)
            held_by[key] = held_by.get(key, 0) + source.live
assert held_by["%s:%d in sell [python]" % (__file__, sell.__code__.co_firstlineno), "tenant ä"] == 40 * 5001
END
! $python service.py 2>plain/out
grep -qx 'pmem is not there' plain/out || fail "alone it is not told" plain/out
(cd logged && LD_PRELOAD=$PMEM_LIBRARY PYTHONMALLOC=malloc $python ../service.py) || fail "an answer"
set -- logged/pmem.*.log
"$PMEM_BUILD/pmem" diff --raw --bytes --from 'before the deploy ✓' --to 'after the deploy' "$1" >diff
awk '/^ *(came|grew) .*(PyByteArray_Resize|service.py:19 in <module>)/ && $4 + 0 >= 5000000 { found = 1 }
	END { exit !found }' diff || fail "the deploy" diff
"$PMEM_BUILD/pmem" report --raw --bytes --at loaded --stacks "$1" >report
grep -q 'since \[[0-9]*\]$' report || fail "not since the reset" report
grep -q '^ *pmem_pause ' report || fail "no pause" report
"$PMEM_BUILD/pmem" report --raw --bytes --by label --at loaded "$1" >labels
awk '/ tenant ä$/ && $1 >= 3200000 && $1 < 3300000 { found = 1 } END { exit !found }' labels ||
	fail "no tenant" labels
