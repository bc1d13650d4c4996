// Rust's names, in both manglings, with c++filt, with llvm-cxxfilt, and the older ones without
// either; without the hashes that tell crates apart. What compilers put behind a name is cut.

#include "symbols_subject.h"
#include "symbols/symbolizer.h"

static const char *const older[][2] = {
	{"_ZN3foo3bar17h05af221e174051e9E", "foo::bar"},
	{"_ZN4core3ptr13drop_in_place17h05af221e174051e9E.llvm.1234", "core::ptr::drop_in_place"},
	{"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
		"17h930b740aa94f1d3aE", "<Test + 'static as foo::Bar<Test>>::bar"},
	{"_ZN3foo28_$u7b$$u7b$closure$u7d$$u7d$17h05af221e174051e9E", "foo::{{closure}}"},
	{"_ZN8$RF$testt17h05af221e174051e9E", NULL},
	{"_ZN9999foo17h05af221e174051e9E", NULL},
	{"_ZN18446744073709551615foo17h05af221e174051e9E", NULL},
	{"_ZN17h05af221e174051e9E", NULL},
	{NULL, NULL},
};

static const char *const others[][2] = {
	{"_RNvC7mycrate3foo", "mycrate::foo"},
	{"_RNvCs1234_7mycrate3foo", "mycrate::foo"},
	{"_RINvCs6GmmlP4bgsG_1r4makeyEB2_", "r::make::<u64>"},
	{"_ZN4shop6BasketIiE3addERKi", "shop::Basket<int>::add(int const&)"},
	{"_ZN4shop6BasketIiE3addERKi.constprop.0", "shop::Basket<int>::add(int const&)"},
	{"_Z1fSt6vectorIS_IiSaIiEESaIS1_EE",
		"f(std::vector<std::vector<int, std::allocator<int>>, std::allocator<std::vector<int, "
		"std::allocator<int>>>>)"},
	{"handle.part.0.cold", "handle"},
	{"handle.isra.0", "handle"},
	{"local.1", "local.1"},
	{".cold", ".cold"},
	{"operator new(unsigned long)", "operator new(unsigned long)"},
	{"_Zebra", "_Zebra"},
	{"main", "main"},
	{"", ""},
	{NULL, NULL},
};

static void
check(const char *const (*names)[2])
{
	const char *asked[32];
	size_t count = 0;

	for (; names[count][0]; count++)
		asked[count] = names[count][0];
	demangle(asked, count);
	for (size_t i = 0; i < count; i++) {
		CHECK(asked[i][0] || !names[i][0][0]);
		if (!names[i][1])
			continue;
		if (strcmp(asked[i], names[i][1]) != 0)
			printf("%s: %s\n", names[i][0], asked[i]);
		CHECK(strcmp(asked[i], names[i][1]) == 0);
	}
}

static void
check_all(void *programs)
{
	path_with("bin", programs);
	check(older);
	check(others);
}

static void
check_alone(void *context)
{
	const char *name = "_ZN4shop6BasketIiE3addERKi.cold";
	(void)context;

	setenv("PATH", "/nonexistent", 1);
	check(older);
	demangle(&name, 1);
	CHECK(strcmp(name, "_ZN4shop6BasketIiE3addERKi") == 0);
}

int
main(void)
{
	const char *binutils[] = {"c++filt", NULL};
	const char *llvm[] = {"llvm-cxxfilt", NULL};

	need("c++filt", "binutils");
	need("llvm-cxxfilt", "llvm");
	apart(check_alone, NULL);
	CHECK(errors[0] == '\0');
	apart(check_all, binutils);
	CHECK(errors[0] == '\0');
	apart(check_all, llvm);
	CHECK(errors[0] == '\0');
	return 0;
}
