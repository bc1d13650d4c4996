#include <search.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/memory.h"
#include "symbols/symbolizer.h"
#include "symbols/answers.h"

static int
by_answer(const void *left, const void *right)
{
	uint64_t a = ((const struct answer *)left)->address;
	uint64_t b = ((const struct answer *)right)->address;
	return (a > b) - (a < b);
}

static int
by_address(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

static void
ask(const struct binary *binary, const uint64_t *addresses, size_t count,
	struct symbolized *found)
{
	static bool told;

	struct symbolizer_file file = {
		.path = binary->dwarf,
		.is_shared = binary->dwarf_is_shared,
		.symbols = binary->symbols,
	};

	if (!binary->dwarf || symbolizer_ask(&file, addresses, count, found) || told)
		return;
	told = true;
	warn("none of llvm-symbolizer, addr2line and eu-addr2line is there and works: "
		"functions without lines, and none of the inlined");
}

void
answers_learn(struct binary *binary, uint64_t *addresses, size_t count)
{
	size_t wanted = 0;

	qsort(addresses, count, sizeof(*addresses), by_address);
	for (size_t i = 0; i < count; i++) {
		if (wanted > 0 && addresses[wanted - 1] == addresses[i])
			continue;
		if (!answers_at(binary, addresses[i]))
			addresses[wanted++] = addresses[i];
	}
	if (wanted == 0)
		return;
	struct symbolized *found = memory_get(wanted, sizeof(*found));
	ask(binary, addresses, wanted, found);
	for (size_t i = 0; i < wanted; i++) {
		struct answer *answer = memory_get(1, sizeof(*answer));
		*answer = (struct answer){.address = addresses[i], .symbolized = found[i]};
		if (!tsearch(answer, &binary->answers, by_answer))
			die(EXIT_DATA, "out of memory");
	}
	free(found);
}

struct answer *
answers_at(struct binary *binary, uint64_t address)
{
	struct answer key = {.address = address};
	struct answer **found = tfind(&key, &binary->answers, by_answer);
	return found ? *found : NULL;
}

bool
answers_name(const struct binary *binary, struct answer *answer, const char *logged)
{
	struct symbolized *symbolized = &answer->symbolized;

	if (answer->is_named)
		return false;
	answer->is_named = true;
	if (symbolized->count == 0) {
		symbolized->calls = memory_get(1, sizeof(*symbolized->calls));
		symbolized->calls[0] = (struct call){.function = "", .file = ""};
		symbolized->count = 1;
	}
	struct call *outermost = &symbolized->calls[symbolized->count - 1];
	const char *name = binary->symbols
		? elfsym_at(binary->symbols, answer->address, logged) : NULL;
	if (name)
		outermost->function = name;
	else if (!outermost->function[0])
		outermost->function = logged;
	for (struct call *call = symbolized->calls; call < outermost; call++) {
		if (!call->function[0])
			call->function = "(inlined)";
	}
	return true;
}
