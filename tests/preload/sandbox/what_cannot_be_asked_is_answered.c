// of a kernel
// of glibc
// Each of pmem.h's functions says by a number what it cannot do, and does nothing: for labels that
// are none, numbers of no source, before the start and behind the last snapshot, in a child of
// vfork(), in a sandbox, on a full disk, and in a program that is left alone.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmem.h"
#include "host.h"
#include "seccomp.h"

// Its constructor runs before ours, its exit handler behind ours.
static const char EARLY[] =
	"#include <stdlib.h>\n"
	"#include <unistd.h>\n"
	"#include \"pmem.h\"\n"
	"extern int __cxa_atexit(void (*)(void *), void *, void *);\n"
	"static void ask(void) {\n"
	"	if (pmem_snapshot(\"x\") != PMEM_OFF || pmem_reset() != PMEM_OFF) _exit(10);\n"
	"	if (pmem_pause() != PMEM_OFF || pmem_resume() != PMEM_NOT_PAUSED) _exit(11);\n"
	"	if (pmem_label(\"x\") != PMEM_OFF || pmem_label(NULL) != PMEM_OFF) _exit(14);\n"
	"}\n"
	"static void late(void *unused) {\n"
	"	ask();\n"
	"	if (pmem_live() < 0 || pmem_sources() < 2) _exit(12);\n"
	"}\n"
	"__attribute__((constructor)) static void start(void) {\n"
	"	__cxa_atexit(late, 0, 0);\n"
	"	free(malloc(10));\n"
	"	ask();\n"
	"	if (pmem_live() < 0 || pmem_sources() < 1) _exit(13);\n"
	"}\n";

static void
labels(void)
{
	static const char *const bad[] = {NULL, "", "a\nb", "\t", "\x7f", "\x1b[1m", "\xff", "a\x80",
		"\xc3", "\xc3(", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xe0\x9f\xbf", "\xed\xa0\x80",
		"\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc2\x85", "\xc2\x9f",
		"\xe2\x82"};
	static const char *const good[] = {"a", "\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
		"\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "~"};
	char too_long[PMEM_LABEL_BYTES + 2];

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		expect(pmem_snapshot(bad[i]) == PMEM_INVALID);
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[PMEM_LABEL_BYTES + 1] = '\0';
	expect(pmem_snapshot(too_long) == PMEM_INVALID);
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		expect(pmem_snapshot(good[i]) == (long)i);
}

static void
sources(void)
{
	struct pmem_source source = {.id = 42};
	void *frames[2];

	use(malloc(10));
	expect(pmem_source_at(-1, &source, NULL, 0) == PMEM_INVALID);
	expect(pmem_source_at(pmem_sources(), &source, NULL, 0) == PMEM_INVALID);
	expect(pmem_source_at(1L << 40, &source, NULL, 0) == PMEM_INVALID);
	expect(pmem_source_at(1, NULL, NULL, 0) == PMEM_INVALID);
	expect(pmem_source_at(1, &source, NULL, 2) == PMEM_INVALID);
	expect(pmem_source_at(1, &source, frames, -1) == PMEM_INVALID);
	expect(source.id == 42);
	expect(pmem_source_at(1, &source, NULL, 0) == 1 && source.depth > 1);
	expect(pmem_source_at(1, &source, frames, 2) == 1 && frames[0] && frames[1]);
	expect(pmem_resume() == PMEM_NOT_PAUSED);
}

// Frames that are no line of Python or Ruby, though they look like one.
static void
lines(void)
{
	struct pmem_source source;
	void *frames[2];
	char text[8] = "before";

	expect(pmem_source_at(1, &source, frames, 2) == 1);
	uintptr_t none[] = {0, (uintptr_t)frames[0], (uintptr_t)frames[1], (uintptr_t)text,
		(UINT64_C(1) << 47) - 1, UINT64_C(1) << 47, (UINT64_C(1) << 47) + 1,
		(UINT64_C(1) << 47) + 32767, (UINT64_C(1) << 47) + 32768, UINTPTR_MAX};
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		expect(pmem_frame_line((void *)none[i], text, sizeof(text)) == PMEM_INVALID);
	expect(strcmp(text, "before") == 0);
}

static void
in_vfork(void)
{
	pid_t child = vfork();
	if (child == 0) {
		bool is_right = pmem_snapshot("x") == PMEM_VFORK && pmem_reset() == PMEM_VFORK
			&& pmem_pause() == PMEM_VFORK && pmem_resume() == PMEM_VFORK && pmem_live() > 0
			&& pmem_sources() > 1 && pmem_label("x") == PMEM_VFORK;
		_exit(is_right ? 0 : 1);
	}
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
	expect(pmem_pause() == 1 && pmem_resume() == 0);
}

static void
expect_child(void (*work)(void))
{
	pid_t child = fork();
	int status = -1;

	if (child == 0) {
		work();
		_exit(0);
	}
	expect(waitpid(child, &status, 0) == child && status == 0);
}

static void
unwritten(void)
{
	use(malloc(10));
	expect(pmem_snapshot("x") == PMEM_UNWRITTEN);
	expect(pmem_reset() == PMEM_UNWRITTEN);
	expect(pmem_live() > 0);
	struct pmem_source source;
	for (long number = 0; number < pmem_sources(); number++)
		if (pmem_source_at(number, &source, NULL, 0) > 0)
			expect(source.alloc_since == source.alloc);
}

static void
in_sandbox(void)
{
	seccomp_begin();
	seccomp_rule(SYS_openat, SECCOMP_RET_ERRNO | 13);
	expect(seccomp_end(SECCOMP_RET_ALLOW, false));
	unwritten();
}

static void
on_full_disk(void)
{
	struct rlimit none = {0, 0};
	expect(setrlimit(RLIMIT_FSIZE, &none) == 0);
	unwritten();
}

void
host(void)
{
	char preload[1024];

	if (strcmp(host_role(), "nothing") == 0)
		return;
	labels();
	sources();
	lines();
	in_vfork();
	expect_child(in_sandbox);
	expect_child(on_full_disk);
	build_c("./early.so", "-shared -fPIC -I\"$PMEM_ROOT/src\"", EARLY);
	snprintf(preload, sizeof(preload), "%s:./early.so", host_library());
	expect_equal((uint64_t)run_preloaded("nothing", preload, NULL), 0);
}

void
check(const struct logfile *log)
{
	int asked = 0;

	for (int i = 0; i < log->snapshot_count; i++)
		asked += log->snapshots[i].label[0] != '\0';
	expect_equal((uint64_t)asked, 9);
	expect_equal(log_loss(log_last(log), "untracked_frees"), 0);
}
