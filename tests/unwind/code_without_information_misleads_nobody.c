// Code without call frame information, as compilers make with -fno-asynchronous-unwind-tables: a stack through
// it has no frame that is not there. On x86-64 it goes on where there is a frame pointer. On aarch64 it ends,
// and is counted.
// link: -fno-optimize-sibling-calls -fno-omit-frame-pointer

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "host.h"

// Functions that call the function in the first argument: with a frame record; with the return address
// alone; with the record at the far end of a large frame; with something else in the frame pointer.
// The last one raises SIGILL with the return address in its register alone.
#if defined(__aarch64__)
#define BARE(name, code) \
	__asm__(".text\n.globl " #name "\n.type " #name ",%function\n" #name ":\n" code ".size " #name ",.-" #name "\n")
BARE(bare_record, "stp x29, x30, [sp, #-16]!\n mov x29, sp\n blr x0\n ldp x29, x30, [sp], #16\n ret\n");
BARE(bare_return, "str x30, [sp, #-16]!\n blr x0\n ldr x30, [sp], #16\n ret\n");
BARE(bare_large, "sub sp, sp, #2064\n str x30, [sp, #2056]\n str x29, [sp, #2048]\n add x29, sp, #2048\n"
	" blr x0\n ldr x29, [sp, #2048]\n ldr x30, [sp, #2056]\n add sp, sp, #2064\n ret\n");
BARE(bare_other, "stp x29, x30, [sp, #-32]!\n add x29, sp, #24\n str x29, [sp, #24]\n blr x0\n"
	" ldp x29, x30, [sp], #32\n ret\n");
BARE(bare_trap, "nop\n udf #0\n ret\n");
enum { TRAP_BYTES = 4, ENDS = 1 };
#define PC(context) ((context)->uc_mcontext.pc)
#else
#define BARE(name, code) \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n" code ".size " #name ",.-" #name "\n")
BARE(bare_record, "push %rbp\n mov %rsp, %rbp\n call *%rdi\n pop %rbp\n ret\n");
BARE(bare_return, "push %rbp\n mov %rsp, %rbp\n sub $64, %rsp\n call *%rdi\n leave\n ret\n");
BARE(bare_large, "push %rbp\n mov %rsp, %rbp\n sub $4096, %rsp\n call *%rdi\n leave\n ret\n");
BARE(bare_other, "push %rbp\n lea 8(%rsp), %rbp\n call *%rdi\n pop %rbp\n ret\n");
BARE(bare_trap, "push %rbp\n mov %rsp, %rbp\n ud2\n pop %rbp\n ret\n");
enum { TRAP_BYTES = 2, ENDS = 0 };
#define PC(context) ((context)->uc_mcontext.gregs[REG_RIP])
#endif
extern void bare_record(void (*)(void)), bare_return(void (*)(void)), bare_large(void (*)(void));
extern void bare_other(void (*)(void)), bare_trap(void);

static volatile int zero;
static size_t bytes = 1000;

// Of each way a function that allocates, so that stacks differ that end early.
#define LEAF(number) FRAME void leaf##number(void) { use(malloc(bytes)); zero = number; }
LEAF(0)
LEAF(1)
LEAF(2)
LEAF(3)
LEAF(4)
LEAF(5)
LEAF(6)

FRAME void by_record(void) { bare_record(leaf0); zero = 0; }
FRAME void by_return(void) { bare_return(leaf1); zero = 1; }
FRAME void by_large(void) { bare_large(leaf2); zero = 2; }
FRAME void by_other(void) { bare_other(leaf3); zero = 3; }
FRAME void by_trap(void) { bare_trap(); zero = 4; }
// From one piece of such code to another, with code that has information in between.
FRAME void between(void) { bare_return(leaf5); zero = 5; }
FRAME void by_both(void) { bare_record(between); zero = 5; }

static void (*in_library)(void (*)(void));
FRAME void by_library(void) { in_library(leaf6); zero = 6; }

FRAME void
on_trap(int number, siginfo_t *info, void *context)
{
	(void)number, (void)info;
	leaf4();
	PC((ucontext_t *)context) += TRAP_BYTES;
}

// The true stack of each source, inwards of host(), by the bytes that it has asked for.
static const struct {
	void (*function)(void);
	const char *frames;
} truths[] = {
	{by_record, "malloc leaf0 bare_record by_record host "},
	{by_return, "malloc leaf1 bare_return by_return host "},
	{by_large, "malloc leaf2 bare_large by_large host "},
	{by_other, "malloc leaf3 bare_other by_other host "},
	{by_trap, "malloc leaf4 on_trap ? bare_trap by_trap host "},
	{by_both, "malloc leaf5 bare_return between bare_record by_both host "},
	{by_library, "malloc leaf6 library_inner library_outer by_library host "},
};

enum { TRUTHS = sizeof(truths) / sizeof(*truths) };

void
host(void)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

	sigaction(SIGILL, &action, NULL);
	build_c("./bare.so", "-shared -fPIC -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-exceptions "
		"-fno-omit-frame-pointer -fno-optimize-sibling-calls",
		"static volatile int zero;\n"
		"__attribute__((noinline)) void library_inner(void (*f)(void)) { f(); zero = 0; }\n"
		"void library_outer(void (*f)(void)) { char room[200]; room[zero] = 1; library_inner(f); zero = 0; }\n");
	void *library = dlopen("./bare.so", RTLD_NOW);
	expect(library != NULL);
	in_library = (void (*)(void (*)(void)))dlsym(library, "library_outer");
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < TRUTHS; i++) {
			bytes = 1000 + (size_t)i;
			truths[i].function();
		}
	}
}

// Writes the names of the source's frames, up to host(). A frame without a name is "?".
static void
names_of(const struct log_source *source, char text[1000])
{
	text[0] = '\0';
	for (int i = 0; i < source->depth && !strstr(text, "host "); i++) {
		const char *at = strchr(source->frames[i], '(');
		const char *plus = at ? strchr(at, '+') : NULL;
		expect(strlen(text) < 900);
		if (!plus || plus == at + 1)
			strcat(text, "? ");
		else
			sprintf(text + strlen(text), "%.*s ", (int)(plus - at - 1), at + 1);
	}
}

void
check(const struct logfile *log)
{
	const struct log_snapshot *last = log_last(log);
	int found = 0;

	for (int i = 0; i < last->entry_count; i++) {
		const struct log_source *source = &last->entries[i];
		size_t each = source->counts.blocks ? source->counts.live / source->counts.blocks : 0;
		char names[1000];
		if (each < 1000 || each >= 1000 + TRUTHS || source->counts.live % each != 0 || source->depth < 2)
			continue;
		names_of(source, names);
		const char *truth = truths[each - 1000].frames;
		fprintf(stderr, "%s\n", names);
		expect_equal(source->counts.blocks, 3);
		expect(strncmp(names, truth, strlen(names)) == 0);
		// The frame of the code without information is there.
		expect(strstr(names, "bare_") || strstr(names, "library_inner"));
		expect(!ENDS || !strstr(names, "host"));
		expect(ENDS || each == 1003 || strstr(names, "host"));
		found++;
	}
	expect_equal((uint64_t)found, TRUTHS);
	expect(!ENDS || log_loss(last, "stacks_ended") == TRUTHS);
	expect_equal(log_loss(last, "stacks_short"), 0);
}
