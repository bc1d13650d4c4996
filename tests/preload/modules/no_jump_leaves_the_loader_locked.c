// link: -Wl,-z,max-page-size=0x200000
// of glibc
// of x86-64
// A signal handler that leaves by siglongjmp() at every instruction of an allocation right after
// some library went, in a program whose segments lie apart, so that it has to be looked for on
// the loader's list: other threads can visit that list afterwards, and no fork waits.

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <sys/wait.h>
#include <time.h>

#include "safeheap.h"
#include "steps.h"

static sigjmp_buf out;
static volatile uint64_t jumps;
static sem_t asked, answered;

static void
on_signal(int number)
{
	jumps += number != 0;
	siglongjmp(out, 1);
}

static int
end(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)loaded, (void)bytes, (void)unused;
	return 1;
}

static void *
visit(void *unused)
{
	for (;;) {
		sem_wait(&asked);
		dl_iterate_phdr(end, NULL);
		sem_post(&answered);
	}
	return unused;
}

static void
expect_list_is_free(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 20;
	sem_post(&asked);
	expect(sem_timedwait(&answered, &until) == 0);
}

FRAME void operate(void) { free(malloc(10)); }

// Whose end makes all rules be learnt anew.
FRAME void pass_a_plugin(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW);
	expect(plugin != NULL);
	((void (*)(void))dlsym(plugin, "call"))();
	expect(dlclose(plugin) == 0);
}

void
host(void)
{
	pthread_t thread;
	if (!host_role()[0])
		return;
	alarm(250);
	sem_init(&asked, 0, 0);
	sem_init(&answered, 0, 0);
	steps_start(steps_note_or_raise, 0);
	sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_signal}, NULL);
	pthread_create(&thread, NULL, visit, NULL);
	pass_a_plugin();
	step_on();
	operate();
	step_off();
	for (uintptr_t offset = 0; offset < steps.bytes; offset++) {
		if (!steps.seen[offset])
			continue;
		pass_a_plugin();
		if (sigsetjmp(out, 1) == 0) {
			steps_arm(offset);
			operate();
		}
		steps_disarm();
		expect_list_is_free();
	}
	expect(jumps > 500);
	printf("figure: %lu jumps\n", jumps);
	fflush(stdout);
	_exit(0);
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
