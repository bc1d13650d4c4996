// What the kernel's files say of memory and swap, in files that the test makes up: of a group, of one in
// another, of cgroups' first version, of the machine; and that a group has no more swap than the
// machine has left, whatever it is allowed.

#include <errno.h>
#include <string.h>

#include "unit.h"

// The module is compiled here, so that it reads the files of the test.
#define file_peek peek_made_up
#define memory_limit_look look
#define memory_limit_fork look_anew
#include "log/memory_limit.c"

static const struct made_up {
	const char *path, *text;
} *files;

long
peek_made_up(const char *path, char *bytes, size_t size)
{
	for (const struct made_up *file = files; file->path; file++) {
		if (strcmp(file->path, path) == 0) {
			expect(strlen(file->text) < size);
			memcpy(bytes, file->text, strlen(file->text));
			return (long)strlen(file->text);
		}
	}
	return -ENOENT;
}

// Expects what the first look finds in these files.
static void
expect_limit(const struct made_up *made_up, struct memory_limit wanted)
{
	struct memory_limit found;

	files = made_up;
	look_anew();
	look(&found, SECOND);
	expect(found.used == wanted.used && found.most == wanted.most);
	expect(found.is_machine == wanted.is_machine && found.oom_kills == wanted.oom_kills);
	expect(found.swap_most == wanted.swap_most);
	expect(wanted.swap_most == 0 || found.swap_used == wanted.swap_used);
}

#define MEMINFO(swap, left) \
	{"/proc/meminfo", "MemTotal:  100 kB\nMemFree: 1 kB\nMemAvailable:  60 kB\n" swap left}
#define GROUP(swap_most) \
	{"/proc/self/cgroup", "0::/a/b\n"}, {"/sys/fs/cgroup/a/b/memory.max", "5000\n"}, \
	{"/sys/fs/cgroup/a/b/memory.current", "3000\n"}, \
	{"/sys/fs/cgroup/a/b/memory.events", "low 0\noom_kill 7\n"}, \
	{"/sys/fs/cgroup/a/b/memory.swap.current", "1000\n"}, \
	{"/sys/fs/cgroup/a/b/memory.swap.max", swap_most "\n"}

// Within so many looks, a second apart, each of a group's numbers is read anew.
static void
what_changes_is_read_anew(void)
{
	static const struct made_up before[] = {GROUP("6000"), MEMINFO("SwapTotal: 90 kB\n",
		"SwapFree: 80 kB\n"), {NULL, NULL}};
	static const struct made_up after[] = {{"/sys/fs/cgroup/a/b/memory.max", "5001\n"},
		{"/sys/fs/cgroup/a/b/memory.current", "3001\n"},
		{"/sys/fs/cgroup/a/b/memory.events", "oom_kill 8\n"},
		{"/sys/fs/cgroup/a/b/memory.swap.current", "1001\n"},
		{"/sys/fs/cgroup/a/b/memory.swap.max", "6001\n"},
		MEMINFO("SwapTotal: 90 kB\n", "SwapFree: 80 kB\n"), {NULL, NULL}};
	struct memory_limit found, last = {0};
	int said = 0;

	expect_limit(before, (struct memory_limit){.used = 3000, .most = 5000, .oom_kills = 7,
		.swap_used = 1000, .swap_most = 6000});
	files = after;
	for (int i = 0; i < 2 * LOOKS; i++) {
		look(&found, (int64_t)(i + 2) * SECOND);
		if (found.most > 0) {
			last = found;
			said++;
		}
	}
	expect(said == 2 * (LOOKS - 3));
	expect(last.used == 3001 && last.most == 5001 && last.oom_kills == 8);
	expect(last.swap_used == 1001 && last.swap_most == 6001);
}

int
main(void)
{
	expect_limit((const struct made_up[]){MEMINFO("", ""), {NULL, NULL}},
		(struct memory_limit){.used = 40 << 10, .most = 100 << 10, .is_machine = true});
	expect_limit((const struct made_up[]){MEMINFO("SwapTotal: 0 kB\n", "SwapFree: 0 kB\n"), {NULL, NULL}},
		(struct memory_limit){.used = 40 << 10, .most = 100 << 10, .is_machine = true});
	expect_limit((const struct made_up[]){MEMINFO("SwapTotal: 50 kB\n", "SwapFree: 20 kB\n"), {NULL, NULL}},
		(struct memory_limit){.used = 40 << 10, .most = 100 << 10, .is_machine = true,
			.swap_used = 30 << 10, .swap_most = 50 << 10});
	struct memory_limit group = {.used = 3000, .most = 5000, .oom_kills = 7};
	expect_limit((const struct made_up[]){GROUP("6000"), {NULL, NULL}}, group);
	expect_limit((const struct made_up[]){GROUP("6000"), MEMINFO("", ""), {NULL, NULL}},
		(struct memory_limit){.used = 3000, .most = 5000, .oom_kills = 7, .swap_used = 1000, .swap_most = 1000});
	expect_limit((const struct made_up[]){GROUP("max"), MEMINFO("SwapTotal: 50 kB\n",
		"SwapFree: 20 kB\n"), {NULL, NULL}}, group);
	expect_limit((const struct made_up[]){GROUP("0"), MEMINFO("SwapTotal: 50 kB\n",
		"SwapFree: 20 kB\n"), {NULL, NULL}}, group);
	group.swap_used = 1000;
	group.swap_most = 6000;
	expect_limit((const struct made_up[]){GROUP("6000"), MEMINFO("SwapTotal: 50 kB\n",
		"SwapFree: 20 kB\n"), {NULL, NULL}}, group);
	group.swap_most = 1000 + (2 << 10);
	expect_limit((const struct made_up[]){GROUP("6000"), MEMINFO("SwapTotal: 50 kB\n",
		"SwapFree: 2 kB\n"), {NULL, NULL}}, group);
	expect_limit((const struct made_up[]){{"/proc/self/cgroup", "4:memory:/a\n0::/\n"},
		{"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n"},
		{"/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "10\n"},
		{"/sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n"},
		{"/sys/fs/cgroup/memory/memory.usage_in_bytes", "3000\n"},
		MEMINFO("SwapTotal: 50 kB\n", "SwapFree: 20 kB\n"), {NULL, NULL}},
		(struct memory_limit){.used = 3000, .most = 5000});
	what_changes_is_read_anew();
	return 0;
}
