// of x86-64
// A fork while another thread is inside the C++ runtime, as one that throws is: the runtime's
// lock is held for ever in the child, which all the same allocates under code made at run time,
// whose call frame information the runtime has.

#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "runtimecode.h"

enum { FORKS = 100 };

FRAME void give(void) { use(malloc(16)); }
FRAME bool in_child(void)
{
	runtime_code(give);
	__asm__ volatile("" : : : "memory");
	return true;
}

static void
ask(void)
{
	runtime_code_look_up();
}

void
host(void)
{
	runtime_code_start(0);
	in_child();
	runtime_code_forks(FORKS, ask, in_child);
}

void
check(const struct logfile *log)
{
	const struct log_source *source = log_from(log_last(log), "give");
	expect(source && strstr(source->frames[3], "(in_child+") && strstr(source->frames[4], "(host+"));
}
