// of a kernel
// of glibc
// A program that loads the library itself, and lets go of it, runs on: what the C library calls at
// forks and at the end is still there. Its log says that nothing is recorded.

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

static const char program[] =
	"#include <dlfcn.h>\n#include <stdlib.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
	"int main(int count, char **arguments) {\n"
	"	int status = -1;\n"
	"	for (int round = 0; round < 3; round++) {\n"
	"		void *library = dlopen(arguments[1], RTLD_NOW);\n"
	"		if (count != 2 || !library || dlclose(library) != 0) return 2;\n"
	"	}\n"
	"	pid_t child = fork();\n"
	"	if (child == 0) exit(0);\n"
	"	waitpid(child, &status, 0);\n"
	"	for (size_t i = 0; i < 1000; i++) free(malloc(i));\n"
	"	return status == 0 ? 0 : 3;\n"
	"}\n";

void
host(void)
{
}

void
check(const struct logfile *log)
{
	int status;

	(void)log;
	build_c("program", "", program);
	pid_t child = fork();
	if (child == 0) {
		unsetenv("LD_PRELOAD");
		execl("./program", "program", host_library(), (char *)NULL);
		_exit(127);
	}
	expect(waitpid(child, &status, 0) == child);
	expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	expect_equal((uint64_t)count_files("pmem."), 1);
	expect(system("grep -q 'nothing is recorded' pmem.*.log") == 0);
}
