// A perf map that is not this process's own is not read: what was there before the process began,
// another user's, a link, what is no file. Of one that goes on behind what was there, what is new.

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unit.h"
#include "base/sys.h"
#include "base/libc.h"
#include "base/file.h"
#include "base/text.h"
#include "names/jit_map.h"

static char path[64];
static char told[1024];

static void
take(const struct jit_record *line)
{
	size_t length = strlen(told);
	snprintf(told + length, sizeof(told) - length, "%.*s,", (int)line->length,
		line->name);
}

static void
write_map(const char *mode, const char *text)
{
	FILE *map = fopen(path, mode);
	expect(map != NULL && fputs(text, map) >= 0 && fclose(map) == 0);
}

static void
expect_told(int line, const char *wanted)
{
	bool anew;

	told[0] = '\0';
	if (jit_map_look(&anew))
		jit_map_read(1 << 20, take);
	if (strcmp(told, wanted) == 0)
		return;
	fprintf(stderr, "line %d: told \"%s\", not \"%s\"\n", line, told, wanted);
	exit(1);
}
#define is_told(wanted) expect_told(__LINE__, wanted)

// As another process, which finds what lies there.
static void
in_another(void (*what)(void))
{
	int status;
	pid_t pid = fork();
	expect(pid >= 0);
	if (pid == 0) {
		what();
		_exit(0);
	}
	expect(waitpid(pid, &status, 0) == pid && status == 0);
}

static void
make_path(void)
{
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
	unlink(path);
}

static void
what_was_there_is_anothers(void)
{
	make_path();
	write_map("w", "1000 10 old\n");
	jit_map_start(getpid());
	is_told("");
	// As CPython does.
	write_map("a", "2000 10 mine\n");
	is_told("mine,");
	write_map("a", "3000 10 more\n");
	is_told("more,");
	// As V8 does, though it is longer by now.
	write_map("w", "1000 10 new\n2000 10 map\n3000 10 all of it\n4000 10 mine\n");
	is_told("new,map,all of it,mine,");
	unlink(path);
}

static void
what_is_no_file_is_left_alone(void)
{
	char other[] = "other";

	make_path();
	jit_map_start(getpid());
	FILE *file = fopen(other, "w");
	fputs("1000 10 linked\n", file);
	fclose(file);
	char *real = realpath(other, NULL);
	expect(real && symlink(real, path) == 0);
	is_told("");
	unlink(path);
	expect(mkfifo(path, 0600) == 0);
	is_told("");
	unlink(path);
	expect(mkdir(path, 0700) == 0);
	is_told("");
	rmdir(path);
	write_map("w", "1000 10 mine\n");
	is_told("mine,");
	unlink(path);
}

static void
anothers_is_left_alone(void)
{
	if (geteuid() != 0)
		return;
	make_path();
	jit_map_start(getpid());
	write_map("w", "1000 10 planted\n");
	expect(chown(path, 65534, 65534) == 0);
	is_told("");
	unlink(path);
}

static void
a_child_believes_a_younger_one_alone(void)
{
	make_path();
	write_map("w", "1000 10 old\n");
	usleep(100000);
	jit_map_fork(getpid(), sys_clock(CLOCK_REALTIME));
	is_told("");
	unlink(path);
	write_map("w", "1000 10 mine\n");
	struct statx status;
	expect(statx(AT_FDCWD, path, 0, STATX_BTIME, &status) == 0);
	is_told(status.stx_mask & STATX_BTIME ? "mine," : "");
	unlink(path);
}

// Which file it is, and how much of it was read, is told once, and again when the log's file is
// another; of what is not read nothing is told.
static void
the_log_says_which_was_read(void)
{
	char bytes[JIT_MAP_LINE_BYTES], wanted[JIT_MAP_LINE_BYTES];
	struct text text = {.bytes = bytes, .size = sizeof(bytes)};
	struct stat status;

	make_path();
	write_map("w", "1000 10 old\n");
	jit_map_start(getpid());
	is_told("");
	expect(!jit_map_write(&text));
	write_map("w", "1000 10 mine\n2000 10 ha");
	is_told("mine,");
	expect(stat(path, &status) == 0);
	snprintf(wanted, sizeof(wanted), "# map inode=%lu bytes=23 read=13 %s\n",
		(unsigned long)status.st_ino, path);
	expect(jit_map_write(&text) && !jit_map_write(&text));
	expect(text.length == strlen(wanted) && memcmp(bytes, wanted, text.length) == 0);
	unlink(path);
	is_told("");
	expect(!jit_map_write(&text));
	jit_map_forget_told();
	text.length = 0;
	expect(jit_map_write(&text) && memcmp(bytes, wanted, text.length) == 0);
	jit_map_fork(getpid(), sys_clock(CLOCK_REALTIME));
	expect(!jit_map_write(&text));
}

int
main(void)
{
	expect(libc_start());
	file_start();
	in_another(what_was_there_is_anothers);
	in_another(what_is_no_file_is_left_alone);
	in_another(anothers_is_left_alone);
	in_another(a_child_believes_a_younger_one_alone);
	in_another(the_log_says_which_was_read);
	return 0;
}
