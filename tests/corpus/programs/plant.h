// plant: what was planted so far, and since when, in the file planted.PID.

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void
plant(size_t bytes)
{
	static size_t planted;
	static time_t first, noted;
	time_t now = time(NULL);
	planted += bytes;
	if (!first)
		first = now;
	if (now - noted < 5)
		return;
	noted = now;
	char name[40];
	snprintf(name, sizeof name, "/srv/app/planted.%d", (int)getpid());
	FILE *file = fopen(name, "w");
	if (file)
		fprintf(file, "%zu %ld\n", planted, (long)first), fclose(file);
}

// So that a service does RATE requests a second.
static void
pace(int rate)
{
	usleep(1000000 / rate);
}
