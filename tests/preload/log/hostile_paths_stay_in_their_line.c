// A program, and the directory it starts in, may have names with line ends, escape
// sequences and blanks: in the log's header and note they are escaped, and end no word.

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

#define DIRECTORY "a dir\n# pmem 1\x1b]0;x\x07 host=you"
#define PROGRAM "pro gram\r\n[ 99]=\x1b[2J pid=1 \xf0\x9f\x92\xa3"

void
host(void)
{
	char path[PATH_MAX];

	if (host_role()[0] == '1') {
		free(malloc(3 << 20));
		return;
	}
	expect(realpath("/proc/self/exe", path) != NULL && setenv("SELF", path, 1) == 0);
	expect(mkdir(DIRECTORY, 0700) == 0 && chdir(DIRECTORY) == 0);
	setenv("TARGET", PROGRAM, 1);
	expect(system("cp \"$SELF\" \"$TARGET\"") == 0);
	// So that the log has to go elsewhere, and says why.
	snprintf(path, sizeof(path), "pmem.%d.log", getpid());
	expect(mkdir(path, 0700) == 0);
	setenv("ROLE", "1", 1);
	become("./" PROGRAM);
}

void
check(const struct logfile *log)
{
	char path[64];
	struct logfile fallen;

	(void)log;
	snprintf(path, sizeof(path), "/tmp/pmem.%d.log", host_pid);
	char *text = read_file(path);
	read_log(&fallen, path);
	unlink(path);
	for (const char *at = text; *at; at++)
		expect(*at == '\n' || (*at >= 0x20 && *at <= 0x7e));
	expect_equal(fallen.run_count, 1);
	expect_equal(fallen.runs[0].pid, host_pid);
	const char *header = fallen.runs[0].header;
	expect(strstr(header, "/pro\\x20gram\\x0d\\x0a[\\x2099]=\\x1b[2J\\x20pid=1") != NULL);
	expect(strstr(header, " host=you") == NULL);
	expect_equal(fallen.note_count, 1);
	expect(strstr(fallen.notes[0], "/a dir\\x0a# pmem 1\\x1b]0;x\\x07 host=you/pmem.") != NULL);
	expect(strstr(fallen.notes[0], ".log: is a directory\n") != NULL);
	expect(log_last(&fallen)->number >= 2);
}
