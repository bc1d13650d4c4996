// otherstack: a call on another stack, without a word of it in the call frame information: to the
// unwinder the caller's frame lies outwards of that stack's end. For x86-64.

#ifndef TESTS_OTHERSTACK_H
#define TESTS_OTHERSTACK_H

#include "host.h"

// Calls the body with the stack pointer at `top`.
FRAME void
on_stack(char *top, void (*body)(void))
{
	__asm__ volatile("mov %%rsp, %%rbx; mov %0, %%rsp; call *%1; mov %%rbx, %%rsp"
		: : "r"(top), "r"(body)
		: "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
}

#endif
