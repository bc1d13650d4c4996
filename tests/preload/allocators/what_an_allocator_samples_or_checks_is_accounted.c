// long
// of glibc
// Allocators that sample some blocks, which are larger then, or check all, which are smaller, or
// lay them out otherwise, by settings of their own: contents stay, and each block is counted and
// found again.
// needs: libjemalloc2 libgoogle-perftools4 libmimalloc2.0

#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

enum { BLOCKS = 512, STEPS = 50000 };

struct setting {
	const char *library, *mark, *name, *value;
};

static const struct setting settings[] = {
	{"libjemalloc.so.2", "mallctl", "MALLOC_CONF", "prof:true,lg_prof_sample:0"},
	{"libjemalloc.so.2", "mallctl", "MALLOC_CONF", "prof:true,lg_prof_sample:9"},
	{"libjemalloc.so.2", "mallctl", "MALLOC_CONF", "junk:true,tcache:false,narenas:1"},
	{"libjemalloc.so.2", "mallctl", "MALLOC_CONF", "retain:false,dirty_decay_ms:0"},
	{"libtcmalloc.so.4", "tc_version", "TCMALLOC_SAMPLE_PARAMETER", "1"},
	{"libtcmalloc.so.4", "tc_version", "TCMALLOC_SAMPLE_PARAMETER", "512"},
	{"libtcmalloc.so.4", "tc_version", "HEAPPROFILE", "heap"},
	{"libtcmalloc.so.4", "tc_version", "TCMALLOC_AGGRESSIVE_DECOMMIT", "1"},
	{"libmimalloc.so.2", "mi_version", "MIMALLOC_PAGE_RESET", "1"},
	{"libmimalloc.so.2", "mi_version", "MIMALLOC_EAGER_COMMIT", "0"},
};

// Sizes go through all small ones in turn, and blocks are resized and freed out of order.
static void
allocate(void)
{
	static struct { unsigned char *at, byte; size_t bytes; } blocks[BLOCKS];
	uint64_t random = 88172645463325252;

	for (unsigned step = 0; step < STEPS + BLOCKS; step++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		unsigned i = step < STEPS ? random % BLOCKS : step - STEPS;
		size_t bytes = random >> 20 & 63 ? step % 1100 : random >> 40 & 0x3ffff;
		for (size_t at = 0; at < blocks[i].bytes; at++)
			expect(blocks[i].at[at] == blocks[i].byte);
		if (step >= STEPS || random >> 30 & 3) {
			free(blocks[i].at);
			blocks[i].at = step < STEPS ? malloc(bytes) : NULL;
		} else {
			blocks[i].at = realloc(blocks[i].at, bytes += bytes == 0);
		}
		blocks[i].byte = (unsigned char)step;
		blocks[i].bytes = step >= STEPS ? 0 : malloc_usable_size(blocks[i].at);
		expect(step >= STEPS || blocks[i].bytes >= bytes);
		if (blocks[i].bytes > 0)
			memset(blocks[i].at, blocks[i].byte, blocks[i].bytes);
	}
}

void
host(void)
{
	if (host_role()[0] && !dlsym(RTLD_DEFAULT, host_role()))
		exit(77);
	if (host_role()[0])
		allocate();
}

void
check(const struct logfile *log)
{
	(void)log;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		const struct setting *setting = &settings[i];
		struct logfile other;
		char preload[1000];

		snprintf(preload, sizeof(preload), "%s:%s", host_library(), setting->library);
		setenv(setting->name, setting->value, 1);
		int status = run_preloaded(setting->mark, preload, "output");
		unsetenv(setting->name);
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
			skip(setting->library);
		fprintf(stderr, "%s %s=%s\n%s", setting->library, setting->name, setting->value, read_file("output"));
		expect_equal(status, 0);
		read_log_of(&other, again_pid);
		const struct log_snapshot *last = log_last(&other);
		expect(last->total.allocs >= STEPS);
		expect(last->total.live < 100000);
		expect_equal(log_loss(last, "untracked_frees") + log_loss(last, "damaged"), 0);
	}
	printf("figure: %zu settings, %d steps each\n", sizeof(settings) / sizeof(*settings), STEPS);
}
