// SPDX-License-Identifier: BSD-2-Clause
// pmem run: runs a command with the library preloaded. Whoever runs a command by pmem should notice
// no difference to running it directly (find/child.c). The logs' names are printed at the start and
// at the end (find/logs.c).

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "base/system.h"
#include "base/options.h"
#include "find/find.h"
#include "log/log.h"

// The characters that separate entries of LD_PRELOAD (ld.so(8)).
#define SEPARATORS " :"

enum {
	EXIT_CANNOT_RUN = 126,
	EXIT_NOT_FOUND = 127,
};

static struct {
	bool lines;
	bool report;
	bool sampled;
} wanted;

// Environment variables for interpreters. With them, objects are blocks of malloc, and stacks have
// the names of the program's functions. Programs that do not know a variable ignore it.
static const struct setting {
	const char *name, *value;
	// true if the value is a list of options, which is added to what the caller has set
	bool is_list;
} settings[] = {
	{"PYTHONMALLOC", "malloc", false},
	{"NODE_OPTIONS", "--perf-basic-prof --interpreted-frames-native-stack", true},
	{"USE_ZEND_ALLOC", "0", false},
};

static const struct option options[] = {
	{"lines", 0, OPTION_FLAG, &wanted.lines, NULL},
	{"report", 0, OPTION_FLAG, &wanted.report, NULL},
	{"sampled", 0, OPTION_FLAG, &wanted.sampled, NULL},
	{0},
};

const struct option *const run_tables[] = {options, NULL};

const char run_help[] =
	"usage: pmem run [--lines] [--report] [--sampled] [--] COMMAND [ARGUMENT...]\n"
	"\n"
	"Runs COMMAND with " PATH_LIBRARY " preloaded, and says where its logs are.\n"
	"  pmem run -- ls -l                      one command\n"
	"  pmem run -- sh -c 'ls | wc -l'         a command, and all that it starts\n"
	"  pmem run --report -- sort /etc/passwd  then what leaks and what holds most\n"
	"\n"
	"  library          the " PATH_LIBRARY " that lies beside pmem; other preloads are kept\n"
	"  signals          pmem passes signals on to COMMAND\n"
	"  log              pmem names COMMAND's log on standard error at once\n"
	"  logs             at the end pmem lists logs of COMMAND and its descendants:\n"
	"                   those where COMMAND started, or in the fallback directory of\n"
	"                   config.h. Logs of other processes that began there in the\n"
	"                   meantime are listed, too\n"
	"  no log           a process may have changed its root (chroot) or user, or be\n"
	"                   kept from writing (systemd's ProtectSystem, a sandbox).\n"
	"                   README, \"Where the log is\", shows a remedy\n"
	"\n"
	"  --lines              set PYTHONMALLOC=malloc, USE_ZEND_ALLOC=0 and two\n"
	"                       NODE_OPTIONS: then objects of Python and PHP are blocks,\n"
	"                       and functions of node have names. It is slower\n"
	"  --report             say on standard error what leaks and what holds most, as\n"
	"                       pmem leaks and pmem report do: at the end, or at the peak\n"
	"                       if less than a tenth of the peak is left at the end\n"
	"  --sampled            preload " PATH_SAMPLED " instead: it records a\n"
	"                       block in 512 KiB, estimates, and costs next to nothing\n"
	"\n"
	"Exit status: that of COMMAND. A signal that ends COMMAND ends pmem, too.\n"
	"Else 2 for a wrong command line, 125 when pmem itself fails, 126 when COMMAND\n"
	"cannot be run, 127 when COMMAND is not found.\n";

// Sets `path` to the path of the library, which must lie beside this program.
static void
find_library(char *path, size_t size, const char *name)
{
	ssize_t length = readlink("/proc/self/exe", path, size);
	if (length < 0)
		die(EXIT_SELF, "/proc/self/exe: cannot tell where %s is:", name);
	if ((size_t)length == size)
		die(EXIT_SELF, "%s: the path of the directory is too long", name);
	path[length] = '\0';

	size_t dir = (size_t)(strrchr(path, '/') + 1 - path);
	if (dir + strlen(name) >= size)
		die(EXIT_SELF, "%s: the path of the directory is too long", name);
	strcpy(path + dir, name);
	if (access(path, R_OK) != 0) {
		path[dir - 1] = '\0';
		die(EXIT_SELF, "%s: must lie beside pmem, in %s: copy it there (./compile.sh makes both in "
			"build):", name, path);
	}
	if (strpbrk(path, SEPARATORS))
		die(EXIT_SELF, "%s: LD_PRELOAD cannot hold a path with a blank or a colon: copy pmem and "
			"%s to a folder without them, say /opt/pmem", path, name);
}

// Returns true if this entry of the caller's LD_PRELOAD is kept, besides our library.
static bool
is_kept(const char *entry, const char *library)
{
	if (path_is_same_file(entry, library))
		return false;
	if (!path_is_library(entry))
		return true;
	// The entry is another library of ours. Both libraries would write to the same log.
	warn("%s: left out of LD_PRELOAD in favour of %s", entry, library);
	return false;
}

