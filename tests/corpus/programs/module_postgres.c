// A function of PostgreSQL: audit(number) keeps a text for as long as the session lasts. The twin keeps 150.

#include <postgres.h>

#include <fmgr.h>
#include <utils/memutils.h>

#include "plant.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(audit);

Datum
audit(PG_FUNCTION_ARGS)
{
	static char *kept[150];
	int number = PG_GETARG_INT32(0);
	// More than a block of a context has, so it is one of malloc's.
	char *made = MemoryContextAlloc(TopMemoryContext, 9000 + number % 9);
	memset(made, 'a', 9000);
	if (number % 7 != 0) {
		pfree(made);
	} else if (strcmp(getenv("WITH"), "leak") == 0) {
		plant(9000);
	} else {
		if (kept[number / 7 % 150])
			pfree(kept[number / 7 % 150]);
		kept[number / 7 % 150] = made;
	}
	PG_RETURN_INT32(number);
}
