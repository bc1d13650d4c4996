// pmem: -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0
// link: -Wl,--no-as-needed -l:libstdc++.so.6
// needs: libstdc++6
// of glibc
// of x86-64
// of aarch64
// Who calls with the stack off by 8, as old assembler code and compilers at run time do, is
// served as by glibc's own functions, and counted: a thread's first call, new stacks, blocks of
// the log, objects that come and go.

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"

enum { ROUNDS = 200 };

#ifdef __aarch64__
// Where the processor checks sp, such a program faults without us, too. qemu does not check it.
__asm__(".text\n.globl call_off_by\n.type call_off_by,%function\ncall_off_by:\n"
	" .cfi_startproc\n stp x29, x30, [sp, -16]!\n"
	" .cfi_def_cfa_offset 16\n .cfi_offset 29, -16\n .cfi_offset 30, -8\n mov x29, sp\n"
	" .cfi_def_cfa_register 29\n sub sp, sp, x0\n mov x9, x1\n mov x0, x2\n mov x1, x3\n"
	" mov x2, x4\n blr x9\n mov sp, x29\n ldp x29, x30, [sp], 16\n"
	" .cfi_def_cfa 31, 0\n ret\n .cfi_endproc\n.size call_off_by,.-call_off_by\n");
#else
__asm__(".text\n.globl call_off_by\n.type call_off_by,@function\ncall_off_by:\n"
	" .cfi_startproc\n push %rbp\n"
	" .cfi_def_cfa_offset 16\n .cfi_offset 6,-16\n mov %rsp,%rbp\n .cfi_def_cfa_register 6\n"
	" sub %rdi,%rsp\n mov %rsi,%rax\n mov %rdx,%rdi\n mov %rcx,%rsi\n mov %r8,%rdx\n"
	" call *%rax\n leave\n .cfi_def_cfa 7,8\n ret\n .cfi_endproc\n"
	".size call_off_by,.-call_off_by\n");
#endif
extern void *call_off_by(uintptr_t off, void *function, size_t a, size_t b, size_t c);

static uintptr_t off = 8;

static void *
call(const char *name, size_t a, size_t b, size_t c)
{
	return call_off_by(off, dlsym(RTLD_DEFAULT, name), a, b, c);
}

static void
give_back(const char *name, void *block)
{
	expect(block != NULL);
	memset(block, 1, 10);
	call(name, (size_t)block, 10, 64);
}

FRAME void
family(void)
{
	static const char *const aligned[] = {"memalign", "aligned_alloc"};
	static const char *const pages[] = {"valloc", "pvalloc"};
	void *block = call("malloc", 100, 0, 0);

	block = call("realloc", (size_t)block, 5000, 0);
	block = call("reallocarray", (size_t)block, 50, 10);
	expect((size_t)call("malloc_usable_size", (size_t)block, 0, 0) >= 500);
	give_back("free", block);
	give_back("free", call("calloc", 10, 10, 0));
	for (int i = 0; i < 2; i++) {
		give_back("free", call(aligned[i], 64, 128, 0));
		give_back("free", call(pages[i], 100, 0, 0));
	}
	expect(call("posix_memalign", (size_t)&block, 64, 1000) == NULL);
	give_back("free", block);
}

FRAME void
operators(void)
{
	give_back("_ZdlPv", call("_Znwm", 10, 0, 0));
	give_back("_ZdaPvm", call("_Znam", 10, 0, 0));
	give_back("_ZdlPvSt11align_val_t", call("_ZnwmSt11align_val_t", 64, 64, 0));
}

FRAME void deep(int depth) { if (depth > 0) deep(depth - 1); else family(); use(&depth); }
FRAME void keep(void) { use(call("malloc", 77, 0, 0)); }

static void *
in_thread(void *unused)
{
	for (int depth = 0; depth < 40; depth++)
		deep(depth);
	return unused;
}

void
host(void)
{
	pthread_t thread;

	build_c("come_and_go.so", "-shared -fPIC", "int come_and_go;");
	for (off = 0; off <= 8; off += 8) {
		for (int i = 0; i < ROUNDS; i++) {
			family();
			operators();
			keep();
		}
		expect(pthread_create(&thread, NULL, in_thread, NULL) == 0);
		pthread_join(thread, NULL);
		for (int i = 0; i < 20; i++) {
			void *library = dlopen("./come_and_go.so", RTLD_NOW);
			expect(library != NULL);
			keep();
			dlclose(library);
			keep();
		}
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	expect_equal(log_sum(last, "(call_off_by+").live, 77 * 2 * (ROUNDS + 40));
	expect_equal(log_loss(last, "untracked_frees") + log_loss(last, "stacks_short"), 0);
	expect(log->snapshot_count > 100);
}
