// of glibc
// A library in a namespace of its own (dlmopen) has a libc of its own, whose heap is not
// ours: it allocates and frees unseen, and our numbers are what they would be without it.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

FRAME void *kept(size_t bytes) { void *p = malloc(bytes); use(p); return p; }

void
host(void)
{
	for (int i = 0; i < 5; i++) {
		void *other = dlmopen(LM_ID_NEWLM, "libc.so.6", RTLD_NOW);
		expect(other != NULL);
		void *(*their_malloc)(size_t) = (void *(*)(size_t))dlsym(other, "malloc");
		char *(*their_strdup)(const char *) = (char *(*)(const char *))dlsym(other, "strdup");
		void (*their_free)(void *) = (void (*)(void *))dlsym(other, "free");
		expect(their_malloc && their_malloc != malloc && their_free != free);
		for (size_t bytes = 1; bytes < 300000; bytes = bytes * 3 / 2 + 1) {
			char *block = their_malloc(bytes);
			memset(block, 'x', bytes);
			their_free(block);
			block = their_strdup("over there");
			expect(strcmp(block, "over there") == 0);
			their_free(block);
			use(kept(10));
		}
		dlclose(other);
	}
}

void
check(const struct logfile *log)
{
	const struct log_source *from = log_from(log_last(log), "kept");
	expect_equal(from->counts.live, from->counts.blocks * 10);
	expect_equal(from->counts.blocks % 5, 0);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
	expect_equal(log_loss(log_last(log), "damaged"), 0);
}
