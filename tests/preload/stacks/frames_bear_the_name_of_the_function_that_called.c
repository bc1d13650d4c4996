// on each allocator
// A frame bears its function's name also where the call is the function's last instruction,
// and the return address the next one's first; a function that the dynamic symbol table does
// not have bears none, and never its neighbour's.

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

static jmp_buf back;

__attribute__((noinline, noreturn)) void
never_returns(void)
{
	use(malloc(1001));
	longjmp(back, 1);
}

// The call ends it: what follows in the file is at the return address.
FRAME __attribute__((noreturn)) void
ends_in_a_call(void)
{
	never_returns();
}

FRAME void
next_in_the_file(void)
{
	use(malloc(1002));
}

// Between two that have names.
static FRAME void
unnamed(void)
{
	use(malloc(1003));
}

FRAME void
calls_unnamed(void)
{
	unnamed();
	use(NULL);
}

void
host(void)
{
	if (setjmp(back) == 0)
		ends_in_a_call();
	next_in_the_file();
	calls_unnamed();
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	const struct log_source *source = log_from(last, "never_returns");
	int nameless = 0;

	expect(source && strstr(source->frames[2], "(ends_in_a_call+0x"));
	expect_equal(log_from(last, "next_in_the_file")->counts.live, 1002);
	for (int i = 0; i < last->entry_count; i++) {
		source = &last->entries[i];
		if (source->depth < 3 || source->counts.live != 1003)
			continue;
		nameless++;
		expect(strstr(source->frames[1], "(+0x") != NULL);
		expect(strstr(source->frames[2], "(calls_unnamed+0x") != NULL);
	}
	expect_equal(nameless, 1);
}
