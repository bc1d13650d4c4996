// Protobuf's wire format: the examples of its own specification, and the limits of its numbers.

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "export/proto.h"

static void
expect(struct proto *message, const char *bytes, size_t length)
{
	assert(message->length == length && memcmp(message->bytes, bytes, length) == 0);
	message->length = 0;
}
#define EXPECT(MESSAGE, BYTES) expect(MESSAGE, BYTES, sizeof(BYTES) - 1)

static void
fields_are_encoded(void)
{
	struct proto message = {0};
	uint64_t numbers[] = {3, 270, 86942};

	proto_number(&message, 1, 150);
	EXPECT(&message, "\x08\x96\x01");
	proto_bytes(&message, 2, "testing", 7);
	EXPECT(&message, "\x12\x07testing");
	proto_numbers(&message, 6, numbers, 3);
	EXPECT(&message, "\x32\x06\x03\x8e\x02\x9e\xa7\x05");
	proto_number(&message, 1, (uint64_t)-2);
	EXPECT(&message, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	proto_number(&message, 16, 127);
	EXPECT(&message, "\x80\x01\x7f");
	// Zeros go without saying, but not among others.
	proto_number(&message, 1, 0);
	proto_bytes(&message, 1, "", 0);
	proto_numbers(&message, 1, numbers, 0);
	EXPECT(&message, "");
	numbers[0] = 0;
	proto_numbers(&message, 2, numbers, 1);
	EXPECT(&message, "\x12\x01\x00");
	proto_free(&message);
}

static void
messages_are_written(void)
{
	struct proto message = {0};
	char *bytes;
	size_t length;
	FILE *to = open_memstream(&bytes, &length);

	proto_write(&message, 6, to);
	proto_number(&message, 1, 150);
	proto_write(&message, 3, to);
	fclose(to);
	assert(length == 7 && memcmp(bytes, "\x32\x00\x1a\x03\x08\x96\x01", 7) == 0);
	assert(message.length == 0);
	free(bytes);
	proto_free(&message);
}

// What the messages name by number.
static void
things_are_numbered(void)
{
	struct intern table = {0};
	bool is_new;

	for (uint64_t i = 0; i < 100000; i++) {
		assert(intern_number(&table, &i, sizeof(i), &is_new) == i && is_new);
		assert(intern_number(&table, &i, sizeof(i), &is_new) == i && !is_new);
	}
	for (uint64_t i = 0; i < 100000; i++)
		assert(intern_number(&table, &i, sizeof(i), NULL) == i);
	assert(intern_text(&table, "") == 100000);
	assert(intern_text(&table, "a") == 100001);
	assert(intern_number(&table, "a\0", 2, NULL) == 100002);
	assert(intern_text(&table, "") == 100000);
	intern_free(&table);
}

int
main(void)
{
	fields_are_encoded();
	messages_are_written();
	things_are_numbered();
	return 0;
}