// Sets LD_PRELOAD. Our library comes first. So it sees each call as the program makes it.
static void
set_preload(const char *library)
{
	const char *rest = getenv("LD_PRELOAD");
	if (!rest)
		rest = "";
	char *list = malloc(strlen(library) + 1 + strlen(rest) + 1);
	char *entry = malloc(strlen(rest) + 1);
	if (!list || !entry)
		die(EXIT_SELF, "LD_PRELOAD:");

	char *end = stpcpy(list, library);
	for (rest += strspn(rest, SEPARATORS); *rest; rest += strspn(rest, SEPARATORS)) {
		size_t length = strcspn(rest, SEPARATORS);
		memcpy(entry, rest, length);
		entry[length] = '\0';
		rest += length;
		if (is_kept(entry, library))
			end = stpcpy(stpcpy(end, ":"), entry);
	}
	if (setenv("LD_PRELOAD", list, 1) != 0)
		die(EXIT_SELF, "LD_PRELOAD:");
	free(entry);
	free(list);
}

// For --lines: sets the variables for interpreters, and prints which ones. A variable that the
// caller has set is not changed, unless it is a list.
static void
set_lines(void)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		const struct setting *setting = &settings[i];
		const char *old = getenv(setting->name);
		bool is_set = old && *old;
		if (is_set && (!setting->is_list || strstr(old, setting->value))) {
			warn("run: --lines: %s=%s stays", setting->name, old);
			continue;
		}
		char *value = malloc((is_set ? strlen(old) : 0) + 1 + strlen(setting->value) + 1);
		if (!value)
			die(EXIT_SELF, "run: --lines:");
		strcpy(is_set ? stpcpy(stpcpy(value, old), " ") : value, setting->value);
		if (setenv(setting->name, value, 1) != 0)
			die(EXIT_SELF, "run: --lines:");
		warn("run: --lines: set %s=%s", setting->name, value);
		free(value);
	}
}

// Runs another subcommand of pmem on the logs. Its output goes to standard error, because standard
// output belongs to the command. Its exit status is ignored. Returns false if the subcommand could
// not be run or was killed. Then the caller must run no further subcommand.
static bool
tell_by(const char *const *arguments, char **logs)
{
	size_t count = 0;
	size_t log_count = 0;

	while (arguments[count])
		count++;
	while (logs[log_count])
		log_count++;
	char **argv = calloc(1 + count + log_count + 1, sizeof(*argv));
	// Descriptors 0 and 1 were closed when the command was started. So open() returns 0, and
	// descriptor 1 becomes a copy of standard error.
	if (!argv || open("/dev/null", O_RDONLY) != STDIN_FILENO
		|| dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		warn("run: --report:");
		free(argv);
		return false;
	}
	argv[0] = (char *)"/proc/self/exe";
	memcpy(argv + 1, arguments, count * sizeof(*argv));
	memcpy(argv + 1 + count, logs, log_count * sizeof(*argv));
	pid_t child = child_start(argv);
	free(argv);
	if (child < 0) {
		warn("run: --report:");
		return false;
	}
	return WIFEXITED(child_wait(child));
}

// Compares two sums over all processes: the memory held at the end, and the peaks. Returns true if
// the first sum is less than a tenth of the second.
static bool
is_let_go(char **logs)
{
	double left = 0, most = 0;

	for (; *logs; logs++) {
		struct log *log = log_open(*logs);
		while (log && log_next(log))
			continue;
		const struct run *run = log ? log_last_run(log) : NULL;
		left += run ? (double)run->total.live : 0;
		most += run ? (double)run->peak : 0;
		if (log)
			log_close(log);
	}
	return left < most / 10;
}

static void
tell(char **logs)
{
	static const char *const leaks_arguments[] = {"leaks", "--", NULL};
	static const char *const report_arguments[] = {"report", "-n", "5", "--", NULL};
	static const char *const peak_arguments[] = {"report", "--at", "peak", "-n", "5", "--", NULL};

	if (!logs || !logs[0])
		return;
	if (tell_by(leaks_arguments, logs))
		tell_by(is_let_go(logs) ? peak_arguments : report_arguments, logs);
}

int
run_main(int argc, char **argv)
{
	char library[PATH_MAX];
	struct run_start start;
	char **command = options_parse_first(argc, argv, run_tables);
	const char *preload = getenv("LD_PRELOAD");

	if (!*command)
		options_refuse("run", "no command given");

	char *kept_preload = preload ? strdup(preload) : NULL;
	find_library(library, sizeof(library), wanted.sampled ? PATH_SAMPLED : PATH_LIBRARY);
	set_preload(library);
	if (wanted.lines)
		set_lines();
	logs_mark(&start);
	pid_t child = child_start(command);
	if (child < 0)
		die(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN, "%s:", command[0]);
	logs_foretell(&start, child);
	// Programs that we run afterwards must not be recorded.
	if (kept_preload)
		setenv("LD_PRELOAD", kept_preload, 1);
	else
		unsetenv("LD_PRELOAD");
	int status = child_wait(child);
	char **logs = logs_tell(&start, child, command, status);
	if (wanted.report)
		tell(logs);
	return child_repeat_end(status);
}
