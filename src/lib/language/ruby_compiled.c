// SPDX-License-Identifier: BSD-2-Clause

#include <string.h>

#include "base/sys.h"
#include "base/file.h"
#include "base/table.h"
#include "language/ruby_probe.h"
#include "language/ruby_code.h"
#include "language/ruby_compiled.h"

enum {
	SITE_BITS = 10,
	SEVERAL = 7,
	LOOKS = 8, // the process's mappings are read at most this many times
	MAPPINGS_BYTES = 1 << 13,
	PAGE = 4096,
};

// A call in compiled code, and the place saved for it. The entry is valid until the next garbage
// collection. Compiled code is freed only by a collection. If two threads each wrote one word of an
// entry, the entry matches no call.
struct site {
	uintptr_t check; // the return address ^ the number of collections ^ `saved`
	uintptr_t saved;
};

static TABLE_STATIC struct site sites[1 << SITE_BITS];
static TABLE_STATIC char mappings[MAPPINGS_BYTES];

static struct {
	// The machine code of some Ruby instructions saves its place once, and then makes two calls.
	// The second call is to one of these functions. A second call to another function may belong to
	// the next Ruby instruction, for which no place was saved.
	uintptr_t several[SEVERAL];
	uintptr_t proven; // an address in YJIT's code; 0 if none yet; atomic
	uintptr_t start;  // start of all YJIT's code; written before `bytes`
	uintptr_t bytes;  // size of all YJIT's code; 0 if not known; atomic, written with release
	unsigned looks;
} state;

void
ruby_compiled_open(const struct dynsym *symbols)
{
	static const char *const names[SEVERAL] = {"rb_hash_bulk_insert", "rb_reg_new_ary",
		"rb_reg_nth_match", "rb_reg_last_match", "rb_reg_match_pre", "rb_reg_match_post",
		"rb_reg_match_last"};

	for (size_t i = 0; i < SEVERAL; i++)
		state.several[i] = (uintptr_t)symbol_at(symbols, names[i]);
}

static bool
is_of_several(uintptr_t function)
{
	for (size_t i = 0; i < SEVERAL; i++) {
		if (state.several[i] == function)
			return function != 0;
	}
	return false;
}

// `pc` is the return address of a call. Returns the place that the code before `pc` has saved for
// this call, or 0. Also returns 0 if the bytes before `pc` cannot be read: then they are not YJIT's
// code.
static __attribute__((noinline)) uintptr_t
read_code(uintptr_t pc)
{
	uintptr_t from = pc - RUBY_CODE_BYTES;

	if (pc < 2 * PAGE || !sys_readable(pc - sizeof(pc)))
		return 0;
	if (!sys_readable(from))
		from = pc & -(uintptr_t)PAGE;
	struct ruby_code code = ruby_code_read((const uint8_t *)from, (const uint8_t *)pc);
	return code.calls == 1 || is_of_several(code.called) ? code.saved : 0;
}

uintptr_t
ruby_compiled_saved(uintptr_t pc)
{
	uint64_t at = pc * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SITE_BITS);
	uintptr_t collection = ruby_probe.collections() << 48;
	uintptr_t saved = __atomic_load_n(&sites[at].saved, __ATOMIC_RELAXED);

	if (__atomic_load_n(&sites[at].check, __ATOMIC_RELAXED) == (pc ^ collection ^ saved))
		return saved;
	saved = read_code(pc);
	__atomic_store_n(&sites[at].saved, saved, __ATOMIC_RELAXED);
	__atomic_store_n(&sites[at].check, pc ^ collection ^ saved, __ATOMIC_RELAXED);
	return saved;
}

// `pc` is a return address. Returns true if the code before it has saved a place, and the thread's
// innermost Ruby frame has this place. Code that has saved no place may be other code than YJIT's,
// and may run after Ruby has ended. So in this case none of Ruby's functions is called.
static bool
proves(uintptr_t pc)
{
	uintptr_t saved = read_code(pc);
	uintptr_t context = saved != 0 ? ruby_context() : 0;
	uintptr_t frame = context ? ruby_innermost(context) : 0;

	return frame && word_at(frame, FRAME_PC) == saved;
}

