// The cold half of the guard: deciding that a frame is gone.

#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guard.h"
#include "sys.h"

__thread uintptr_t guard_holder;

bool
guard_abandoned(uintptr_t cfa)
{
	// Calls nest inwards: whoever came in from our own work is further in.
	if (cfa < (guard_holder & ~GUARD_INTERNAL))
		return false;
	// A handler on an alternate stack may lie further out and still be nested in us.
	stack_t alternate = {0};
	if (sys_call2(SYS_sigaltstack, 0, (long)&alternate) < 0)
		return false;
	return !(alternate.ss_flags & SS_ONSTACK);
}
