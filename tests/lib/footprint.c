// footprint OUTPUT COMMAND [ARGUMENT...]: runs the command and writes one line about it and all
// its children, of what they do without libpmem.so's part in it, and of that part:
//
//	peak=KIB final=KIB tables=KIB maps=N unmaps=N breaks=N remaps=N advises=N
//
// peak and final are anonymous memory that is in pages, the most at any moment and at its end,
// of the largest process; tables is what the library had of its own then, in its data, its
// zeroed part and what it mapped, and is in neither. The others are calls of mmap() for
// anonymous memory, munmap(), brk(), mremap() and madvise(): not the loader's, nor the
// library's.
//
// Memory can only become less by one of these calls or the end, so it is looked at before each
// of them. They alone stop the program, by a filter (seccomp) that the command inherits.
// Addresses are not random and no page is larger than 4 KiB, so that two runs of a program are
// alike. Exits as the command does; with 77 where the kernel forbids to trace.

#include <elf.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	PAGE = 4096,
	PROCESSES = 4096,
	TASKS = 256,   // threads at a time
	REGIONS = 4096, // that the library has mapped, in one process
	FORBIDDEN = 77,
};

struct range {
	uintptr_t start, end;
};

struct process {
	pid_t pid;
	bool known; // where the objects below lie
	struct range library, loader;
	struct range regions[REGIONS];
	int region_count;
	long peak, final, tables; // KiB
};

// Stopped one at a time, so that nothing here is shared.
static struct task {
	pid_t tid; // 0: a free place
	struct process *process;
	size_t mapping; // bytes that the library is about to map
} tasks[TASKS];

static struct process *processes[PROCESSES], *largest;
static int process_count;
static struct {
	unsigned long number;
	const char *name;
	long made;
} calls[] = {{SYS_mmap, "maps", 0}, {SYS_munmap, "unmaps", 0}, {SYS_brk, "breaks", 0},
	{SYS_mremap, "remaps", 0}, {SYS_madvise, "advises", 0}};
enum { CALLS = sizeof(calls) / sizeof(*calls) };

static void
die(const char *why)
{
	perror(why);
	exit(125);
}

static bool
within(struct range range, uintptr_t address)
{
	return address >= range.start && address < range.end;
}

static FILE *
open_of(pid_t pid, const char *name)
{
	char path[64];
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return fopen(path, "r");
}

// The number behind the word at the beginning of a line; 0 where there is none.
static long
field_of(pid_t pid, const char *name, const char *word)
{
	char line[512];
	long number = 0;
	FILE *file = open_of(pid, name);
	while (file && number == 0 && fgets(line, sizeof(line), file))
		if (strncmp(line, word, strlen(word)) == 0)
			number = strtol(line + strlen(word), NULL, 10);
	if (file)
		fclose(file);
	return number;
}

// How far an object reaches in memory, with what is zeroed and in no file.
static size_t
bytes_of_object(const char *path)
{
	Elf64_Ehdr header;
	Elf64_Phdr part;
	size_t bytes = 0;
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0 || pread(file, &header, sizeof(header), 0) != sizeof(header))
		die(path);
	for (int i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)(header.e_phoff + (size_t)i * sizeof(part));
		if (pread(file, &part, sizeof(part), at) == sizeof(part) && part.p_type == PT_LOAD)
			bytes = part.p_vaddr + part.p_memsz;
	}
	close(file);
	return (bytes + PAGE - 1) & -(size_t)PAGE;
}

// Where the objects lie. All that are preloaded are there when the first call comes that is not
// the loader's.
static void
learn_objects(struct process *process, pid_t tid)
{
	char line[4096];
	FILE *maps = open_of(tid, "maps");

	process->library = process->loader = (struct range){0};
	while (maps && fgets(line, sizeof(line), maps)) {
		struct range range;
		char *path = strchr(line, '/');
		if (!path || sscanf(line, "%lx-%lx", &range.start, &range.end) != 2)
			continue;
		path[strcspn(path, "\n")] = '\0';
		const char *name = strrchr(path, '/') + 1;
		if (strncmp(name, "libpmem.so", 10) == 0 && process->library.start == 0) {
			process->library = range;
			process->library.end = range.start + bytes_of_object(path);
		} else if (strncmp(name, "ld-linux", 8) == 0) {
			if (process->loader.start == 0)
				process->loader.start = range.start;
			process->loader.end = range.end;
		}
	}
	if (maps)
		fclose(maps);
}

