// Where V8 had a copy of its interpreter's entry, and other code since the last look: what was called
// from where no call of a copy ends was called from that other code. Copies are known by four that are
// the same, in other places, and call.

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit.h"
#include "perfmapped.h"

#ifdef __x86_64__

static void
judge(void)
{
	enum { BYTES = 0x100, COPIES = 8 };
	static const unsigned char short_call[] = {0xff, 0xd1};
	static const unsigned char long_call[] = {0x41, 0xff, 0x95, 0x10, 0x5f, 0, 0};
	unsigned char *pages
		= mmap(NULL, 2 * COPIES * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t old = (uint64_t)pages;
	char name[64];

	expect(pages != MAP_FAILED);
	for (int i = 0; i < COPIES; i++) {
		memset(pages + i * BYTES, 0x90, BYTES);
		memcpy(pages + i * BYTES + 0x3e, short_call, sizeof(short_call));
		memcpy(pages + i * BYTES + 0x79, long_call, sizeof(long_call));
	}
	// What was given back reads alike; and what is told four times of one place is one.
	memcpy(pages + (2 * COPIES - 1) * BYTES + 0x4e, short_call, sizeof(short_call));
	for (uint64_t i = 0; i < 4; i++) {
		tell_piece(old + (COPIES + i) * BYTES, BYTES, "JS:~gone /srv/app.js:8:1");
		tell_piece(old + (2 * COPIES - 1) * BYTES, BYTES, "JS:~again /srv/app.js:8:1");
	}
	// As long as three are known, any place may be one of a call.
	for (uint64_t i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "JS:~f%d /srv/app.js:%d:1", (int)i, (int)i);
		tell_piece(old + i * BYTES, BYTES, name);
	}
	jit_name_look(false);
	tell_piece(old + BYTES, BYTES, "JS:*over /srv/app.js:9:1");
	come_from(old + BYTES + 0x50);
	jit_name_look(false);
	has_no_name(old + BYTES + 0x50);
	// What is interpreted has the same name, and what is gone is other code.
	tell_piece(old + 7 * BYTES + 1, BYTES - 2, "JS:~g /srv/app.js:2:1");
	memset(pages, 0xcc, BYTES);
	tell_piece(old + 3 * BYTES, BYTES, "Eval:~g /srv/app.js:2:1");
	come_from(old + 3 * BYTES + 0x50);
	come_from(old + 3 * BYTES + 0x40);
	jit_name_look(false);
	has_no_name(old + 3 * BYTES + 0x50);
	is_named(old + 3 * BYTES + 0x40, "Eval:~g /srv/app.js:2:1", 0x40);

	tell_piece(old, BYTES, "JS:*new /srv/app.js:3:1");
	for (uint64_t offset = 0; offset <= BYTES; offset += 0x10)
		come_from(old + offset);
	jit_name_look(false);
	has_no_name(old);
	has_no_name(old + 0x40);
	has_no_name(old + 0x80);
	is_named(old + 0x10, "JS:*new /srv/app.js:3:1", 0x10);
	is_named(old + 0x50, "JS:*new /srv/app.js:3:1", 0x50);
	is_named(old + BYTES, "JS:*new /srv/app.js:3:1", BYTES);
	// Another copy there: it has not moved by that, but where it calls.
	come_from(old + 5 * BYTES + 0x40);
	come_from(old + 5 * BYTES + 0x50);
	tell_piece(old + 5 * BYTES, BYTES, "JS:*h /srv/app.js:4:1");
	jit_name_look(false);
	tell_piece(old + 5 * BYTES, BYTES, "JS:~other /srv/app.js:5:1");
	jit_name_look(false);
	is_named(old + 5 * BYTES + 0x50, "JS:*h /srv/app.js:4:1", 0x50);
	has_no_name(old + 5 * BYTES + 0x40);
	unlink(path);
}

#else

// What calls look like is not known there.
static void
judge(void)
{
}

#endif

int
main(void)
{
	start_map();
	judge();
	return 0;
}
