// Of machine code as YJIT makes it: the place that was saved for the call at its end is found, and none where
// another call, another frame, a jump or anything unknown lies between. No byte outside of what was given is
// read, whatever it holds.

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "unit.h"
#include "language/ruby_code.h"

enum { PAGE = 4096 };

#define PLACE UINT64_C(0x5555556fddf8)

// A page between two that cannot be read.
static uint8_t *page;
static size_t length;

static void
begin(void)
{
	length = 0;
}

static void
add(const char *bytes, size_t count)
{
	memcpy(page + length, bytes, count);
	length += count;
}
#define ADD(string) add(string, sizeof(string) - 1)

static void
add_constant(const char *opcode, uint64_t constant)
{
	add(opcode, 2);
	add((const char *)&constant, sizeof(constant));
}

static void
save(uint64_t place)
{
	add_constant("\x48\xb8", place); // movabs $PLACE,%rax
	ADD("\x49\x89\x45\x00");         // mov %rax,0x0(%r13)
}

// All that was added, moved to where the page ends.
static struct ruby_code
read_all(void)
{
	uint8_t *from = page + PAGE - length;

	memmove(from, page, length);
	return ruby_code_read(from, from + length);
}

static void
calls_are_found(void)
{
	begin();
	save(PLACE);
	ADD("\x48\x8d\x5b\x20"     // lea 0x20(%rbx),%rbx
	    "\x49\x89\x5d\x08"     // mov %rbx,0x8(%r13)
	    "\x4c\x89\xe7"         // mov %r12,%rdi
	    "\xbe\x00\x00\x00\x00" // mov $0x0,%esi
	    "\xe8\x00\x01\x00\x00"); // call
	struct ruby_code code = read_all();
	expect(code.saved == PLACE && code.calls == 1);
	expect(code.called == (uintptr_t)page + PAGE + 0x100);

	// Through a register; the place by another one; a frame of a C function pushed.
	begin();
	add_constant("\x49\xbb", PLACE); // movabs $PLACE,%r11
	ADD("\x4d\x89\x5d\x00"           // mov %r11,0x0(%r13)
	    "\x48\xc7\x40\xf0\x00\x00\x00\x00" // movq $0x0,-0x10(%rax)
	    "\x49\x83\x6c\x24\x10\x40"   // subq $0x40,0x10(%r12)
	    "\x49\x8b\x4c\x24\x10"       // mov 0x10(%r12),%rcx
	    "\x48\x83\xe8\x08"           // sub $0x8,%rax
	    "\x0f\x85\x10\x00\x00\x00"); // jne
	add_constant("\x48\xb8", 0x7ffff7a454b0);
	ADD("\xff\xd0"); // call *%rax
	code = read_all();
	expect(code.saved == PLACE && code.calls == 1 && code.called == 0x7ffff7a454b0);

	// In a heap that is below 4 GiB; by one instruction.
	begin();
	ADD("\xb8\x08\x30\x12\x00" // mov $0x123008,%eax
	    "\x49\x89\x45\x00" "\xe8\x00\x01\x00\x00");
	expect(read_all().saved == 0x123008);
	begin();
	ADD("\x41\xbb\x08\x30\x12\x80" // mov $0x80123008,%r11d
	    "\x4d\x89\x5d\x00" "\xb8\x00\x10\x40\x00" "\xff\xd0");
	code = read_all();
	expect(code.saved == 0x80123008 && code.called == 0x401000);
	begin();
	ADD("\x49\xc7\x45\x00\x08\x30\x12\x00" "\xe8\x00\x01\x00\x00"); // movq $0x123008,0x0(%r13)
	expect(read_all().saved == 0x123008);

	// Two for one place are told; the last one's place counts.
	begin();
	save(PLACE);
	ADD("\xe8\x00\x01\x00\x00" "\x50" "\xe8\x00\x02\x00\x00");
	code = read_all();
	expect(code.saved == PLACE && code.calls == 2);
	begin();
	save(PLACE);
	ADD("\xe8\x00\x01\x00\x00");
	save(PLACE + 16);
	ADD("\xe8\x00\x02\x00\x00");
	code = read_all();
	expect(code.saved == PLACE + 16 && code.calls == 1);
}

static void
expect_none(const char *between, size_t count)
{
	begin();
	save(PLACE);
	add(between, count);
	ADD("\xe8\x00\x01\x00\x00");
	expect(read_all().saved == 0);
}
#define EXPECT_NONE(string) expect_none(string, sizeof(string) - 1)

static void
others_are_not(void)
{
	EXPECT_NONE("\x49\x83\xed\x40"); // sub $0x40,%r13
	EXPECT_NONE("\x49\x89\xc5");     // mov %rax,%r13
	EXPECT_NONE("\x4c\x8d\x68\xc0"); // lea -0x40(%rax),%r13
	EXPECT_NONE("\x41\x5d");         // pop %r13
	EXPECT_NONE("\x49\x89\x4d\x00"); // mov %rcx,0x0(%r13)
	EXPECT_NONE("\xe9\x00\x00\x00\x00"); // jmp
	EXPECT_NONE("\xeb\x00");
	EXPECT_NONE("\xc3"); // ret
	EXPECT_NONE("\x1e"); // nothing
	EXPECT_NONE("\xe8"); // the call's first bytes are this one's
	begin();
	save(PLACE);
	expect(read_all().saved == 0);
	begin();
	ADD("\xe8\x00\x01\x00\x00");
	expect(read_all().saved == 0);
	// Not in the frame's head.
	begin();
	add_constant("\x48\xb8", PLACE);
	ADD("\x48\x89\x03" "\xe8\x00\x01\x00\x00"); // mov %rax,(%rbx)
	expect(read_all().saved == 0);
}

// Any bytes behind a save, and any number of them.
static void
nothing_else_is_read(void)
{
	static uint64_t state = 1;

	for (int round = 0; round < 200000; round++) {
		begin();
		if (round % 2)
			save(PLACE);
		size_t more = round % 40;
		for (size_t i = 0; i < more; i++) {
			state = state * 6364136223846793005 + 1442695040888963407;
			page[length++] = (uint8_t)(state >> 56);
		}
		expect(read_all().saved == 0 || round % 2);
	}
}

int
main(void)
{
	uint8_t *area = mmap(NULL, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(area != MAP_FAILED && mprotect(area + PAGE, PAGE, PROT_READ | PROT_WRITE) == 0);
	page = area + PAGE;
	calls_are_found();
	others_are_not();
	nothing_else_is_read();
}
