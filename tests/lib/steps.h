// steps: interrupts the calling thread at every instruction of the library, one after the
// other, with SIGTRAP: the processor's single-step flag is on from step_on() to step_off()
// (Intel SDM volume 3, 18.3.1.4). What the handler of SIGTRAP does is not stepped through.

#ifndef TESTS_STEPS_H
#define TESTS_STEPS_H

#include <link.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

static struct {
	uintptr_t start; // the library's code
	uintptr_t bytes;
	uint8_t *seen;  // how often an instruction was interrupted
	// A breakpoint, for one visit. Volatile, since the compiler takes malloc() for a function
	// that never calls back into this file.
	uint8_t *volatile armed;
	volatile uint8_t original;
} steps;

static inline int
steps_find(struct dl_phdr_info *loaded, size_t bytes, void *unused)
{
	(void)bytes, (void)unused;
	if (!strstr(loaded->dlpi_name, "libpmem"))
		return 0;
	for (int i = 0; i < loaded->dlpi_phnum; i++) {
		if (loaded->dlpi_phdr[i].p_type != PT_LOAD || !(loaded->dlpi_phdr[i].p_flags & PF_X))
			continue;
		steps.start = loaded->dlpi_addr + loaded->dlpi_phdr[i].p_vaddr;
		steps.bytes = loaded->dlpi_phdr[i].p_memsz;
	}
	return 1;
}

// Where the context stands in the library's code; -1: elsewhere.
static inline intptr_t
steps_offset(void *context)
{
	uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	return pc - steps.start < steps.bytes ? (intptr_t)(pc - steps.start) : -1;
}

// The handler may lie on an alternate stack.
static inline void
steps_start(void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
	dl_iterate_phdr(steps_find, NULL);
	steps.seen = mmap(NULL, steps.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	sigaction(SIGTRAP, &action, NULL);
}

// One instruction alone, at full speed: SIGTRAP comes when it is reached.
static inline void
steps_arm(uintptr_t offset)
{
	uint8_t *code = (uint8_t *)steps.start + offset;
	static bool writable;
	if (!writable)
		writable = mprotect((void *)steps.start, steps.bytes,
			PROT_READ | PROT_WRITE | PROT_EXEC) == 0;
	steps.original = *code;
	steps.armed = code;
	*(volatile uint8_t *)code = 0xcc;
}

static inline void
steps_disarm(void)
{
	if (steps.armed)
		*(volatile uint8_t *)steps.armed = steps.original;
	steps.armed = NULL;
}

// In the handler of SIGTRAP: whether the breakpoint was reached. It is gone then, and the
// context stands before its instruction. Virtual machines lose now and then that it was a step: then
// the processor's flag tells it from a breakpoint that another thread has reached, and removed.
static inline bool
steps_reached(const siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	bool armed = steps.armed != NULL;
	bool at_armed = armed && registers[REG_RIP] - 1 == (greg_t)(uintptr_t)steps.armed;
	enum { TRAP_FLAG = 256 };

	if (info->si_code == TRAP_TRACE || (registers[REG_EFL] & TRAP_FLAG && !at_armed))
		return false;
	registers[REG_RIP]--;
	steps_disarm();
	return armed;
}

// Handler of SIGTRAP: notes the instructions stepped over, and raises SIGUSR1 at a breakpoint.
// Where that cannot be delivered now, it is when it can.
static inline void
steps_note_or_raise(int number, siginfo_t *info, void *context)
{
	(void)number;
	if (steps_reached(info, context)) {
		raise(SIGUSR1);
		return;
	}
	intptr_t at = steps_offset(context);
	if (at >= 0)
		steps.seen[at] = 1;
}

static inline void
step_on(void)
{
	__asm__ volatile("subq $128, %%rsp; pushfq; orl $256, (%%rsp); popfq; addq $128, %%rsp"
		::: "memory", "cc");
}

static inline void
step_off(void)
{
	__asm__ volatile("subq $128, %%rsp; pushfq; andl $-257, (%%rsp); popfq; addq $128, %%rsp"
		::: "memory", "cc");
}

#endif
