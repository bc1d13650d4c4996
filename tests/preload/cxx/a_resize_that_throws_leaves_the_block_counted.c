// mi_new_realloc() and its kin call the new-handler where there is no memory: what leaves
// by that leaves the block as it was, with its tag, and what succeeds in the end is
// counted.

#include <malloc.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { ROUNDS = 50, BYTES = 100, LARGE = 2 << 20 };

void *mi_new_realloc(void *old, size_t bytes) __attribute__((weak));
void *mi_new_reallocn(void *old, size_t count, size_t size) __attribute__((weak));
extern bool full __attribute__((weak));
extern void (*handler)(void) __attribute__((weak));

// An allocator that is full for large blocks, with mimalloc's two functions.
static const char allocator[] =
	"#define realloc with_room\n"
	"#include <stdbool.h>\n"
	"#include \"%s/tests/lib/safe_malloc.c\"\n"
	"#undef realloc\n"
	"bool full;\n"
	"void (*handler)(void);\n"
	"void *realloc(void *old, size_t bytes)\n"
	"{ return full && bytes > 1 << 20 ? 0 : with_room(old, bytes); }\n"
	"void *mi_new_realloc(void *old, size_t bytes)\n"
	"{ void *block; while (!(block = realloc(old, bytes))) handler(); return block; }\n"
	"void *mi_new_reallocn(void *old, size_t count, size_t size)\n"
	"{ return mi_new_realloc(old, count * size); }\n";

static sigjmp_buf out;

static void leave(void) { siglongjmp(out, 1); }
static void make_room(void) { full = false; }

FRAME void *
resize(void *old, int how)
{
	full = true;
	void *block = how ? mi_new_reallocn(old, 2, LARGE / 2) : mi_new_realloc(old, LARGE);
	use(block);
	return block;
}

FRAME void
left(int how)
{
	char *block = memset(malloc(BYTES), 'x', BYTES);
	handler = leave;
	if (sigsetjmp(out, 1) == 0)
		expect(resize(block, how) == NULL);
	expect(block[BYTES - 1] == 'x' && malloc_usable_size(block) >= BYTES);
	if (how)
		free(block);
}

FRAME void
made(int how)
{
	handler = make_room;
	char *block = resize(memset(malloc(BYTES), 'x', BYTES), how);
	expect(block[BYTES - 1] == 'x');
	memset(block, 'y', malloc_usable_size(block));
	if (how)
		free(block);
}

void
host(void)
{
	if (strcmp(host_role(), "full") != 0)
		return;
	for (int i = 0; i < ROUNDS; i++)
		left(i % 2), made(i % 2);
}

void
check(const struct logfile *unused)
{
	char *text, *preload;
	struct logfile log;
	(void)unused;
	expect(asprintf(&text, allocator, getenv("PMEM_ROOT")) > 0);
	build_c("full.so", "-U_GNU_SOURCE -shared -fPIC -Wl,-Bsymbolic", text);
	expect(asprintf(&preload, "%s:./full.so", host_library()) > 0);
	expect_equal((uint64_t)run_preloaded("full", preload, NULL), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	// Half of them are freed in the end.
	expect_equal(log_sum(last, "(left+").live, ROUNDS / 2 * BYTES);
	expect_equal(log_sum(last, "(resize+").live, (uint64_t)ROUNDS / 2 * LARGE);
	expect_equal(last->total.live, (uint64_t)ROUNDS / 2 * (BYTES + LARGE));
	expect_equal(log_loss(last, "untracked_frees"), 0);
	expect_equal(log_loss(last, "damaged"), 0);
}
