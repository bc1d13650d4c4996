// on each allocator
// of glibc
// Other libraries' constructors run before ours, and allocate, start a thread, or fork: what
// they allocate is counted, with its stack, and their child has a log of its own.

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "host.h"

static const char EARLY[] =
	"#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
	"void *kept[4]; pid_t early_child = -1;\n"
	"__attribute__((noinline)) void early(void) { kept[0] = malloc(1001); }\n"
	"__attribute__((noinline)) void *in_thread(void *u) { kept[1] = malloc(1002); return u; }\n"
	"__attribute__((noinline)) void before_fork(void) { kept[2] = malloc(1003); }\n"
	"__attribute__((constructor)) static void start(void) {\n"
	"	pthread_t thread;\n"
	"	early();\n"
	"	if (pthread_create(&thread, NULL, in_thread, NULL) == 0) pthread_join(thread, NULL);\n"
	"	for (int i = 0; i < 1000; i++) free(realloc(malloc(10), 1000));\n"
	"	before_fork();\n"
	"	early_child = fork();\n"
	"}\n";

FRAME void in_child(void) { use(malloc(1004)); }
FRAME void in_parent(void) { use(malloc(1005)); }

extern pid_t early_child __attribute__((weak));

static void
check_log(pid_t pid, bool is_child)
{
	struct logfile log;
	read_log_of(&log, pid);
	const struct log_snapshot *last = log_last(&log);
	expect_equal(log_from(last, "early")->counts.live, 1001);
	expect_equal(log_from(last, "in_thread")->counts.live, 1002);
	expect_equal(log_from(last, "before_fork")->counts.live, 1003);
	const struct log_source *own = log_from(last, is_child ? "in_child" : "in_parent");
	expect_equal(own->counts.live, is_child ? 1004 : 1005);
	expect(log_from(last, is_child ? "in_parent" : "in_child") == NULL);
	expect_equal(log_loss(last, "untracked_frees"), 0);
}

static void
work(void)
{
	int status = -1;
	expect(&early_child != NULL);
	if (early_child == 0) {
		in_child();
		return;
	}
	expect(waitpid(early_child, &status, 0) == early_child && status == 0);
	in_parent();
	check_log(early_child, true);
}

void
host(void)
{
	char preload[1024];
	if (strcmp(host_role(), "work") == 0) {
		work();
		return;
	}
	build_c("./early.so", "-shared -fPIC -pthread", EARLY);
	snprintf(preload, sizeof(preload), "%s:./early.so", host_library());
	expect_equal(run_preloaded("work", preload, NULL), 0);
	check_log(again_pid, false);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count > 0);
}
