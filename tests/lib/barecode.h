// barecode: code made at run time, without a frame pointer, that calls what it is given, and call frame
// information that leads out of it. Of x86-64, for tests of the unwinder.

#ifndef TESTS_BARECODE_H
#define TESTS_BARECODE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
	BARE_PAGE = 4096, // that the information is for
	BARE_CIE_BYTES = 24,
	BARE_FDE_BYTES = 44,
	BARE_BYTES = BARE_CIE_BYTES + BARE_FDE_BYTES + 4, // CIE, FDE, end
	BARE_INSTRUCTIONS = 4 + 4 + 8 + 8 + 1, // in the FDE, up to its end
};

static inline char *
bare_code(void)
{
	// sub $24,%rsp; call *%rdi; add $24,%rsp; ret
	static const char bytes[] = "\x48\x83\xec\x18\xff\xd7\x48\x83\xc4\x18\xc3";
	char *code = mmap(NULL, BARE_PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (code == MAP_FAILED)
		perror("mmap"), exit(1);
	memcpy(code, bytes, sizeof(bytes));
	return code;
}

static inline void
bare_put_frames(char *frames, const char *code)
{
	static const char cie[] = "\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\0\x0c\7\x8\x90\1\0\0";
	static const char instructions[] = "\x44\x0e\x20\x46\x0e\x08";
	uint32_t head[2] = {BARE_FDE_BYTES - 4, BARE_CIE_BYTES + 4};
	uint64_t range[2] = {(uint64_t)code, BARE_PAGE};

	memset(frames, 0, BARE_BYTES);
	memcpy(frames, cie, BARE_CIE_BYTES);
	frames += BARE_CIE_BYTES;
	memcpy(frames, head, sizeof(head));
	memcpy(frames + sizeof(head), range, sizeof(range));
	memcpy(frames + BARE_INSTRUCTIONS, instructions, sizeof(instructions) - 1);
}

// Calls the code with nothing of use in rbp.
void through(void (*callee)(void), char *code);
__asm__(".text\n.globl through\n.type through,@function\nthrough:\n.cfi_startproc\n"
	"push %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6,-16\n mov $0x1234567,%rbp\n"
	"call *%rsi\n pop %rbp\n.cfi_def_cfa_offset 8\n ret\n.cfi_endproc\n"
	".size through,.-through\n");

// A function of that name, whose frame is told from others', that goes through the code.
#define BARE_CALLER(name, callee, code) \
	FRAME void name(void) \
	{ \
		through(callee, code); \
		__asm__ volatile("" : : : "memory"); \
	}

#endif
