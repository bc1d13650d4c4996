// Of code without call frame information its bytes tell where a call ends. Once it did that is
// known: when its page is gone, or says something else, nothing is read there again. What did not
// is looked at each time. Code whose first byte begins a page says nothing of the page before,
// which may be readable to nobody.
// of whole stacks
// of x86-64

#include <string.h>
#include <sys/mman.h>

#include "unit.h"
#include "base/libc.h"
#include "unwind/x86_64/code_pattern.h"
#include "unwind/rule.h"

enum { PAGE = 4096, AT = 64 };

static char *pages;

static const struct {
	const char *bytes; // hexadecimal
	bool is_call;
} codes[] = {
	{"e800000000", true},     // call rel32
	{"ffd0", true},           // call *%rax
	{"41ffd3", true},         // call *%r11
	{"ff13", true},           // call *(%rbx)
	{"ff1424", true},         // call *(%rsp)
	{"ff5510", true},         // call *0x10(%rbp)
	{"ff542408", true},       // call *8(%rsp)
	{"ff1500000000", true},   // call *0(%rip)
	{"ff9000010000", true},   // call *0x100(%rax)
	{"ff942400010000", true}, // call *0x100(%rsp)
	{"ff14c500000000", true}, // call *0(,%rax,8)
	{"ffe0", false},          // jmp *%rax
	{"ff1000", false},        // call *(%rax), and a byte
	{"ff9000010000cc", false},
	{"e90000000090", false},  // jmp, nop
	{"9090909090", false},
};

// What the byte before an address is the last of.
static uintptr_t
write_code(const char *hex, size_t at)
{
	size_t bytes = strlen(hex) / 2;

	memset(pages + PAGE, 0x90, PAGE);
	for (size_t i = 0; i < bytes; i++) {
		const char pair[] = {hex[2 * i], hex[2 * i + 1], '\0'};
		pages[PAGE + at - bytes + i] = (char)strtoul(pair, NULL, 16);
	}
	return (uintptr_t)pages + PAGE + at;
}

int
main(void)
{
	size_t count = sizeof(codes) / sizeof(*codes);

	expect(libc_start());
	pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(pages != MAP_FAILED);
	expect(mprotect(pages, PAGE, PROT_NONE) == 0);
	uintptr_t code = (uintptr_t)pages + PAGE;

	expect(rule_for(code | RULE_INTERRUPTED) == RULE_GUESS);
	expect(!code_pattern_is_call(code) && !code_pattern_is_call(code + 1));
	expect(!code_pattern_is_call(0) && !code_pattern_is_call(7)
		&& !code_pattern_is_call(UINTPTR_MAX));
	for (size_t i = 0; i < count; i++)
		expect(code_pattern_is_call(write_code(codes[i].bytes, AT * (i + 1)))
			== codes[i].is_call);

	uintptr_t later = write_code("ffd0", AT * (count + 1)) + 1;
	expect(!code_pattern_is_call(later));
	expect(mprotect(pages, 2 * PAGE, PROT_NONE) == 0);
	for (size_t i = 0; i < count; i++)
		expect(code_pattern_is_call(code + AT * (i + 1)) == codes[i].is_call);
	expect(mprotect(pages + PAGE, PAGE, PROT_READ | PROT_WRITE) == 0);
	expect(write_code("ffd0", AT * (count + 1) + 1) == later);
	expect(code_pattern_is_call(later));
	return 0;
}
