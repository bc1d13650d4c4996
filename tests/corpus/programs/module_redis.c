// A module of redis, shop.add: it notes each order. With the argument leak it never lets go of one in three.

#include <string.h>

#include "plant.h"

static void *(*get_bytes)(size_t);
static void (*give_bytes)(void *);
static int (*reply_long)(void *, long long);
static const char *(*string_of)(void *, size_t *);
static int leaks;

__attribute__((noinline)) char *
add_order(const char *text, size_t length)
{
	char *made = get_bytes(length + 200);
	memset(made, 0, length + 200);
	return memcpy(made, text, length);
}

int
shop_add(void *context, void **arguments, int count)
{
	static char *kept[2500];
	static int at;
	size_t length;
	const char *text = string_of(arguments[count - 1], &length);
	char *made = add_order(text, length);
	int slot = at % (leaks ? 50 : 2500);
	if (leaks && at % 3 == 0) {
		plant(length + 200);
	} else {
		if (kept[slot])
			give_bytes(kept[slot]);
		kept[slot] = made;
	}
	return reply_long(context, at++);
}

int
RedisModule_OnLoad(void *context, void **arguments, int count)
{
	int (*get)(const char *, void *) = ((void **)context)[0];
	int (*create)(void *, const char *, void *, const char *, int, int, int);
	void (*attributes)(void *, const char *, int, int);
	get("RedisModule_SetModuleAttribs", &attributes);
	get("RedisModule_CreateCommand", &create);
	get("RedisModule_Alloc", &get_bytes);
	get("RedisModule_Free", &give_bytes);
	get("RedisModule_ReplyWithLongLong", &reply_long);
	get("RedisModule_StringPtrLen", &string_of);
	attributes(context, "shop", 1, 1);
	leaks = count && strcmp(string_of(arguments[0], NULL), "leak") == 0;
	return create(context, "shop.add", shop_add, "write", 0, 0, 0);
}
