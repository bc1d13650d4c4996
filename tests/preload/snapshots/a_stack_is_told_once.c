// pmem: -DPMEM_CHURN_THRESH=20000 -DPMEM_LOG_HOURS=0 -DPMEM_LOG_MAX_BYTES=65536 -DPMEM_LOG_KEEP=9
// In each piece of a log a stack stands once, below its source's first entry; later ones are a
// line, which ends in who called, and so a snapshot of twenty movers is a screenful. Each piece
// can be read alone. The last snapshot tells stacks again, of those that hold memory. Sources
// with one id, of the same code at two addresses, always have their stacks.

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

enum { MOVERS = 20, ROUNDS = 400 };
static void *volatile held;

#define MOVER(number) \
	FRAME void mover_##number(void) { free(malloc(100)); use(malloc(1)); }
#define ALL(each) \
	each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) \
	each(11) each(12) each(13) each(14) each(15) each(16) each(17) each(18) each(19)
ALL(MOVER)

FRAME void churn(void) { for (int i = 0; i < 10; i++) free(held = malloc(1000)); }

#define CODE "#include <stdlib.h>\nvoid *twin(void) { return malloc(7); }\n"

static void
twins(void)
{
	typedef void *twin_function(void);
	twin_function *functions[2];
	const char *names[] = {"./one/twin.so", "./two/twin.so"};

	mkdir("one", 0700);
	mkdir("two", 0700);
	for (int i = 0; i < 2; i++) {
		build_c(names[i], "-shared -fPIC", CODE);
		void *library = dlopen(names[i], RTLD_NOW);
		expect(library != NULL);
		functions[i] = (twin_function *)dlsym(library, "twin");
	}
	for (int round = 0; round < 4; round++) {
		// The second comes when the first has been told.
		for (volatile int i = 0; i < 2 && i <= round; i++)
			use(functions[i]());
		churn();
	}
}

void
host(void)
{
#define CALL(number) mover_##number();
	for (int round = 0; round < ROUNDS; round++) {
		ALL(CALL)
		churn();
	}
	if (host_role()[0])
		twins();
}

// How often the text stands in the file, and the most lines that a snapshot but the first has.
static int
count(const char *path, const char *text, int *most)
{
	FILE *file = fopen(path, "r");
	char line[4096];
	int found = 0, lines = 0, rules = 0;

	expect(file != NULL);
	while (fgets(line, sizeof(line), file)) {
		found += strstr(line, text) != NULL && line[0] == ' ';
		if (line[0] == '[') {
			lines = 0;
			rules++;
		}
		lines++;
		if (rules > 1 && lines > *most)
			*most = lines;
	}
	fclose(file);
	return found;
}

void
check(const struct logfile *log)
{
	char path[64];
	struct logfile piece;
	int most = 0;
	int pieces = 0;

	(void)log;
	expect_equal(run_again("twins", true, NULL), 0);
	for (int i = 1; i < 9; i++) {
		snprintf(path, sizeof(path), "pmem.%d.log.%d", again_pid, i);
		if (access(path, F_OK) != 0)
			break;
		read_log(&piece, path);
		expect(piece.snapshot_count > 0 && piece.torn == 0);
		// Twice, since it allocates at two places. When they are done the twins begin.
		int stacks = count(path, "(mover_7+", i > 3 ? &most : &pieces);
		expect(stacks == 2 || i <= 3);
		pieces = i;
	}
	// Of each mover two entries, and now and then a stack that was not told yet.
	expect(pieces > 5 && most > 0 && most < 4 * MOVERS);
	read_log_of(&piece, again_pid);
	int both = 0, told = 0;
	for (int i = 0; i < log_last(&piece)->entry_count; i++) {
		const struct log_source *entry = &log_last(&piece)->entries[i];
		both += entry->depth > 1 && strstr(entry->frames[1], "(twin+") != NULL;
		told += entry->told;
	}
	expect(both == 2 && told > MOVERS);
}
