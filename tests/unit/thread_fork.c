// link: -DPMEM_THREADS=3 -DSYS_BY_NAME -ldl
// In a fork's child the forking thread goes on with its memo of its stack, and a thread that adopts
// the slot it had never has it, too: whichever of them comes first.

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"
#include "kernel.h"
#include "elf/module.h"
#include "threads/thread.h"

enum { PARENT = 1000001, CHILD = 1000002, SECOND = 1000003 };
#define NEWS (MODULE_GENERATION * 3 + 7)

static __thread pid_t thread_id = PARENT;
static pid_t process_id = PARENT;

static char memo;
static struct slot *first, *second;

static bool
lives(pid_t thread)
{
	return thread == CHILD || thread == SECOND;
}

static void *
come_second(void *unused)
{
	thread_id = SECOND;
	second = thread_claim();
	return unused;
}

static void
run_second(void)
{
	pthread_t thread;
	expect(pthread_create(&thread, NULL, come_second, NULL) == 0
		&& pthread_join(thread, NULL) == 0);
	expect(second != &thread_shared && second->memo != (struct memo *)&memo);
}

static void
claim_ours(void)
{
	struct slot *slot = thread_claim();
	expect(slot != &thread_shared && slot->memo == (struct memo *)&memo);
	// So walk_renew() is called, and finds the memo's generation to be today's.
	expect(slot->memo_news != NEWS && (slot->memo_news & ~MODULE_FREES) == (NEWS & ~MODULE_FREES));
	expect(slot->mark != 0 && (slot->mark == first->mark) == (slot == first));
}

static void
be_child(bool ours_first)
{
	process_id = thread_id = CHILD;
	thread_fork(false);
	thread_end_inheritance();
	if (ours_first)
		claim_ours();
	run_second();
	if (!ours_first)
		claim_ours();
	// Else what is to be seen did not take place.
	expect(first == (ours_first ? thread_slot : second));
}

int
main(void)
{
	thread_start();
	first = thread_claim();
	first->memo = (struct memo *)&memo;
	first->memo_news = NEWS;
	for (int ours_first = 0; ours_first < 2; ours_first++) {
		int status;
		pid_t child = fork();
		if (child == 0) {
			be_child(ours_first);
			return 0;
		}
		expect(child > 0 && waitpid(child, &status, 0) == child && status == 0);
	}
	return 0;
}
