// mlockall() succeeds under a limit of locked memory that leaves 4 MiB beside what the program
// has mapped without us, and what is allocated from then on is counted, until there is no memory
// left for that; and that is counted, too.

#include <elf.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "host.h"
#include "manystacks.h"

// Beside the library's code, of 330 KiB by gcc 12 at -O2: another compiler's may be larger.
enum { ADDED = (4 << 20) - (330 << 10), SOURCES = 1 << 13 };

FRAME void *kept(void) { return malloc(1234); }

// Who may lock memory is under no limit.
static void
drop_right(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct sets[2];

	expect(syscall(SYS_capget, &header, sets) == 0);
	sets[0].effective &= ~(1U << CAP_IPC_LOCK);
	sets[0].permitted &= ~(1U << CAP_IPC_LOCK);
	expect(syscall(SYS_capset, &header, sets) == 0);
}

void
host(void)
{
	if (!host_role()[0])
		return;
	if (strcmp(host_role(), "without") == 0) {
		printf("%lu\n", (unsigned long)(status_kilobytes("VmSize") << 10));
		return;
	}
	drop_right();
	use(kept());
	expect(mlockall(MCL_CURRENT) == 0);
	expect(mlockall(MCL_CURRENT | MCL_FUTURE) == 0);
	for (int round = 0; round < 2; round++) {
		for (unsigned i = 0; i < SOURCES; i++)
			free(left(13, i));
	}
}

// Of the library's segment that can be executed.
static size_t
code_bytes(void)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	int fd = open(host_library(), O_RDONLY);

	expect(pread(fd, &header, sizeof(header), 0) == sizeof(header));
	for (int i = 0; i < header.e_phnum; i++) {
		off_t at = (off_t)(header.e_phoff + (size_t)i * sizeof(segment));
		expect(pread(fd, &segment, sizeof(segment), at) == sizeof(segment));
		if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
			break;
	}
	close(fd);
	return segment.p_memsz;
}

void
check(const struct logfile *none)
{
	struct rlimit limit;
	struct logfile log;

	(void)none;
	expect_equal(run_again("without", false, "without"), 0);
	limit.rlim_cur = limit.rlim_max = strtoul(read_file("without"), NULL, 10) + ADDED + code_bytes();
	if (setrlimit(RLIMIT_MEMLOCK, &limit) != 0)
		skip("the right to lock 7 MiB");
	expect_equal(run_again("with", true, "with"), 0);
	read_log_of(&log, again_pid);
	const struct log_snapshot *last = log_last(&log);
	expect_equal(log_from(last, "kept")->counts.live, 1234);
	expect(last->total.allocs >= 2 * SOURCES);
	printf("figure: %lu sources; table_full %lu, symbols_full %lu, snapshots_dropped %lu\n",
		(unsigned long)last->sources, (unsigned long)log_loss(last, "table_full"),
		(unsigned long)log_loss(last, "symbols_full"),
		(unsigned long)log_loss(last, "snapshots_dropped"));
	expect(last->sources > SOURCES || log_loss(last, "table_full") > 0);
	expect(last->sources > 1000);
}
