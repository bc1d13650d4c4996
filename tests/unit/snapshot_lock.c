// Whose turn it is: threads that are busy with it all the time keep nobody from it who waits, of
// two neither; one that is gone, in the middle or while it waited, keeps nobody either, and one that
// left in the middle and comes back ends it.

#include <pthread.h>
#include <unistd.h>

#include "unit.h"
#include "base/sys.h"
#include "base/snapshot_lock.h"

enum { BUSY = 3, ROUNDS = 20 };

static volatile bool ends;
static volatile long taken;
static pid_t gone;

// Has it for half a millisecond, and wants it again at once.
static void *
hold(void *unused)
{
	pid_t self = gettid();

	while (!ends) {
		if (!snapshot_lock_take(self, false))
			continue;
		taken++;
		usleep(500);
		snapshot_lock_release();
	}
	return unused;
}

static void *
hold_once(void *waits)
{
	pid_t self = gettid();

	__atomic_store_n((pid_t *)waits, self, __ATOMIC_RELEASE);
	expect(snapshot_lock_take(self, true));
	usleep(500);
	snapshot_lock_release();
	return NULL;
}

static void *
leave(void *patient)
{
	gone = gettid();
	expect(snapshot_lock_take(gone, patient != NULL));
	return NULL;
}

static void
is_left(bool patient)
{
	pthread_t thread;

	pthread_create(&thread, NULL, leave, patient ? &thread : NULL);
	pthread_join(thread, NULL);
	// pthread_join() may come back while the kernel still has it.
	while (sys_thread_lives(gone))
		usleep(100);
	expect(snapshot_lock_take(gettid(), false));
	snapshot_lock_release();
}

// While another waits for it.
static void
is_taken_up_again(void)
{
	pthread_t thread;
	pid_t waits = 0;

	expect(snapshot_lock_take(gettid(), false));
	pthread_create(&thread, NULL, hold_once, &waits);
	while (__atomic_load_n(&waits, __ATOMIC_ACQUIRE) == 0)
		usleep(100);
	for (int i = 0; i < 50; i++) {
		usleep(100);
		expect(snapshot_lock_take(gettid(), false));
	}
	snapshot_lock_release();
	pthread_join(thread, NULL);
}

int
main(void)
{
	pthread_t threads[BUSY];

	is_left(false);
	is_left(true);
	// Its own, left in the middle, is its own again.
	expect(snapshot_lock_take(gettid(), false) && snapshot_lock_take(gettid(), true));
	snapshot_lock_release();
	expect(!snapshot_lock_take(0, false) && !snapshot_lock_take(-1, true));
	is_taken_up_again();

	for (int i = 0; i < BUSY; i++)
		pthread_create(&threads[i], NULL, hold, NULL);
	for (int round = 0; round < ROUNDS; round++) {
		long before = taken;
		while (taken < before + 3)
			usleep(1000);
		pthread_t thread;
		pid_t waits = 0;
		pthread_create(&thread, NULL, hold_once, &waits);
		expect(snapshot_lock_take(gettid(), true));
		long then = taken;
		usleep(2000);
		expect(taken == then);
		snapshot_lock_release();
		pthread_join(thread, NULL);
	}
	ends = true;
	for (int i = 0; i < BUSY; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
