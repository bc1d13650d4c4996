#include <errno.h>

#include "sys.h"
#include "file.h"
#include "rss.h"

// The thread's own: of a process whose first thread has ended the other one says nothing.
static const char statm[] = "/proc/thread-self/statm";

// Open while it is read.
static struct file file = {.fd = -1, .low = -1};

// What was refused once is not asked for again in this process.
static bool refused;

// proc(5): size resident shared ..., in pages. False: it is not a line of such numbers.
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
	long length = refused ? -1 : file_peek(&file, statm, text, sizeof(text));

	refused = refused || length == -EACCES || length == -EPERM || length == -ENOSYS;
	rss->known = length > 0 && read_pages(text, length, pages, 3) && pages[1] > 0;
	rss->bytes = rss->known ? pages[1] * page : 0;
	rss->file = rss->known ? pages[2] * page : 0;
}

void
rss_fork(bool closes)
{
	if (closes)
		file_drop_peek(&file, statm);
	file.low = -1;
	refused = false;
}
