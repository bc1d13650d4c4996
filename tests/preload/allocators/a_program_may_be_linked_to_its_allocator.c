// of a kernel
// on each allocator
// A program that is itself linked to its allocator, with nothing but us preloaded, is counted
// like any other.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { ROUNDS = 1000, LEFT = ROUNDS / 2 };

static const char LINKED[] =
	"#include <dlfcn.h>\n#include <malloc.h>\n#include <stdlib.h>\n"
	"#define FRAME __attribute__((noinline))\n"
	"static void *kept[4000]; static volatile int count;\n"
	"FRAME void plain(size_t n) { kept[count++] = malloc(n); }\n"
	"FRAME void zeroed(size_t n) { kept[count++] = calloc(n, 3); }\n"
	"FRAME void aligned(size_t n) { kept[count++] = memalign(4096, n); }\n"
	"FRAME void grown(size_t n) { kept[count - 1] = realloc(kept[count - 1], n); }\n"
	"int main(int argc, char **argv) {\n"
	"	for (size_t i = 1; i <= 1000; i++)\n"
	"		zeroed(i), aligned(i), plain(i), grown(i * 40);\n"
	"	for (int i = 0; i < count; i += 6)\n"
	"		free(kept[i]), free(kept[i + 1]), free(kept[i + 2]);\n"
	"	return argc > 1 && !dlopen(argv[1], RTLD_LAZY | RTLD_NOLOAD);\n"
	"}\n";

void
host(void)
{
}

static pid_t
run_linked(void)
{
	int status = -1;
	pid_t child = fork();
	if (child == 0) {
		setenv("LD_PRELOAD", host_library(), 1);
		execl("./linked", "./linked", host_allocator(), (char *)NULL);
		_exit(126);
	}
	expect(waitpid(child, &status, 0) == child);
	expect_equal((uint64_t)status, 0);
	return child;
}

void
check(const struct logfile *none)
{
	const char *allocator = host_allocator() ? host_allocator() : "";
	char flags[4200];
	struct logfile log;

	expect(none->run_count <= 1);
	snprintf(flags, sizeof(flags), "-rdynamic -Wl,--no-as-needed -x none '%s' -x c", allocator);
	build_c("./linked", allocator[0] ? flags : "-rdynamic", LINKED);
	read_log_of(&log, run_linked());

	const struct log_snapshot *last = log_last(&log);
	uint64_t sum = 0;
	for (uint64_t i = 2; i <= ROUNDS; i += 2)
		sum += i;
	expect_equal(log_sum(last, "(zeroed+").live, 3 * sum);
	expect_equal(log_sum(last, "(aligned+").live, sum);
	expect_equal(log_sum(last, "(grown+").live, 40 * sum);
	expect_equal(log_sum(last, "(grown+").blocks, LEFT);
	expect_equal(log_sum(last, "(grown+").allocs, ROUNDS);
	expect_equal(log_sum(last, "(plain+").live, 0);
	expect(log_lost_nothing(last));
}
