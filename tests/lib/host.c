#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

pid_t host_pid;
pid_t again_pid;
char host_log[64];

void
expect_at(const char *file, int line, const char *text, bool holds)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: expected %s\n", file, line, text);
	_exit(1);
}

void
expect_equal_at(const char *file, int line, const char *text, uint64_t a, uint64_t b)
{
	if (a == b)
		return;
	tally("differences", 1);
	fprintf(stderr, "%s:%d: expected %s: %" PRIu64 " != %" PRIu64 "\n", file, line, text, a, b);
	_exit(1);
}

void
skip(const char *needs_package)
{
	fprintf(stderr, "skipped: needs %s\n", needs_package);
	_exit(77);
}

bool
is_root(void)
{
	static const uid_t nobody = 65534;
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		const char *own = "is_root";
		bool is = mknod(own, S_IFCHR | 0600, makedev(1, 3)) == 0 && chown(own, nobody, nobody) == 0;
		unlink(own);
		_exit(!is || chroot(".") != 0 || setgroups(0, NULL) != 0 || setgid(nobody) != 0
			|| setuid(nobody) != 0);
	}
	expect(waitpid(child, &status, 0) == child);
	return status == 0;
}

void
use(void *block)
{
	__asm__ volatile("" : : "r"(block) : "memory");
}

const char *
host_library(void)
{
	return getenv("PMEM_LIBRARY");
}

const char *
host_allocator(void)
{
	return getenv("TEST_ALLOCATOR");
}

bool
host_allocator_is(const char *name)
{
	char file[64];
	const char *path = host_allocator();
	snprintf(file, sizeof(file), "/lib%s.so", name);
	return path && strstr(path, file);
}

bool
host_allocator_has(const char *function)
{
	Dl_info one, other;
	void *handle = dlopen(host_allocator(), RTLD_LAZY | RTLD_NOLOAD);
	expect(handle && dladdr(dlsym(handle, "malloc"), &one));
	void *at = dlsym(handle, function);
	bool has = at && dladdr(at, &other) && one.dli_fbase == other.dli_fbase;
	dlclose(handle);
	return has;
}

bool
host_library_is_optimized(void)
{
	const char *flags = getenv("CFLAGS");
	return !flags || (!strstr(flags, "-O0") && !strstr(flags, "-fsanitize"));
}

const char *
host_role(void)
{
	const char *role = getenv("ROLE");
	return role ? role : "";
}

char *
read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *bytes = NULL;
	size_t size = 0;
	if (!file)
		return strdup("");
	if (getdelim(&bytes, &size, '\0', file) < 0)
		bytes = strdup("");
	fclose(file);
	return bytes;
}

void
read_log(struct logfile *log, const char *path)
{
	int complaints = log_read(log, path, stderr);
	if (complaints == 0 && log->torn == 0)
		return;
	fprintf(stderr, "%s: %s\n", path, complaints < 0 ? "there is no such log" : "bad log");
	_exit(1);
}

void
read_log_of(struct logfile *log, pid_t process)
{
	char path[64];

	snprintf(path, sizeof(path), "pmem.%d.log", process);
	read_log(log, path);
}

void
leave_number(const char *name, uint64_t number)
{
	FILE *file = fopen(name, "w");
	expect(file && fprintf(file, "%" PRIu64 "\n", number) > 0 && fclose(file) == 0);
}

uint64_t
left_number(const char *name)
{
	uint64_t number = 0;

	expect(sscanf(read_file(name), "%" SCNu64, &number) == 1);
	return number;
}

int
count_files(const char *prefix)
{
	DIR *folder = opendir(".");
	struct dirent *entry;
	int count = 0;
	while ((entry = readdir(folder)))
		count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	closedir(folder);
	return count;
}

uint64_t
status_kilobytes(const char *name)
{
	char label[64];
	snprintf(label, sizeof(label), "\n%s:", name);
	const char *line = strstr(read_file("/proc/self/status"), label);
	expect(line != NULL);
	return strtoull(line + strlen(label), NULL, 10);
}

