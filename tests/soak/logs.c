#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "judge.h"
#include "tally.h"

struct judge state;

void
differ(const char *format, ...)
{
	va_list arguments;
	if (state.differences++ >= MOST_SHOWN)
		return;
	va_start(arguments, format);
	printf("differs: ");
	vprintf(format, arguments);
	printf("\n");
	va_end(arguments);
	tally("differences", 1);
}

void
forget(struct logfile *log)
{
	for (int i = 0; i < log->snapshot_count; i++) {
		for (int k = 0; k < log->snapshots[i].entry_count; k++) {
			struct log_source *entry = &log->snapshots[i].entries[k];
			// With a trail, the stack is that of the entry which told it.
			for (int n = 0; n < entry->depth && !entry->trail; n++)
				free(entry->frames[n]);
			free(entry->trail);
		}
		free(log->snapshots[i].entries);
	}
	for (int i = 0; i < log->run_count; i++)
		free(log->runs[i].header);
	free(log->snapshots);
	free(log->runs);
}

void
behead(const char *path)
{
	struct stat file;
	int fd = open(path, O_RDWR);
	if (fd < 0 || fstat(fd, &file) < 0)
		return;
	char *bytes = malloc((size_t)file.st_size + 1);
	ssize_t length = pread(fd, bytes, (size_t)file.st_size, 0);
	bytes[length] = '\0';
	char *first = strstr(bytes, "# pmem 5 ");
	ssize_t rest = first ? bytes + length - first : 0;
	if (rest != length && pwrite(fd, first ? first : "", (size_t)rest, 0) == rest
		&& ftruncate(fd, rest) == 0)
		state.beheaded++;
	free(bytes);
	close(fd);
}

void
put_away(const char *path, uint64_t differences_before)
{
	char kept[256];
	snprintf(kept, sizeof(kept), "bad.%s", path);
	if (state.differences != differences_before && differences_before < MOST_SHOWN)
		rename(path, kept);
	else
		unlink(path);
}

bool
read_all(struct logfile *log, const char *path)
{
	int complaints = log_read(log, path, stdout);
	if (complaints < 0)
		return false;
	if (complaints > 0)
		differ("%s: %d complaints", path, complaints);
	state.logs++;
	state.snapshots += (uint64_t)log->snapshot_count;
	for (int i = 0; i < log->snapshot_count; i++) {
		for (int k = 0; k < log->snapshots[i].entry_count; k++)
			state.blocks += log->snapshots[i].entries[k].counts.allocs_more;
	}
	return true;
}

static bool
is_of_site(const struct log_source *entry, enum site site)
{
	if (entry->depth < 2)
		return false;
	const char *name = site_names[site];
	const char *symbol = strchr(entry->frames[1], '(');
	size_t length = strlen(name);
	if (name[0] == '/')
		return symbol && symbol - entry->frames[1] >= (ptrdiff_t)length
			&& strncmp(symbol - length, name, length) == 0;
	return symbol && strncmp(symbol + 1, name, length) == 0 && symbol[1 + length] == '+';
}

struct book
book_in(const struct log_snapshot *snapshot, enum site site)
{
	struct book sum = {0};
	for (int i = 0; i < snapshot->entry_count; i++) {
		const struct log_source *entry = &snapshot->entries[i];
		if (!is_of_site(entry, site))
			continue;
		sum.alloc += entry->counts.alloc;
		sum.free += entry->counts.free;
		sum.allocs += entry->counts.allocs;
		sum.frees += entry->counts.frees;
	}
	return sum;
}

void
same_book(const char *what, const char *site, struct book log, struct book own)
{
	if (memcmp(&log, &own, sizeof(log)) != 0)
		differ("%s, %s: the log has alloc %" PRIu64 "/%" PRIu64 " free %" PRIu64 "/%" PRIu64
			", not %" PRIu64 "/%" PRIu64 " and %" PRIu64 "/%" PRIu64, what, site, log.alloc,
			log.allocs, log.free, log.frees, own.alloc, own.allocs, own.free, own.frees);
}

bool
sources_were_full(const struct log_snapshot *snapshot)
{
	return log_loss(snapshot, "table_full") > 0;
}

uint64_t
churn_in(const struct logfile *log, int run)
{
	uint64_t churn = 0;
	for (int i = 0; i < log->snapshot_count; i++)
		churn += log->snapshots[i].run == run ? log->snapshots[i].churn : 0;
	return churn;
}

const struct log_snapshot *
last_of(const struct logfile *log, int run)
{
	for (int i = log->snapshot_count; i-- > 0;) {
		if (log->snapshots[i].run == run)
			return &log->snapshots[i];
	}
	return NULL;
}
