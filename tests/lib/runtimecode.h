// runtimecode: code made at run time that calls what it is given, and whose call frame
// information is registered with the C++ runtime. Of x86-64, for tests of the unwinder.

#ifndef TESTS_RUNTIMECODE_H
#define TESTS_RUNTIMECODE_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host.h"

enum {
	RUNTIME_CODE_BYTES = 4096, // of each piece that is registered
	RUNTIME_FRAMES_BYTES = 128,
};

static struct {
	char *code;
	const void *(*find)(void *, void *);
	uintptr_t start, end; // of the runtime's own code
	int done; // atomic
} runtime_state;

// One CIE and one FDE: push %rbp behind the first byte, and rbp the frame pointer.
static inline void
runtime_put_frames(char *frames, const char *code)
{
	static const char cie[] = "\x14\0\0\0\0\0\0\0\1zR\0\1\x78\x10\1\0\x0c\7\x8\x90\1\0\0";
	static const char instructions[] = "\0\x41\x0e\x10\x86\2\x43\x0d\6\0\0\0";
	uint64_t range[2] = {(uint64_t)code, RUNTIME_CODE_BYTES};
	uint32_t head[2] = {4 + 16 + sizeof(instructions) - 1, 28};

	memcpy(frames, cie, 24);
	memcpy(frames + 24, head, 8);
	memcpy(frames + 32, range, 16);
	memcpy(frames + 48, instructions, sizeof(instructions) - 1);
}

static inline void
runtime_find_range(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	expect(maps);
	while (fgets(line, sizeof(line), maps)) {
		unsigned long start, end;
		if (strstr(line, "libgcc_s") && strstr(line, " r-xp ")
			&& sscanf(line, "%lx-%lx", &start, &end) == 2) {
			runtime_state.start = start;
			runtime_state.end = end;
		}
	}
	fclose(maps);
	expect(runtime_state.end > 0);
}

static inline bool
runtime_code_is_runtime(uintptr_t pc)
{
	return pc >= runtime_state.start && pc < runtime_state.end;
}

// Registers the code, and so many others that lie above it: those are looked at first.
static inline void
runtime_code_start(size_t others)
{
	// push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
	static const char bytes[] = "\x55\x48\x89\xe5\xff\xd7\x5d\xc3";
	void *runtime = dlopen("libgcc_s.so.1", RTLD_NOW);
	void (*add)(void *) = (void (*)(void *))dlsym(runtime, "__register_frame");
	runtime_state.find = (const void *(*)(void *, void *))dlsym(runtime, "_Unwind_Find_FDE");
	expect(add && runtime_state.find);
	char *code = mmap(NULL, (others + 1) * RUNTIME_CODE_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *frames = mmap(NULL, (others + 1) * RUNTIME_FRAMES_BYTES, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect(code != MAP_FAILED && frames != MAP_FAILED);
	memcpy(code, bytes, sizeof(bytes));
	runtime_state.code = code;
	for (size_t i = 0; i <= others; i++) {
		runtime_put_frames(frames, code + i * RUNTIME_CODE_BYTES);
		add(frames);
		frames += RUNTIME_FRAMES_BYTES;
	}
	runtime_find_range();
}

// Calls it through the code.
static inline void
runtime_code(void (*callee)(void))
{
	((void (*)(void (*)(void)))runtime_state.code)(callee);
}

// Looks the code up in the runtime, under its lock.
static inline bool
runtime_code_look_up(void)
{
	uintptr_t bases[3];
	return runtime_state.find(runtime_state.code + 4, bases) != NULL;
}

static inline void *
runtime_run(void *other)
{
	while (!__atomic_load_n(&runtime_state.done, __ATOMIC_ACQUIRE))
		((void (*)(void))other)();
	return NULL;
}

// Forks so many times while two threads do nothing but `other`: each child comes back from
// `child`, within 20 seconds, with true.
static inline void
runtime_code_forks(int forks, void (*other)(void), bool (*child)(void))
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		expect(pthread_create(&threads[i], NULL, runtime_run, (void *)other) == 0);
	for (int i = 0; i < forks; i++) {
		int status = -1;
		pid_t pid = fork();
		if (pid == 0) {
			alarm(20);
			_exit(child() ? 0 : 1);
		}
		expect(waitpid(pid, &status, 0) == pid);
		expect_equal((uint64_t)status, 0);
	}
	__atomic_store_n(&runtime_state.done, 1, __ATOMIC_RELEASE);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	tally("faults", forks);
}

#endif