int
descriptors_open(void)
{
	int count = 0;
	for (int fd = 0; fd < 1024; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

// In the child that is to become the host.
static void
set_preload(const char *preload)
{
	char all[2 * PATH_MAX];
	const char *allocator = host_allocator();

	snprintf(all, sizeof(all), "%s%s%s", preload ? preload : "", preload && allocator ? ":" : "",
		allocator ? allocator : "");
	if (all[0])
		setenv("LD_PRELOAD", all, 1);
	else
		unsetenv("LD_PRELOAD");
}

// The emulator gets our environment without LD_PRELOAD: only the program is preloaded.
void
become(const char *program)
{
	const char *emulator = getenv("TEST_EMULATOR"), *libraries = getenv("TEST_LIBRARY_PATH");
	const char *preload = getenv("LD_PRELOAD");
	char set[3 * PATH_MAX];

	if (emulator) {
		snprintf(set, sizeof(set), "LD_LIBRARY_PATH=%s%s%s", libraries, preload ? ",LD_PRELOAD=" : "",
			preload ? preload : "");
		unsetenv("LD_PRELOAD");
		execl(emulator, emulator, "-E", set, program, (char *)NULL);
	}
	execl(program, program, (char *)NULL);
	_exit(126);
}

void
become_again(const char *role)
{
	char self[PATH_MAX] = "";

	setenv("ROLE", role, 1);
	become(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0 ? self : "");
}

// A child, as fork() has it. Its log may come to the fallback folder, where one of an earlier
// process with the same id may lie, somebody's perhaps: then another child is made.
static pid_t
fork_without_log(void)
{
	char path[64], byte;
	int ends[2];

	for (;;) {
		expect(pipe2(ends, O_CLOEXEC) == 0);
		pid_t child = fork();
		if (child == 0) {
			snprintf(path, sizeof(path), "/tmp/pmem.%d.log", getpid());
			if (access(path, F_OK) != 0)
				return 0;
			_exit(write(ends[1], "", 1) != 1);
		}
		close(ends[1]);
		// It is an empty file once the child has become another program.
		bool has_log = read(ends[0], &byte, 1) == 1;
		close(ends[0]);
		if (!has_log)
			return child;
		waitpid(child, NULL, 0);
	}
}

static pid_t
start(const char *role, const char *preload, const char *output)
{
	pid_t child = fork_without_log();
	if (child != 0)
		return child;
	setenv("PMEM_HOST", "1", 1);
	set_preload(preload);
	if (output) {
		int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(fd, 1);
		dup2(fd, 2);
	}
	become_again(role);
}

int
run_preloaded(const char *role, const char *preload, const char *output)
{
	int status = -1;
	again_pid = start(role, preload, output);
	while (waitpid(again_pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

pid_t
start_again(const char *role)
{
	return start(role, host_library(), NULL);
}

int
run_again(const char *role, bool with_library, const char *output)
{
	return run_preloaded(role, with_library ? host_library() : NULL, output);
}

struct log_counts
host_idle_totals(void)
{
	struct logfile log;
	char path[64];

	expect_equal((uint64_t)run_again("idle", true, NULL), 0);
	snprintf(path, sizeof(path), "pmem.%d.log", again_pid);
	int complaints = log_read(&log, path, stderr);
	expect(complaints <= 0);
	return complaints < 0 ? (struct log_counts){0} : log_last(&log)->total;
}

void
build_c(const char *path, const char *flags, const char *text)
{
	const char *preload = getenv("LD_PRELOAD");
	char *kept = preload ? strdup(preload) : NULL;
	const char *compiler = getenv("CC");
	char *command = NULL;

	if (asprintf(&command, "%s -x c -D_GNU_SOURCE -O1 -fno-builtin %s -o '%s' -",
		    compiler ? compiler : "gcc", flags, path) < 0)
		abort();
	unsetenv("LD_PRELOAD");
	FILE *pipe = popen(command, "w");
	expect(pipe && fputs(text, pipe) >= 0 && pclose(pipe) == 0);
	if (kept)
		setenv("LD_PRELOAD", kept, 1);
	free(command);
	free(kept);
}

int
main(void)
{
	struct logfile log;
	int status;

	if (getenv("PMEM_HOST")) {
		if (strcmp(host_role(), "idle") != 0)
			host();
		return 0;
	}
	if (!host_library()) {
		fprintf(stderr, "set PMEM_LIBRARY to libpmem.so's path\n");
		return 2;
	}
	host_pid = start("", host_library(), NULL);
	waitpid(host_pid, &status, 0);
	if (status != 0) {
		fprintf(stderr, "the host ended with %s %d\n",
			WIFSIGNALED(status) ? "signal" : "status",
			WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
		return WIFEXITED(status) && WEXITSTATUS(status) == 77 ? 77 : 1;
	}
	snprintf(host_log, sizeof(host_log), "pmem.%d.log", host_pid);
	if (log_read(&log, host_log, stderr) > 0 || log.torn > 0) {
		fprintf(stderr, "%d blocks were cut off\n", log.torn);
		return 1;
	}
	check(&log);
	return 0;
}