// Pages of the range that are in memory and not a file's (the kernel's admin-guide/mm/pagemap).
static long
own_pages(int pagemap, struct range range)
{
	const uint64_t present = UINT64_C(1) << 63, of_file = UINT64_C(1) << 61;
	enum { BYTES = sizeof(uint64_t) };
	uint64_t entries[512];
	uintptr_t at = range.start / PAGE, end = range.end / PAGE;
	long pages = 0;

	while (at < end) {
		size_t count = end - at < 512 ? end - at : 512;
		ssize_t got = pread(pagemap, entries, count * BYTES, (off_t)(at * BYTES));
		if (got < BYTES)
			break;
		for (size_t i = 0; i < (size_t)got / BYTES; i++)
			pages += (entries[i] & (present | of_file)) == present;
		at += (size_t)got / BYTES;
	}
	return pages;
}

// By one of its threads, which is stopped: others may be gone, and have no memory any more.
static void
measure(struct process *process, pid_t tid)
{
	char path[64];
	long anonymous = field_of(tid, "smaps_rollup", "Anonymous:");

	if (anonymous == 0)
		return;
	snprintf(path, sizeof(path), "/proc/%d/pagemap", tid);
	int pagemap = open(path, O_RDONLY | O_CLOEXEC);
	long pages = own_pages(pagemap, process->library);
	for (int i = 0; i < process->region_count; i++)
		pages += own_pages(pagemap, process->regions[i]);
	close(pagemap);
	process->tables = pages * (PAGE / 1024);
	process->final = anonymous - process->tables;
	if (process->final > process->peak)
		process->peak = process->final;
	if (!largest || process->peak > largest->peak)
		largest = process;
}

static struct process *
process_of(pid_t pid)
{
	for (int i = process_count - 1; i >= 0; i--)
		if (processes[i]->pid == pid)
			return processes[i];
	struct process *process = calloc(1, sizeof(*process));
	if (!process || process_count == PROCESSES)
		die("too many processes");
	// A fork's child has its parent's memory.
	pid_t parent = (pid_t)field_of(pid, "status", "PPid:");
	for (int i = 0; i < process_count; i++) {
		if (processes[i]->pid == parent) {
			*process = *processes[i];
			process->peak = 0;
		}
	}
	process->pid = pid;
	processes[process_count++] = process;
	return process;
}

static struct task *
task_of(pid_t tid)
{
	struct task *unused = NULL;
	for (struct task *task = tasks; task < tasks + TASKS; task++) {
		if (task->tid == tid)
			return task;
		if (task->tid == 0)
			unused = task;
	}
	if (!unused)
		die("too many threads");
	pid_t pid = (pid_t)field_of(tid, "status", "Tgid:");
	*unused = (struct task){.tid = tid, .process = process_of(pid ? pid : tid)};
	return unused;
}

// The library makes its calls by an instruction of its own. What it passes on for the program is made
// by libc's.
static bool
is_ours(const struct process *process, const struct user_regs_struct *registers)
{
	return within(process->library, registers->rip);
}