bool
ruby_has_compiled(uintptr_t address, bool interrupted)
{
	uintptr_t bytes = __atomic_load_n(&state.bytes, __ATOMIC_ACQUIRE);

	if (address - state.start < bytes)
		return true;
	if (bytes != 0 || interrupted || !proves(address + 1))
		return false;
	__atomic_store_n(&state.proven, address, __ATOMIC_RELEASE);
	return true;
}

struct mapping {
	uintptr_t start;
	uintptr_t end;
	bool may_be_code; // true if mapped from no file, and executable or not accessible yet
};

static uintptr_t
hexadecimal(const char **at)
{
	uintptr_t number = 0;

	for (;; (*at)++) {
		char digit = **at;
		if (digit >= '0' && digit <= '9')
			number = number << 4 | (uintptr_t)(digit - '0');
		else if (digit >= 'a' && digit <= 'f')
			number = number << 4 | (uintptr_t)(digit - 'a' + 10);
		else
			return number;
	}
}

// Reads a line of /proc/self/maps, START-END rwxp OFFSET DEVICE INODE PATH (proc(5)), and its line
// feed.
static struct mapping
read_mapping(const char *line)
{
	static const char of_no_file[] = " 00:00 0 ";
	struct mapping mapping = {.start = hexadecimal(&line)};

	line++;
	mapping.end = hexadecimal(&line);
	const char *access = line + 1;
	for (int blanks = 0; blanks < 2 && *line != '\n'; line++)
		blanks += line[1] == ' ';
	mapping.may_be_code = (begins_with(access, "r-xp") || begins_with(access, "---p"))
		&& begins_with(line, of_no_file);
	for (line += sizeof(of_no_file) - 1; mapping.may_be_code && *line == ' ';)
		line++;
	mapping.may_be_code = mapping.may_be_code && (*line == '\n' || begins_with(line, "[anon:"));
	return mapping;
}

// Finds the mapping with YJIT's code, and all mappings that follow it without a gap. Returns all
// these as one mapping.
static struct mapping
find_mapping(uintptr_t proven)
{
	struct mapping found = {0};
	uint64_t read = 0;
	long length;

	while ((length = file_peek_at("/proc/self/maps", read, mappings, sizeof(mappings) - 1)) > 0) {
		const char *end;
		char *at = mappings;
		for (; (end = memchr(at, '\n', (size_t)(mappings + length - at))); at += end + 1 - at) {
			struct mapping mapping = read_mapping(at);
			bool goes_on = mapping.start == found.end || proven - mapping.start < mapping.end - mapping.start;
			if (!mapping.may_be_code || !goes_on)
				continue;
			found.start = found.start ? found.start : mapping.start;
			found.end = mapping.end;
		}
		// A line that is longer than the buffer is skipped. The line of YJIT's code is short: it
		// has no path.
		read += at > mappings ? (uint64_t)(at - mappings) : (uint64_t)length;
	}
	return found;
}

// While another thread writes code, that code is not executable, and this search misses it. So the
// mappings are read more than once.
bool
ruby_compiled_look(void)
{
	uintptr_t proven = __atomic_load_n(&state.proven, __ATOMIC_ACQUIRE);

	if (proven == 0 || state.looks >= LOOKS)
		return false;
	state.looks++;
	struct mapping found = find_mapping(proven);
	if (found.end - found.start <= state.bytes)
		return false;
	__atomic_store_n(&state.bytes, 0, __ATOMIC_SEQ_CST);
	__atomic_store_n(&state.start, found.start, __ATOMIC_SEQ_CST);
	__atomic_store_n(&state.bytes, found.end - found.start, __ATOMIC_RELEASE);
	return true;
}
