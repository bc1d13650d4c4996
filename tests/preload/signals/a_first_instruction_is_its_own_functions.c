// of whole stacks
// A signal may come at a function's first instruction. The frame there is that function's, and not that of
// the function before it.

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "host.h"

#ifdef __aarch64__
#define FAULT ".inst 0"
#define PC(context) (context)->uc_mcontext.pc
enum { FAULT_BYTES = 4 };
#else
#define FAULT "ud2"
#define PC(context) (context)->uc_mcontext.gregs[REG_RIP]
enum { FAULT_BYTES = 2 };
#endif
#define FUNCTION(name, body) ".globl " name "\n.type " name ",%function\n" name ":\n .cfi_startproc\n" \
	body "\n ret\n .cfi_endproc\n.size " name ",.-" name "\n"
__asm__(".text\n" FUNCTION("before", "") FUNCTION("interrupted", FAULT));
extern void interrupted(void);

FRAME void
handler(int number, siginfo_t *unused, void *context)
{
	(void)number, (void)unused;
	use(malloc(1000));
	PC((ucontext_t *)context) += FAULT_BYTES;
}

void
host(void)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};

	sigaction(SIGILL, &action, NULL);
	for (int i = 0; i < 10; i++)
		interrupted();
}

void
check(const struct logfile *log)
{
	const struct log_source *source = log_from(log_last(log), "handler");

	expect(source && source->depth > 3);
	if (!source || source->depth <= 3)
		return;
	expect_equal(source->counts.live, 10000);
	// Frame 2 is where the handler returns to.
	expect(strstr(source->frames[3], "(interrupted+") != NULL);
}
