// statm: what a test itself knows of its process's memory.

#ifndef TESTS_STATM_H
#define TESTS_STATM_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)

// Bytes resident. Allocates nothing.
static inline uint64_t
statm_rss(void)
{
	char text[200] = "";
	unsigned long size, resident;
	int fd = open("/proc/thread-self/statm", O_RDONLY);
	if (read(fd, text, sizeof(text) - 1) <= 0
		|| sscanf(text, "%lu %lu", &size, &resident) != 2)
		_exit(2);
	close(fd);
	return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Bytes by which the kernel's own figure may be behind: src/lib/log/rss.h says which.
static inline uint64_t
statm_late(int threads)
{
	uint64_t processors = (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t batch = processors > 16 ? 2 * processors : 32;
	return (3 * batch * processors + 64 * (uint64_t)threads) * (uint64_t)sysconf(_SC_PAGESIZE);
}

// Memory that is nobody's malloc, every page of it in use.
static inline void *
mapped(uint64_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		_exit(2);
	return memset(at, 'x', bytes);
}

#endif
