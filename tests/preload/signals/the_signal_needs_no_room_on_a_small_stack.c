// pmem: -DPMEM_SNAPSHOT_SIGNAL=SIGUSR2
// of glibc
// of x86-64
// The signal that asks for a snapshot, on a coroutine's stack with less room than the kernel puts
// down for a handler: it is taken on the alternate stack that the program has.

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "host.h"

enum { PAGE = 4096, STACK_BYTES = 2 * PAGE };
static ucontext_t outside, coroutine;
static char alternate[1 << 16];

FRAME void keep(void) { use(malloc(1234)); }

// What remains of the stack is less than any handler's frame.
static void
ask_at_the_end(void)
{
	char *low = (char *)coroutine.uc_stack.ss_sp;
	__asm__ volatile(
		"mov %%rsp, %%rbx\n lea 256(%0), %%rsp\n and $-16, %%rsp\n"
		"mov %1, %%eax\n syscall\n mov %%rbx, %%rsp"
		: : "r"(low), "i"(62 /* kill */), "D"((long)getpid()), "S"((long)SIGUSR2)
		: "rax", "rbx", "rcx", "r11", "memory");
}

void
host(void)
{
	stack_t stack = {.ss_sp = alternate, .ss_size = sizeof(alternate)};
	char *pages = mmap(NULL, PAGE + STACK_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	expect(sigaltstack(&stack, NULL) == 0 && mprotect(pages, PAGE, PROT_NONE) == 0);
	getcontext(&coroutine);
	coroutine.uc_stack = (stack_t){.ss_sp = pages + PAGE, .ss_size = STACK_BYTES};
	coroutine.uc_link = &outside;
	makecontext(&coroutine, ask_at_the_end, 0);
	keep();
	swapcontext(&outside, &coroutine);
	for (int i = 0; i < 2000; i++)
		free(malloc(100));
	_exit(0);
}

void
check(const struct logfile *log)
{
	expect(log->snapshot_count == 1
		&& log_from(log_last(log), "keep")->counts.live == 1234);
}
