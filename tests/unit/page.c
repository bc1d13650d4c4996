// Code whose first byte begins a page says nothing of the page before: what was interrupted there, as
// by a handler, must not be taken for a look at that, which may be readable to nobody.
// of whole stacks

#include <sys/mman.h>

#include "unit.h"
#include "libc.h"
#include "page.h"
#include "rule.h"

enum { PAGE = 4096 };

int
main(void)
{
	expect(libc_start());
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(pages != MAP_FAILED);
	expect(mprotect(pages, PAGE, PROT_NONE) == 0);
	uintptr_t code = (uintptr_t)pages + PAGE;

	page_begin();
	expect(rule_for(code | RULE_INTERRUPTED) == RULE_GUESS);
	expect(page_can_read(code, 1));
	expect(!page_can_read(code - 1, 1));
	return 0;
}
