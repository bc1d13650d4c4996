#include "sys.h"

struct sys sys = {.page_bytes = 4096};
bool (*sys_passes)(long number, const long arguments[6]);

#ifdef SYS_BY_LIBC

long
sys_ask(long number, long a, long b, long c, long d, long e, long f)
{
	if (!sys.call || !sys.errno_location)
		return -ENOSYS;
	int *error = sys.errno_location();
	int kept = *error;
	long result = sys.call(number, a, b, c, d, e, f);
	if (result == -1)
		result = -*error;
	*error = kept;
	return result;
}

#endif
