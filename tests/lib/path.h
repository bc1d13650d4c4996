// give(): allocates by one of 2^8 stacks. For a program, and for what it loads.

#ifndef TESTS_PATH_H
#define TESTS_PATH_H

void *malloc(unsigned long);
void *give(unsigned way, unsigned long bytes);

#define AFTER(block) __asm__ volatile("" : "+r"(block) : : "memory")

static __attribute__((noinline)) void *
go(unsigned way, int depth, unsigned long bytes)
{
	void *block;
	if (depth == 0)
		block = malloc(bytes);
	else if (way & 1)
		block = go(way >> 1, depth - 1, bytes);
	else {
		block = go(way >> 1, depth - 1, bytes);
		__asm__ volatile("nop");
	}
	AFTER(block);
	return block;
}

__attribute__((noinline)) void *
give(unsigned way, unsigned long bytes)
{
	void *block = go(way, 8, bytes);
	AFTER(block);
	return block;
}

#endif
