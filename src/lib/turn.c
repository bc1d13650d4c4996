#include <stddef.h>

#include "sys.h"
#include "turn.h"

enum { PATIENCE_MS = 1000 };

static SYS_FORK_PAGE pid_t owner; // its kernel id; 0: nobody. Atomic

static bool
try(pid_t self)
{
	pid_t found = __atomic_load_n(&owner, __ATOMIC_ACQUIRE);

	// The guard keeps us from nesting in ourselves, so our own lock is a lost one.
	if (found == self)
		return true;
	if (found != 0 && sys_thread_lives(found))
		return false;
	return __atomic_compare_exchange_n(
		&owner, &found, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

bool
turn_take(pid_t self, bool patient)
{
	static const struct timespec pause = {.tv_nsec = 1000000};
	bool taken = self > 0 && try(self);

	for (int i = 0; i < PATIENCE_MS && self > 0 && !taken && patient; i++) {
		sys_call2(SYS_nanosleep, (long)&pause, 0);
		taken = try(self);
	}
	return taken;
}

void
turn_end(void)
{
	__atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}
