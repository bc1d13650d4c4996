// pmem: -DPMEM_CHURN_THRESH=4096 -DPMEM_LOG_HOURS=0
// A library that is called as Java's virtual machine is, and has variables by its names that lead nowhere,
// is none: it runs as without us, and what it allocates is counted.

#include <dlfcn.h>
#include <stdlib.h>

#include "host.h"

static const char machine[] =
	"#include <stdlib.h>\n"
	"typedef unsigned long word;\n"
	"void *gHotSpotVMStructs = (void *)WHERE; word gHotSpotVMStructEntryArrayStride = 56;\n"
	"word gHotSpotVMStructEntryTypeNameOffset = 0, gHotSpotVMStructEntryFieldNameOffset = 8,\n"
	"	gHotSpotVMStructEntryOffsetOffset = 32, gHotSpotVMStructEntryAddressOffset = 40;\n"
	"void *gHotSpotVMTypes = (void *)WHERE; word gHotSpotVMTypeEntryArrayStride = 32;\n"
	"word gHotSpotVMTypeEntryTypeNameOffset = 0, gHotSpotVMTypeEntrySizeOffset = 24;\n"
	"static void *volatile kept;\n"
	"__attribute__((noinline)) void run_it(void)\n"
	"{ for (int i = 0; i < 100; i++) kept = malloc(1000); }\n"
	"char entry[8192] = \"neither a table nor text, and long enough to be an address\";\n";

void
host(void)
{
	if (!host_role()[0])
		return;
	void *loaded = dlopen("./libjvm.so", RTLD_NOW);
	void (*run_it)(void) = loaded ? (void (*)(void))dlsym(loaded, "run_it") : NULL;
	expect(run_it != NULL);
	for (volatile int i = 0; i < 2; i++)
		run_it();
}

void
check(const struct logfile *none)
{
	static const char *const places[] = {"-shared -fPIC -DWHERE=0x7f1234560", "-shared -fPIC -DWHERE=entry",
		"-shared -fPIC -DWHERE=-8l", "-shared -fPIC -DWHERE=8"};
	struct logfile log;
	char text[2048];

	(void)none;
	snprintf(text, sizeof(text), "extern char entry[8192];\n%s", machine);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		build_c("libjvm.so", places[i], text);
		expect_equal((uint64_t)run_again("load", true, NULL), 0);
		read_log_of(&log, again_pid);
		expect_equal(log_from(log_last(&log), "run_it")->counts.blocks, 200);
	}
}