// The call has not been made yet. Whether its end is to be seen, too.
static bool
call(struct task *task)
{
	struct process *process = task->process;
	struct user_regs_struct registers;

	if (ptrace(PTRACE_GETREGS, task->tid, NULL, &registers) < 0)
		return false;
	if (!process->known)
		learn_objects(process, task->tid);
	if (within(process->loader, registers.rip))
		return false;
	process->known = true;
	if (registers.orig_rax != SYS_mmap || registers.r10 & MAP_FIXED)
		measure(process, task->tid);
	if (!is_ours(process, &registers)) {
		for (int i = 0; i < CALLS; i++)
			calls[i].made += calls[i].number == registers.orig_rax;
		return false;
	}
	if (registers.orig_rax == SYS_mmap)
		task->mapping = registers.rsi;
	for (int i = 0; i < process->region_count && registers.orig_rax == SYS_munmap; i++)
		if (process->regions[i].start == registers.rdi)
			process->regions[i] = process->regions[--process->region_count];
	return task->mapping > 0;
}

static void
note_mapped(struct task *task)
{
	struct user_regs_struct registers;
	struct process *process = task->process;

	if (ptrace(PTRACE_GETREGS, task->tid, NULL, &registers) == 0 && task->mapping > 0
		&& registers.rax % PAGE == 0) {
		if (process->region_count == REGIONS)
			die("too many regions");
		process->regions[process->region_count++] =
			(struct range){registers.rax, registers.rax + task->mapping};
	}
	task->mapping = 0;
}

// Lets a stopped thread go on.
static void
go_on(struct task *task, int status)
{
	int number = WSTOPSIG(status), event = status >> 16;
	long how = PTRACE_CONT;

	if (event == PTRACE_EVENT_SECCOMP) {
		if (call(task))
			how = PTRACE_SYSCALL;
	} else if (event == PTRACE_EVENT_EXEC) {
		task->process->known = false;
		task->process->region_count = 0;
	} else if (event == PTRACE_EVENT_EXIT) {
		measure(task->process, task->tid);
	} else if (event == PTRACE_EVENT_STOP) {
		if (number != SIGTRAP)
			how = PTRACE_LISTEN;
	} else if (number == (SIGTRAP | 0x80)) {
		note_mapped(task);
	}
	bool delivered = event == 0 && number != (SIGTRAP | 0x80);
	ptrace((enum __ptrace_request)how, task->tid, NULL, delivered ? (long)number : 0L);
}

// In the child, before the command.
static void
install_filter(void)
{
#define TRACED(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		TRACED(SYS_munmap), TRACED(SYS_brk), TRACED(SYS_mremap), TRACED(SYS_madvise),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[3])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_ANONYMOUS, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	personality(ADDR_NO_RANDOMIZE);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
		|| prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(FORBIDDEN);
}

// The command's process, traced; it has not begun.
static pid_t
start(char **command)
{
	long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXIT | PTRACE_O_TRACEEXEC
		| PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACESYSGOOD
		| PTRACE_O_EXITKILL;
	int gate[2];
	char byte;

	if (pipe2(gate, O_CLOEXEC) < 0)
		die("pipe");
	pid_t child = fork();
	if (child == 0) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) != 1)
			_exit(FORBIDDEN);
		install_filter();
		execvp(command[0], command);
		_exit(127);
	}
	if (ptrace(PTRACE_SEIZE, child, NULL, options) < 0 || write(gate[1], "", 1) != 1) {
		fprintf(stderr, "skipped: needs ptrace\n");
		exit(FORBIDDEN);
	}
	return child;
}

int
main(int argc, char **argv)
{
	int status, ended = 0;
	pid_t tid;

	if (argc < 3)
		return 125;
	pid_t child = start(argv + 2);
	while ((tid = waitpid(-1, &status, __WALL)) > 0) {
		if (WIFSTOPPED(status)) {
			go_on(task_of(tid), status);
			continue;
		}
		task_of(tid)->tid = 0;
		if (tid == child)
			ended = status;
	}
	FILE *output = fopen(argv[1], "w");
	if (!output || !largest)
		return FORBIDDEN;
	fprintf(output, "peak=%ld final=%ld tables=%ld", largest->peak, largest->final, largest->tables);
	for (int i = 0; i < CALLS; i++)
		fprintf(output, " %s=%ld", calls[i].name, calls[i].made);
	fputs("\n", output);
	fclose(output);
	return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}
