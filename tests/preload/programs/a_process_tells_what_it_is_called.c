// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// of glibc
// The log has the command line, whatever bytes and however many it has, in the header and again
// where the process has changed its title or its name since: before the next snapshot, and once.
// So have a fork's child and the program after an exec, each its own.

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

// As the loader gives them to constructors.
static char **arguments;
static size_t argument_bytes; // with their NULs

__attribute__((constructor)) static void
start(int count, char **given)
{
	arguments = given;
	for (int i = 0; i < count; i++)
		argument_bytes += strlen(given[i]) + 1;
}

static void
churn(void)
{
	errno = 4711;
	free(malloc(5000));
	expect(errno == 4711);
}

// As PostgreSQL does it: what is left of the arguments is NULs.
static void
set_title(const char *title)
{
	memset(arguments[0], 0, argument_bytes);
	memcpy(arguments[0], title, strlen(title));
}

static void
change_titles(void)
{
	for (int i = 0; i < 3; i++)
		churn();
	set_title("server: idle");
	churn();
	churn();
	prctl(PR_SET_NAME, "a name");
	churn();
	churn();
	churn();
	set_title("server: \033[2J\n# pmem 1");
	churn();
	// Longer than the arguments were: over the environment.
	memset(arguments[0], 'x', argument_bytes + 20);
	arguments[0][argument_bytes + 20] = '\0';
	churn();
	set_title("");
	churn();
}

static void
exec_as(char **with)
{
	setenv("ROLE", "one", 1);
	execv("/proc/self/exe", with);
	abort();
}

void
host(void)
{
	static char much[4][400];
	const char *role = host_role();

	if (strcmp(role, "titles") == 0) {
		change_titles();
	} else if (strcmp(role, "odd") == 0) {
		exec_as((char *[]){(char *)"a b", (char *)"", (char *)"\x01\\\xff\n", (char *)"", NULL});
	} else if (strcmp(role, "long") == 0) {
		for (int i = 0; i < 4; i++)
			memset(much[i], 'a' + i, sizeof(much[i]) - 1);
		exec_as((char *[]){much[0], much[1], much[2], much[3], NULL});
	} else if (strcmp(role, "exactly") == 0) {
		memset(much[0], 'e', 399);
		memset(much[1], 'f', 112);
		exec_as((char *[]){much[0], much[1], NULL});
	} else if (strcmp(role, "fork") == 0) {
		churn();
		if (fork() == 0) {
			set_title("child");
			prctl(PR_SET_NAME, "young");
			churn();
			exit(0);
		}
		wait(NULL);
		churn();
	} else if (strcmp(role, "exec") == 0) {
		churn();
		exec_as((char *[]){(char *)"-other", (char *)"x", NULL});
	} else {
		churn();
	}
}

static struct logfile
log_of(const char *role)
{
	struct logfile log;

	expect_equal(run_again(role, true, NULL), 0);
	read_log_of(&log, again_pid);
	return log;
}

// Of a log's lines of this kind.
static const char *
title(const struct logfile *log, const char *kind, int number)
{
	for (int i = 0; i < log->title_count; i++) {
		size_t length = strlen(kind);
		if (strncmp(log->titles[i], kind, length) == 0 && log->titles[i][length] == ' '
			&& number-- == 0)
			return log->titles[i] + length + 1;
	}
	return "";
}

static void
expect_title(const struct logfile *log, const char *kind, int number, const char *text)
{
	const char *is = title(log, kind, number);
	if (strcmp(is, text) != 0)
		fprintf(stderr, "%s %d is %snot %s", kind, number, is, text);
	expect(strcmp(is, text) == 0);
}

static void
check_changes(void)
{
	char path[4096] = "";
	struct logfile log = log_of("titles");

	expect(readlink("/proc/self/exe", path, sizeof(path) - 2) > 0);
	char all_x[5000] = "";
	memset(all_x, 'x', strlen(path) + 1 + 20);
	strcat(all_x, "\n");
	expect(strstr(log.runs[0].header, " comm=a_process_tells ") != NULL);
	strcat(path, "\n");
	expect_title(&log, "command", 0, path);
	expect_title(&log, "command", 1, "server:\\x20idle\n");
	expect_title(&log, "command", 2, "server:\\x20\\x1b[2J\\x0a#\\x20pmem\\x201\n");
	expect_title(&log, "command", 3, all_x);
	expect_title(&log, "command", 4, "");
	expect_title(&log, "comm", 0, "a\\x20name\n");
	expect_title(&log, "comm", 1, "");
	expect(getcwd(path, sizeof(path) - 1) != NULL);
	strcat(path, "\n");
	expect_title(&log, "cwd", 0, path);
	expect_title(&log, "cwd", 1, "");
	char *cgroups = read_file("/proc/self/cgroup");
	const char *cgroup = title(&log, "cgroup", 0);
	// That of the second version, where it is one.
	if (strncmp(cgroups, "0::/", 4) == 0 && cgroups[4] != '\n')
		expect(strncmp(cgroups + 3, cgroup, strlen(cgroup)) == 0 && cgroup[0]);
	expect_title(&log, "cgroup", 1, "");
}

static void
check_arguments(void)
{
	char text[600];
	struct logfile log = log_of("odd");
	expect_title(&log, "command", 0, "a\\x20b  \\x01\\x5c\\xff\\x0a \n");
	log = log_of("long");
	memset(text, 'a', 399);
	text[399] = ' ';
	memset(text + 400, 'b', 109);
	strcpy(text + 509, "...\n");
	expect_title(&log, "command", 0, text);
	log = log_of("exactly");
	memset(text, 'e', 399);
	text[399] = ' ';
	memset(text + 400, 'f', 112);
	strcpy(text + 512, "\n");
	expect_title(&log, "command", 0, text);
}

void
check(const struct logfile *host_log_read)
{
	(void)host_log_read;
	check_changes();
	check_arguments();

	struct logfile log = log_of("exec");
	expect_equal(log.run_count, 2);
	expect_title(&log, "command", 1, "-other x\n");
	log = log_of("fork");
	expect_title(&log, "command", 1, "");
	expect_title(&log, "comm", 0, "");
	expect_equal(system("ls -t pmem.*.log | head -2 | xargs grep -l '^# forked' >child"), 0);
	char *child = read_file("child");
	child[strcspn(child, "\n")] = '\0';
	read_log(&log, child);
	expect_title(&log, "command", 0, "child\n");
	expect(strstr(log.runs[0].header, " comm=young ") != NULL);
}
