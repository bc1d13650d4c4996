// of glibc
// of x86-64
// A signal handler that leaves by siglongjmp() at any instruction of ours before a fork: what
// threads allocate after a library went does not wait for that fork, each time, for a second.

#include <pthread.h>
#include <setjmp.h>
#include <sys/wait.h>

#include "safeheap.h"
#include "steps.h"

static sigjmp_buf out;
static volatile uint64_t jumps;
static pid_t self;

static void
on_signal(int number)
{
	jumps += number != 0;
	if (getpid() != self)
		_exit(0);
	siglongjmp(out, 1);
}

static void *
pass_a_plugin(void *unused)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	expect(plugin != NULL);
	((void (*)(void))dlsym(plugin, "call"))();
	expect(dlclose(plugin) == 0);
	for (int i = 0; i < 1000; i++)
		free(malloc(10));
	return unused;
}

static void
fork_once(void)
{
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	expect(waitpid(child, NULL, 0) == child);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	self = getpid();
	// Each of the allocations would wait.
	alarm(60);
	steps_start(steps_note_or_raise, 0);
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
	step_on();
	fork_once();
	step_off();
	for (uintptr_t offset = 0; offset < steps.bytes; offset++) {
		if (!steps.seen[offset])
			continue;
		if (sigsetjmp(out, 1) == 0) {
			steps_arm(offset);
			fork_once();
		}
		steps_disarm();
	}
	expect(jumps > 20);
	printf("figure: %lu jumps\n", jumps);
	for (int i = 0; i < 2; i++) {
		pthread_t thread;
		expect(pthread_create(&thread, NULL, pass_a_plugin, NULL) == 0);
		pthread_join(thread, NULL);
		pass_a_plugin(NULL);
	}
}

void
check(const struct logfile *none)
{
	struct logfile log;
	expect_equal(none->snapshot_count, 0);
	build_c("plugin.so", "-shared -fPIC -fno-builtin",
		"#include <stdlib.h>\nvoid call(void) { free(malloc(20)); }");
	run_on_safe_heap("jumps", &log);
}
