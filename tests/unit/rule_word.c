// A rule's word holds what a row of call frame information says, up to the limits of its fields, and
// none that is beyond.
// of whole stacks

#include "unit.h"
#include "unwind/cfa.h"
#include "unwind/rule.h"

static const enum value_base sp = VALUE_SP, fp = VALUE_FP;
static int rows;

// The row in which cfa = base + a, and the caller's fp and pc are saved at cfa + b and cfa + c.
static struct cfa_row
row(enum value_base base, int64_t a, int64_t b, int64_t c)
{
	return (struct cfa_row){.cfa = {.base = base, .offset = a},
		.fp = {CFA_SAVED, {.base = VALUE_CFA, .offset = b}},
		.ra = {CFA_SAVED, {.base = VALUE_CFA, .offset = c}}};
}

static uint64_t
word(struct cfa_row row)
{
	rows++;
	return rule_word_by_row(&row);
}

// Returns false if no word holds the row. A word that does must say the same.
static bool
is_held(enum value_base base, int64_t a, int64_t b, int64_t c)
{
	uint64_t rule = word(row(base, a, b, c));

	if (rule == RULE_NONE)
		return false;
	expect(rule_kind(rule) == (base == VALUE_SP ? RULE_SP : RULE_FP));
	expect(rule_saves_fp(rule));
	expect(rule_cfa_offset(rule) == a && rule_fp_offset(rule) == b && rule_ra_offset(rule) == c);
	// No word that a step reads lies inwards of sp.
	expect(rule_is_easy(rule) == (base == VALUE_SP && a % 8 == 0 && a + b >= 0 && a + c >= 0));
	return true;
}

#ifdef __aarch64__

static void
test_limits(void)
{
	const int64_t near = INT64_C(16) << 20, far = INT64_C(256) << 20;

	for (int i = 0; i < 2; i++) {
		enum value_base base = i == 0 ? sp : fp;
		// a
		expect(is_held(base, far - 8, near - far, near - far));
		expect(!is_held(base, far, near - far - 8, near - far - 8));
		// a + c
		expect(is_held(base, near, -8, -8) && !is_held(base, near + 8, -8, -8));
		expect(is_held(base, 8 - near, -8, -8) && !is_held(base, -near, -8, -8));
		// b - c
		expect(is_held(base, 4096, -1032, -2048) && !is_held(base, 4096, -1024, -2048));
		expect(is_held(base, 4096, -1032, -8) && !is_held(base, 4096, -1040, -8));
	}
	expect(is_held(sp, 16, -16, -8) && is_held(sp, 8, -16, -8) && is_held(sp, 8, -8, -16));
	expect(!is_held(sp, 16, -16, 0) && !is_held(sp, 16, 0, -8));
	expect(!is_held(sp, 12, -16, -8) && !is_held(sp, 16, -12, -8) && !is_held(sp, 16, -16, -4));
	expect(!is_held(sp, INT64_MAX - 7, -8, INT64_MIN) && !is_held(sp, 16, INT64_MIN, -8));
}

// A function that has not saved x30 has its caller there, and is reached by sp alone.
static void
test_return_address_in_a_register(void)
{
	struct cfa_row same = row(sp, 32, -16, 0);
	same.ra = (struct cfa_register){.saving = CFA_SAME};
	uint64_t rule = word(same);

	expect(rule_kind(rule) == RULE_IN_LR && rule_saves_fp(rule));
	expect(rule_cfa_offset(rule) == 32 && rule_fp_offset(rule) == -16);
	same.cfa.base = VALUE_FP;
	expect(word(same) == RULE_NONE);
}

static void
test_addresses(void)
{
	expect(registers_may_be_code(1) && registers_may_be_code((UINT64_C(1) << 56) - 1));
	expect(!registers_may_be_code(0) && !registers_may_be_code(UINT64_C(1) << 56));
	expect(!registers_may_be_code(RULE_INTERRUPTED | 4096));
}

#else

static void
test_limits(void)
{
	const int64_t b_limit = INT64_C(1) << 23;

	for (int i = 0; i < 2; i++) {
		enum value_base base = i == 0 ? sp : fp;
		expect(is_held(base, INT32_MAX, -16, -8));
		expect(!is_held(base, INT64_C(1) << 31, -16, -8));
		expect(is_held(base, INT32_MIN, -16, -8) && !is_held(base, INT64_C(-1) + INT32_MIN, -16, -8));
		expect(is_held(base, 16, -b_limit, -8) && !is_held(base, 16, -b_limit - 8, -8));
	}
	expect(is_held(sp, 16, -8, -8) && !is_held(sp, 16, 0, -8));
	expect(!is_held(sp, 16, -12, -8) && !is_held(sp, 16, -16, -16) && !is_held(sp, 16, -16, 0));
}

static void
test_return_address_in_a_register(void)
{
	struct cfa_row same = row(sp, 32, -16, -8);
	same.ra = (struct cfa_register){.saving = CFA_SAME};
	expect(word(same) == RULE_NONE);
}

static void
test_addresses(void)
{
	expect(registers_may_be_code(1) && !registers_may_be_code(0));
}

#endif

int
main(void)
{
	struct cfa_row odd = row(sp, 16, -16, -8);

	test_limits();
	test_return_address_in_a_register();
	test_addresses();
	odd.fp.at.base = VALUE_SP;
	expect(word(odd) == RULE_NONE);
	odd.fp.saving = CFA_SAME;
	expect(!rule_saves_fp(word(odd)) && rule_cfa_offset(word(odd)) == 16);
	// A step reads the word there, whether fp is saved or not.
	expect(rule_fp_offset(word(odd)) == rule_ra_offset(word(odd)));
	odd.fp.saving = CFA_ELSEWHERE;
	expect(word(odd) == RULE_NONE);
	odd.ra.saving = CFA_UNDEFINED;
	expect(word(odd) == RULE_END);
	printf("figure: %d rows\n", rows);
	return 0;
}
