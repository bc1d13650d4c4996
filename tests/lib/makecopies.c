// makecopies OBJECT COUNT: ./0.so, ./1.so and so on, each a copy of the object with a build-id
// of its own: to the loader, and to whoever asks, as many objects.

#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *
build_id_of(char *bytes, size_t size)
{
	static const char head[] = {4, 0, 0, 0, 20, 0, 0, 0, NT_GNU_BUILD_ID, 0, 0, 0, 'G', 'N', 'U', 0};
	char *found = memmem(bytes, size, head, sizeof(head));
	return found ? found + sizeof(head) : NULL;
}

int
main(int count, char **words)
{
	static char bytes[1 << 20];
	FILE *file = count == 3 ? fopen(words[1], "r") : NULL;
	if (!file)
		return 2;
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	char *id = build_id_of(bytes, size);
	fclose(file);
	if (!id)
		return 2;
	for (int i = 0; i < atoi(words[2]); i++) {
		char name[32];
		memcpy(id, &i, sizeof(i));
		snprintf(name, sizeof(name), "%d.so", i);
		file = fopen(name, "w");
		if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
			return 1;
	}
	return 0;
}
