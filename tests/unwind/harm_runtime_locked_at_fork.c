// A fork while another thread is inside the C++ runtime, as one that throws is: the runtime's
// lock is held for ever in the child, which all the same allocates under code made at run time,
// whose call frame information the runtime has.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum { FORKS = 100, PAGE = 4096 };

// push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
static const char code_bytes[] = "\x55\x48\x89\xe5\xff\xd7\x5d\xc3";
static const char cie_bytes[] = "\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\0\x0c\7\x8\x90\1\0\0";
static char *code;
static char frames[128] __attribute__((aligned(8)));
static const void *(*find)(void *, void *);
static int done;

static void
put_frames(void)
{
	uint64_t range[2] = {(uint64_t)code, PAGE};
	// Of the whole page: push %rbp behind the first byte, and rbp the frame pointer.
	static const char instructions[] = "\0\x41\x0e\x10\x86\2\x43\x0d\6\0\0\0";
	uint32_t head[2] = {4 + 16 + sizeof(instructions) - 1, 28};

	memcpy(frames, cie_bytes, 24);
	memcpy(frames + 24, head, 8);
	memcpy(frames + 32, range, 16);
	memcpy(frames + 48, instructions, sizeof(instructions) - 1);
}

FRAME void give(void) { use(malloc(16)); }
FRAME void in_child(void) { ((void (*)(void (*)(void)))code)(give); __asm__ volatile("" : : : "memory"); }

static void *
ask(void *unused)
{
	uintptr_t bases[3];
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		find(code + 4, bases);
	return unused;
}

void
host(void)
{
	pthread_t threads[2];
	void *runtime = dlopen("libgcc_s.so.1", RTLD_NOW);
	void (*add)(void *) = (void (*)(void *))dlsym(runtime, "__register_frame");

	find = (const void *(*)(void *, void *))dlsym(runtime, "_Unwind_Find_FDE");
	expect(add && find);
	code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(code, code_bytes, sizeof(code_bytes));
	put_frames();
	add(frames);
	in_child();
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, ask, NULL);
	for (int i = 0; i < FORKS; i++) {
		int status = -1;
		pid_t pid = fork();
		if (pid == 0) {
			alarm(20);
			in_child();
			_exit(0);
		}
		expect(waitpid(pid, &status, 0) == pid);
		expect_equal((uint64_t)status, 0);
	}
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tally("faults", FORKS);
}

void
check(const struct logfile *log)
{
	const struct log_source *source = log_from(log_last(log), "give");
	expect(source && strstr(source->frames[3], "(in_child+") && strstr(source->frames[4], "(host+"));
}
