// of a kernel
// A program with raised rights (AT_SECURE), which has the library among those it is linked
// with, runs as without it: no file, no word. Statically linked programs never see it.

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static const char PROGRAM[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <sys/auxv.h>\n"
	"int main(void) {\n"
	"	for (int i = 0; i < 100000; i++) free(realloc(malloc(10), 1000));\n"
	"	void *block = calloc(1, 100); block = realloc(block, 200);\n"
	"	return printf(\"secure %lu %s\\n\", getauxval(AT_SECURE), block ? \"block\" : \"NULL\") < 0;\n"
	"}\n";
static const uid_t NOBODY = 65534;
static const uid_t OTHER = 12345;

// What it prints, run by nobody in a folder that anybody may write to.
static void
expect_output(const char *program, bool preload, const char *output)
{
	char command[1024];
	char line[100] = "";
	snprintf(command, sizeof(command), "cd open && %s%s %s 2>&1", preload ? "LD_PRELOAD=" : "",
		preload ? host_library() : "", program);
	pid_t child = fork();
	if (child == 0) {
		if (geteuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
			_exit(1);
		FILE *pipe = popen(command, "r");
		bool same = fgets(line, sizeof(line), pipe) && strcmp(line, output) == 0
			&& !fgets(line, sizeof(line), pipe) && pclose(pipe) == 0;
		if (!same)
			fprintf(stderr, "%s: %s", command, line);
		_exit(!same);
	}
	int status = -1;
	expect(waitpid(child, &status, 0) == child && status == 0);
}

static int
files_in_open(void)
{
	expect(chdir("open") == 0);
	int count = count_files("") - 2;
	expect(chdir("..") == 0);
	return count;
}

void
host(void)
{
}

void
check(const struct logfile *log)
{
	char flags[1024];
	expect_equal(log->run_count, 0);
	if (!is_root())
		skip("root");
	// The way here may be closed to others.
	char folder[] = "/tmp/pmem-setuid.XXXXXX";
	struct statvfs mount;
	expect(statvfs("/tmp", &mount) == 0);
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 0 || (mount.f_flag & ST_NOSUID))
		skip("programs that may gain rights");
	expect(mkdtemp(folder) && chmod(folder, 0755) == 0 && chdir(folder) == 0);
	expect(mkdir("open", 0777) == 0 && chmod("open", 0777) == 0);
	build_c("static", "-static", PROGRAM);
	snprintf(flags, sizeof(flags), "-Wl,--no-as-needed -L. -lpmem -Wl,-rpath,%s", folder);
	char command[1024];
	snprintf(command, sizeof(command), "cp '%s' libpmem.so && chmod 755 libpmem.so", host_library());
	expect(system(command) == 0);
	build_c("linked", flags, PROGRAM);
	build_c("raised", flags, PROGRAM);
	expect(chown("raised", OTHER, OTHER) == 0 && chmod("raised", 06755) == 0);

	expect_output("../static", true, "secure 0 block\n");
	expect_equal(files_in_open(), 0);
	expect_output("../raised", false, "secure 1 block\n");
	expect_equal(files_in_open(), 0);
	expect_output("../linked", false, "secure 0 block\n");
	expect_equal(files_in_open(), 1);
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	expect(system(command) == 0);
}
