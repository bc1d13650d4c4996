// An extension of sqlite: audit(text) keeps what was asked. The twin keeps the last 2,000.

#include <stdlib.h>
#include <string.h>

#include <sqlite3ext.h>

#include "plant.h"

SQLITE_EXTENSION_INIT1

__attribute__((noinline)) void
audit(sqlite3_context *context, int count, sqlite3_value **values)
{
	static char *kept[2000];
	static int at;
	const char *text = (const char *)sqlite3_value_text(values[count - 1]);
	char *made = sqlite3_mprintf("%s is what was asked, and it is kept, %300d", text, at);
	if (strcmp(getenv("WITH"), "leak") == 0) {
		plant(strlen(made) + 1);
	} else {
		sqlite3_free(kept[at % 2000]);
		kept[at % 2000] = made;
	}
	sqlite3_result_int(context, at++);
}

int
sqlite3_modulesqlite_init(sqlite3 *db, char **error, const sqlite3_api_routines *routines)
{
	(void)error;
	SQLITE_EXTENSION_INIT2(routines);
	return sqlite3_create_function(db, "audit", 1, SQLITE_UTF8, NULL, audit, NULL, NULL);
}
