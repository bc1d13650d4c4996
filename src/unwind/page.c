#include "sys.h"
#include "page.h"

enum {
	PAGE = 4096,
};

__thread struct page_noted page_noted;

static bool
is_noted(uintptr_t page)
{
	for (unsigned i = 0; i < PAGE_NOTED && i < page_noted.met; i++) {
		if (page_noted.pages[i] == page)
			return true;
	}
	return false;
}

static bool
can_read(uintptr_t at)
{
	uintptr_t page = at & -(uintptr_t)PAGE;
	return is_noted(page) || sys_readable(page);
}

bool
page_can_read(uintptr_t from, size_t bytes)
{
	uintptr_t last = from + bytes - 1;
	return can_read(from) && (from / PAGE == last / PAGE || can_read(last));
}

void
page_note(uintptr_t pc)
{
	uintptr_t page = (pc - 1) & -(uintptr_t)PAGE;

	if (!is_noted(page))
		page_noted.pages[page_noted.met++ % PAGE_NOTED] = page;
}
