#include "base/message.h"
#include "base/compose.h"

void
compose_begin(struct compose *compose)
{
	compose->to = open_memstream(&compose->text, &compose->length);
	if (!compose->to)
		die(EXIT_DATA, "out of memory");
}

char *
compose_end(struct compose *compose)
{
	if (ferror(compose->to) || fclose(compose->to) != 0)
		die(EXIT_DATA, "out of memory");
	return compose->text;
}
