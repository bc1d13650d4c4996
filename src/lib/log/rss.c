// SPDX-License-Identifier: BSD-2-Clause

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>

#include "base/sys.h"
#include "base/table.h"
#include "base/file.h"
#include "base/scan.h"
#include "log/rss.h"

// These are the files of the calling thread. The files in /proc/self say nothing once the process's
// first thread has ended.
static const char statm[] = "/proc/thread-self/statm";
static const char status[] = "/proc/thread-self/status";

// The kernel refused to let us read statm: it is not read again in this process.
static SYS_FORK_PAGE bool refused;
static bool knows_most; // getrusage() worked at the start; written once

// Reads the first `count` numbers of statm (proc(5)): size, resident, shared, ..., all in pages.
// Returns false if the text does not begin with `count` numbers.
static bool
read_pages(const char *text, long length, uint64_t *pages, int count)
{
	const char *end = text + length;

	for (int i = 0; i < count; i++) {
		const char *at = text;
		for (pages[i] = 0; text < end && *text >= '0' && *text <= '9'; text++)
			pages[i] = pages[i] * 10 + (uint64_t)(*text - '0');
		if (text == at || text - at > 15 || text == end || *text++ != ' ')
			return false;
	}
	return end[-1] == '\n';
}

void
rss_look(struct rss *rss)
{
	char text[160];
	uint64_t pages[3];
	uint64_t page = sys_page_bytes();
	long length = refused ? -1 : file_peek(statm, text, sizeof(text));

	refused = refused || length == -EACCES || length == -EPERM || length == -ENOSYS;
	rss->known = length > 0 && read_pages(text, length, pages, 3) && pages[1] > 0;
	rss->bytes = rss->known ? pages[1] * page : 0;
	rss->file = rss->known ? pages[2] * page : 0;
}

void
rss_look_back(struct rss *rss)
{
	static TABLE_STATIC char text[4096];
	long length = rss->known ? file_peek(status, text, sizeof(text) - 1) : 0;
	uint64_t most = 0, shared = 0, room = 0;

	text[length > 0 ? length : 0] = '\0';
	rss->threads = 0;
	scan_number_after(text, "VmHWM:", &most);
	scan_number_after(text, "Threads:", &rss->threads);
	scan_number_after(text, "FDSize:", &room);
	file_keep_within(rss->threads > 1 ? room : 0);
	rss->knows_shared = scan_number_after(text, "RssShmem:", &shared);
	rss->most = most * 1024;
	rss->shared = shared * 1024;
}

static bool
look_at_most(struct rusage *usage)
{
	return sys_call2(SYS_getrusage, RUSAGE_SELF, (long)usage) == 0;
}

void
rss_start(void)
{
	struct rusage usage;
	knows_most = look_at_most(&usage);
}

bool
rss_may_have_been(uint64_t bytes)
{
	struct rusage usage;
	return !knows_most || !look_at_most(&usage) || (uint64_t)usage.ru_maxrss > bytes / 1024;
}

void
rss_fork(void)
{
	refused = false;
}
