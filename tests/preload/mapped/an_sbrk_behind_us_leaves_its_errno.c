// of glibc
// Another library's sbrk() is behind us, and sets errno as it likes: the program gets the errno that its
// own call left.

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "host.h"

static const char behind[] =
	"#include <errno.h>\n#include <dlfcn.h>\n#include <stdint.h>\n"
	"void *sbrk(intptr_t n) { static void *(*next)(intptr_t);\n"
	"  if (!next) next = (void *(*)(intptr_t))dlsym(RTLD_NEXT, \"sbrk\");\n"
	"  void *at = next(n); errno = n == 0 ? EDOM : n > 0 ? 77 : 78; return at; }\n";

void
host(void)
{
	if (!host_role()[0])
		return;
	free(malloc(100));
	errno = 0;
	expect(sbrk(4096) != (void *)-1 && errno == 77);
	expect(sbrk(-4096) != (void *)-1 && errno == 78);
	expect(sbrk(0) != (void *)-1 && errno == EDOM);
	char *at = sbrk(0);
	errno = 5;
	expect(brk(at) == 0 && errno == 5);
}

void
check(const struct logfile *log)
{
	char preload[512];

	(void)log;
	build_c("behind.so", "-shared -fPIC", behind);
	snprintf(preload, sizeof(preload), "%s:./behind.so", host_library());
	expect_equal((uint64_t)run_preloaded("host", preload, NULL), 0);
}
