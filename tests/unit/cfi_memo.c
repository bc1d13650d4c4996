// What a memo says of stacks that end in code made at run time, of which an interpreter says that it has
// compiled it: where each ends, whichever ways it came to know the stack by, with two such codes in turn
// beneath the same frames; and none that ended there for want of knowledge speaks for one that goes on.
// of whole stacks
// of x86-64

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "unit.h"
#include "base/libc.h"
#include "elf/module.h"
#include "unwind/walk.h"

enum { PAGE = 4096, CODES = 2, SITES = 2, TURNS = 20, CALLED = 6 };

// sub $24,%rsp; call *%rcx; add $24,%rsp; ret
static const char bytes[] = "\x48\x83\xec\x18\xff\xd1\x48\x83\xc4\x18\xc3";

typedef void (*callee)(void);

// Calls the code with a frame pointer that leads nowhere.
void call_code(const void *code, callee callee);
__asm__(".text\n.globl call_code\n.type call_code,@function\ncall_code:\n.cfi_startproc\n"
	"push %rbp\n.cfi_adjust_cfa_offset 8\n.cfi_offset 6,-16\n"
	"mov %rdi,%rax\nmov $1,%ebp\nmov %rsi,%rcx\ncall *%rax\n"
	"pop %rbp\n.cfi_adjust_cfa_offset -8\n.cfi_restore 6\nret\n.cfi_endproc\n"
	".size call_code,.-call_code\n");

static char *codes[CODES];
static bool are_compiled;
static struct memo *memo;
static struct unwind_sum sums[SITES];

static bool
asks(const struct object *object, uintptr_t address, bool interrupted)
{
	uintptr_t offset = address - (uintptr_t)codes[0];
	return !object && !interrupted && are_compiled && offset < CODES * PAGE;
}

static __attribute__((noinline)) struct unwind_sum
take(void)
{
	struct unwind_sum sum = *memo_take(memo, (uintptr_t)__builtin_return_address(0),
		(uintptr_t)__builtin_dwarf_cfa(), *(const uintptr_t *)__builtin_frame_address(0));
	__asm__ volatile("" ::: "memory");
	return sum;
}

static __attribute__((noinline)) void
inwards(void)
{
	sums[1] = take();
	__asm__ volatile("" ::: "memory");
}

static __attribute__((noinline)) void
from_code(void)
{
	sums[0] = take();
	inwards();
	__asm__ volatile("" ::: "memory");
}

static void
run(unsigned code)
{
	memset(sums, 0, sizeof(sums));
	call_code(codes[code], from_code);
}

static void
expect_ends(unsigned code)
{
	for (unsigned i = 0; i < SITES; i++) {
		expect(sums[i].hash != 0);
		expect(sums[i].loop == (code < CODES ? (uintptr_t)codes[code] + CALLED : 0));
	}
}

static bool
same(const struct unwind_sum *one, const struct unwind_sum *other)
{
	for (unsigned i = 0; i < SITES; i++) {
		if (one[i].hash != other[i].hash || one[i].loop != other[i].loop)
			return false;
	}
	return true;
}

// Of a memo that knows nothing yet.
static void
learn(unsigned code, struct unwind_sum learnt[SITES])
{
	struct memo *kept = memo;
	expect(memo = memo_new());
	run(code);
	memcpy(learnt, sums, sizeof(sums));
	memo = kept;
}

int
main(void)
{
	struct unwind_sum learnt[CODES][SITES];

	expect(libc_start());
	module_start();
	walk_start();
	walk_ask_for_loops(asks);
	expect(memo = memo_new());
	codes[0] = mmap(NULL, CODES * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(codes[0] != MAP_FAILED);
	codes[1] = codes[0] + PAGE;
	for (unsigned i = 0; i < CODES; i++)
		memcpy(codes[i], bytes, sizeof(bytes));

	run(0);
	expect_ends(CODES);
	run(0);
	expect_ends(CODES);
	are_compiled = true;
	// Its frames take the others' places.
	expect(take().loop == 0);
	run(0);
	expect_ends(0);

	for (unsigned i = 0; i < CODES; i++)
		learn(i, learnt[i]);
	for (unsigned i = 0; i < TURNS; i++) {
		unsigned code = i / 3 % CODES;
		run(code);
		expect_ends(code);
		expect(same(sums, learnt[code]));
		expect(i % 5 != 0 || take().loop == 0);
	}
	return 0;
}
