// of glibc
// tcmalloc's debugging libraries say of aligned blocks that they are larger than they are: a
// tag would lie in the next block. The program runs as without us, and the log says why it is
// empty.
// needs: libgoogle-perftools4 libtcmalloc-minimal4

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

static const char *const libraries[] = {"libtcmalloc_debug.so.4", "libtcmalloc_minimal_debug.so.4"};

static void
work(void)
{
	char *blocks[2000];
	for (size_t alignment = 64; alignment <= 4096; alignment *= 2) {
		for (int i = 0; i < 2000; i++) {
			blocks[i] = i % 2 ? malloc(100) : memalign(alignment, 200);
			memset(blocks[i], i & 127, i % 2 ? 100 : 200);
		}
		for (int i = 0; i < 2000; i++) {
			expect(blocks[i][0] == (i & 127) && blocks[i][99] == (i & 127));
			free(blocks[i]);
		}
	}
	puts("done");
}

void
host(void)
{
	if (strcmp(host_role(), "work") != 0)
		return;
	if (!dlsym(RTLD_DEFAULT, "tc_version"))
		exit(77);
	work();
	fflush(stdout);
}

void
check(const struct logfile *none)
{
	char preload[1000], path[32];

	(void)none;
	for (int i = 0; i < 2; i++) {
		snprintf(preload, sizeof(preload), "%s:%s", host_library(), libraries[i]);
		int status = run_preloaded("work", preload, "output");
		if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
			skip(libraries[i]);
		fprintf(stderr, "%s", read_file("output"));
		expect_equal(status, 0);
		expect(strstr(read_file("output"), "done") != NULL);
		snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
		expect(strstr(read_file(path), "which does not tell the size of its blocks") != NULL);
		expect(strstr(read_file(path), "\n[") == NULL);
	}
}
