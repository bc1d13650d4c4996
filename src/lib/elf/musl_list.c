// SPDX-License-Identifier: BSD-2-Clause

#include <stddef.h>

#include "base/sys.h"
#include "base/libc.h"
#include "elf/musl_list.h"

// The first fields of musl's struct dso (ldso/dynlink.c).
struct musl_object {
	struct link_map map;
	const ElfW(Phdr) *headers;
	int header_count;
};

static const struct r_debug *list; // libc.musl_list, once musl_list_start() has seen one

// The last object on the list that is known to stay; atomic. NULL until musl_list_start() has
// compared the list.
static const struct musl_object *last;

static const struct musl_object *
first_object(void)
{
	return (const struct musl_object *)__atomic_load_n(&list->r_map, __ATOMIC_ACQUIRE);
}

static const struct musl_object *
next_object(const struct musl_object *object)
{
	return (const struct musl_object *)__atomic_load_n(&object->map.l_next, __ATOMIC_ACQUIRE);
}

static bool
is_consistent(void)
{
	return __atomic_load_n(&list->r_state, __ATOMIC_ACQUIRE) == RT_CONSISTENT;
}

static struct dl_phdr_info
describe(const struct musl_object *object)
{
	return (struct dl_phdr_info){
		.dlpi_addr = object->map.l_addr,
		// The first object is the program, for which musl has argv[0].
		.dlpi_name = object == first_object() ? "" : object->map.l_name,
		.dlpi_phdr = object->headers,
		.dlpi_phnum = (ElfW(Half))object->header_count,
	};
}

// The state of the comparison with dl_iterate_phdr().
struct comparison {
	const struct musl_object *at; // the next object on the list; NULL behind the list's end
	const struct musl_object *before; // the last object that was equal
};

// Returns 1 if an object differs from the one on the list.
static int
compare(struct dl_phdr_info *loaded, size_t bytes, void *context)
{
	(void)bytes;
	struct comparison *comparison = context;
	const struct musl_object *at = comparison->at;

	if (!at || loaded->dlpi_addr != at->map.l_addr || loaded->dlpi_phdr != at->headers
		|| loaded->dlpi_phnum != at->header_count || loaded->dlpi_name != at->map.l_name)
		return 1;
	comparison->before = at;
	comparison->at = next_object(at);
	return 0;
}

// Objects that the program starts with are never removed, so the last of these stays. If the list
// differs from dl_iterate_phdr(), musl is of an unknown version. Then musl_list becomes NULL, and
// nothing is recorded (allocator.c).
bool
musl_list_start(void)
{
	if (__atomic_load_n(&last, __ATOMIC_ACQUIRE))
		return true;
	const struct r_debug *own = __atomic_load_n(&libc.musl_list, __ATOMIC_ACQUIRE);
	if (!own)
		return false;
	list = own; // each thread stores the same
	struct comparison comparison = {first_object(), NULL};
	if (!comparison.at || !is_consistent())
		return false;
	if (libc.dl_iterate_phdr(compare, &comparison) != 0 || comparison.at) {
		if (is_consistent() && !__atomic_load_n(&last, __ATOMIC_ACQUIRE))
			__atomic_store_n(&libc.musl_list, NULL, __ATOMIC_RELEASE);
		return false;
	}
	__atomic_store_n(&last, comparison.before, __ATOMIC_RELEASE);
	return true;
}

// Moves `last` on to the newest object that stays. The next object is read twice. Between the two
// reads the state is RT_CONSISTENT, so the object was not one that dlopen() has removed meanwhile.
static const struct musl_object *
know_more(void)
{
	const struct musl_object *known = __atomic_load_n(&last, __ATOMIC_ACQUIRE);

	while (is_consistent()) {
		const struct musl_object *next = next_object(known);
		if (!next || !is_consistent() || next_object(known) != next
			|| !sys_is_there((uintptr_t)next, sizeof(*next)))
			break;
		// If another thread was faster, `known` becomes what that thread has stored.
		if (__atomic_compare_exchange_n(
				&last, &known, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			known = next;
	}
	return known;
}

static uint64_t
count_to(const struct musl_object *end)
{
	uint64_t count = 1;
	for (const struct musl_object *at = first_object(); at != end; at = next_object(at))
		count++;
	return count;
}

uint64_t
musl_list_count(void)
{
	return count_to(know_more());
}

int
musl_list_visit(int (*step)(struct dl_phdr_info *, size_t, void *), void *context)
{
	const struct musl_object *end = know_more();
	uint64_t count = count_to(end);
	const struct musl_object *at = first_object();

	for (;; at = next_object(at)) {
		struct dl_phdr_info loaded = describe(at);
		loaded.dlpi_adds = count;
		int result = step(&loaded, sizeof(loaded), context);
		if (result != 0 || at == end)
			return result;
	}
}
