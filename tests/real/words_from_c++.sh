#!/bin/sh
# src/pmem.h in C++: a server that names its moments and tenants, pauses while it loads, counts anew and
# lists its sources, as an example. pmem compares two of the moments by their names, and says the same.

# shellcheck source=tests/lib/real.sh
. "$PMEM_ROOT/tests/lib/real.sh"
needs g++ g++

cat >server.cc <<'END'
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <vector>
#include "pmem.h"

static std::vector<std::string *> sessions;

extern "C" __attribute__((noinline)) void open_session()
{
	sessions.push_back(new std::string(1000, 'x'));
}

static long long live_of_sessions()
{
	long long live = 0;
	for (long number = 0; number < pmem_sources(); number++) {
		pmem_source source;
		void *frames[4];
		if (pmem_source_at(number, &source, frames, 4) <= 0)
			continue;
		for (int i = 1; i < 4 && i < source.depth; i++) {
			Dl_info info;
			if (dladdr(frames[i], &info) && info.dli_sname
					&& std::string("open_session") == info.dli_sname)
				live += source.live;
		}
	}
	return live;
}

int main()
{
	if (pmem_snapshot("before the deploy") == PMEM_ABSENT)
		std::puts("nobody listens");
	sessions.reserve(2000);
	for (int i = 0; i < 1000; i++)
		open_session();
	pmem_snapshot("after the deploy");
	std::fprintf(stderr, "%lld\n", live_of_sessions());
	if (pmem_live() == PMEM_ABSENT)
		return 0;

	if (pmem_reset() < 0 || pmem_pause() != 1)
		return 1;
	sessions.push_back(new std::string(1000000, 'y'));
	if (pmem_resume() != 0 || pmem_resume() != PMEM_NOT_PAUSED)
		return 2;
	int tenant = pmem_label("tenant a");
	if (tenant < 1 || pmem_label("") != PMEM_INVALID)
		return 3;
	for (int i = 0; i < 10; i++)
		open_session();
	if (pmem_label(nullptr) != 0)
		return 4;
	char name[PMEM_LABEL_BYTES + 1];
	if (pmem_label_name(tenant, name, sizeof(name)) != 8 || std::string("tenant a") != name)
		return 5;
	unsigned long long since = 0;
	unsigned long long of_tenant = 0;
	for (long number = 0; number < pmem_sources(); number++) {
		pmem_source source;
		void *frame;
		if (pmem_source_at(number, &source, &frame, 1) <= 0)
			continue;
		if (pmem_frame_line(frame, name, sizeof(name)) != PMEM_INVALID)
			return 6;
		since += source.alloc_since;
		of_tenant += source.label == tenant ? source.allocs_since : 0;
	}
	// A string and its text each.
	return since >= 1010000 && since < 1020000 && of_tenant == 20 ? 0 : 7;
}
END
g++ -O1 -rdynamic -I"$PMEM_ROOT/src" -o server server.cc -ldl
./server >plain/out 2>/dev/null
grep -qx 'nobody listens' plain/out || fail "it does not run alone" plain/out
(cd logged && LD_PRELOAD=$PMEM_LIBRARY ../server >out 2>said) || fail "an answer"
[ ! -s logged/out ] || fail "somebody listens" logged/out
"$PMEM_BUILD/pmem" diff --raw --bytes --from 'before the deploy' --to 'after the deploy' -n 0 \
	logged/pmem.*.log >diff
live=$(awk '/ open_session/ && $1 == "came" { sum += $3 } END { print sum }' diff)
[ "$live" -ge 1033000 ] && [ "$live" = "$(cat logged/said)" ] ||
	fail "open_session has $live" diff logged/said
