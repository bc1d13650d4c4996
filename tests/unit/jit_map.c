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
what_was_there_at_a_fork_is_anothers(void)
{
	make_path();
	write_map("w", "1000 10 old\n2000 10 ha");
	jit_map_start(getpid());
	is_told("");
	write_map("a", "\n3000 10 mine\n");
	is_told("mine,");
	unlink(path);
	write_map("w", "4000 10 another\n");
	is_told("another,");
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
	jit_map_start(getpid());
	expect(!jit_map_write(&text));
}

// Another file has its name since the look.
static void
another_of_the_name_is_not_read(void)
{
	bool is_other;

	make_path();
	jit_map_start(getpid());
	write_map("w", "1000 10 mine\n");
	expect(jit_map_look(&is_other) && is_other);
	write_map("w", "1000 10 mine\n");
	expect(rename(path, "mine") == 0);
	write_map("w", "1000 10 other\n");
	told[0] = '\0';
	jit_map_read(1 << 20, take);
	expect(!told[0] && !jit_map_has_read(jit_map_mark()));
	unlink(path);
	// Nor is a descriptor left open.
	int fd = open("/dev/null", O_RDONLY);
	is_told("");
	int next = open("/dev/null", O_RDONLY);
	expect(next == fd + 1);
}

int
main(void)
{
	expect(libc_start());
	file_start();
	in_another(what_was_there_is_anothers);
	in_another(what_is_no_file_is_left_alone);
	in_another(anothers_is_left_alone);
	in_another(what_was_there_at_a_fork_is_anothers);
	in_another(the_log_says_which_was_read);
	in_another(another_of_the_name_is_not_read);
	return 0;
}
