#include "real.h"

struct real real;
void (*real_refused)(void);

__thread uintptr_t real_inside;

void
real_refuse(enum real_refusal refusal)
{
	void (*tell)(void) = __atomic_load_n(&real_refused, __ATOMIC_ACQUIRE);

	__atomic_store_n(&real.refusal, refusal, __ATOMIC_RELEASE);
	__atomic_store_n(&real.state, REAL_OFF, __ATOMIC_RELEASE);
	if (tell)
		tell();
}
