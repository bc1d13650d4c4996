// Where some object file's .eh_frame was writable, as some languages' are, the linker puts
// the whole into the data segment, far from its header. Such code's stacks are whole, too.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host.h"

static void
make_library(void)
{
	FILE *source = fopen("far.c", "w");
	fputs("#include <stdlib.h>\n"
		"__attribute__((noinline)) void *inner(void) { char b[100];\n"
		"  __asm__ volatile(\"\" : : \"r\"(b) : \"memory\"); void *p = malloc(77);\n"
		"  __asm__ volatile(\"\" : : \"r\"(b), \"r\"(p) : \"memory\"); return p; }\n"
		"__attribute__((noinline)) void *outer(void) { void *p = inner();\n"
		"  __asm__ volatile(\"\" : : \"r\"(p) : \"memory\"); return p; }\n", source);
	fclose(source);
	// A CIE that nobody refers to.
	source = fopen("writable.s", "w");
	fputs(".section .eh_frame,\"aw\",@progbits\n.long 16\n.long 0\n.byte 1\n.asciz \"zR\"\n"
		".byte 1,0x78,16,1,0x1b,0,0,0\n", source);
	fclose(source);
	expect(system("as -o writable.o writable.s") == 0);
	expect(system("${CC:-gcc} -O2 -fno-builtin -shared -fPIC -o far.so far.c writable.o") == 0);
	expect(system("readelf -SW far.so | grep -q ' \\.eh_frame .* WA '") == 0);
}

void
host(void)
{
	if (host_role()[0] == '\0')
		return;
	void *opened = dlopen("./far.so", RTLD_NOW);
	expect(opened != NULL);
	void *(*outer)(void) = (void *(*)(void))dlsym(opened, "outer");
	use(outer());
}

void
check(const struct logfile *none)
{
	struct logfile log;

	(void)none;
	make_library();
	expect_equal(run_again("call", true, NULL), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	const struct log_source *source = log_from(last, "inner");
	expect(source != NULL);
	expect_equal(source->counts.live, 77);
	expect(source->depth > 4 && strstr(source->frames[2], "(outer+"));
	expect(strstr(source->frames[3], "(host+"));
	expect_equal(log_loss(last, "stacks_short"), 0);
}
