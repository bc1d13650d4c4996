// A function's name loses its result, its parameters, and the arguments of templates, and nothing
// else: not the `<` of operators, nor what a lambda is in; a name whose brackets do not close stays
// as it is. In a list of names a comma between brackets ends none.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rows/name.h"

static int bad;

static const struct {
	const char *name, *whole, *shortened, *last;
} names[] = {
	{"open_session", "open_session", "open_session", "open_session"},
	{"", "", "", ""},
	{"Cache<int, Order>::get(long) const", "Cache<int, Order>::get", "Cache<>::get", "get"},
	{"void process<std::vector<int, A<int> > >(std::string)", "process<std::vector<int, A<int> > >",
		"process<>", "process"},
	{"std::map<int, A>* make<int>(int)", "make<int>", "make<>", "make"},
	{"a::B<c::D<int> >::E<f>::g()", "a::B<c::D<int> >::E<f>::g", "a::B<>::E<>::g", "g"},
	// Operators.
	{"bool operator< <int>(Id<int> const&, Id<int> const&)", "operator< <int>", "operator< <>",
		"operator< "},
	{"bool operator<<int>(Id<int> const&)", "operator<<int>", "operator<<>", "operator<"},
	{"std::ostream& operator<< <char>(std::ostream&, char)", "operator<< <char>",
		"operator<< <>", "operator<< "},
	{"ns::operator<<(int)", "ns::operator<<", "ns::operator<<", "operator<<"},
	{"Id<int>::operator<=>(Id<int>) const", "Id<int>::operator<=>", "Id<>::operator<=>",
		"operator<=>"},
	{"Pointer<int>::operator->() const", "Pointer<int>::operator->", "Pointer<>::operator->",
		"operator->"},
	{"Pointer<int>::operator->*<long>(long)", "Pointer<int>::operator->*<long>",
		"Pointer<>::operator->*<>", "operator->*"},
	{"Stream<int>::operator>>(int&)", "Stream<int>::operator>>", "Stream<>::operator>>",
		"operator>>"},
	{"F<int>::operator()(int)", "F<int>::operator()", "F<>::operator()", "operator()"},
	{"F<int>::operator()<long>(long) const", "F<int>::operator()<long>", "F<>::operator()<>",
		"operator()"},
	{"A<int>::operator[](unsigned long)", "A<int>::operator[]", "A<>::operator[]", "operator[]"},
	{"Session<int>::operator new(unsigned long)", "Session<int>::operator new",
		"Session<>::operator new", "operator new"},
	{"A::operator std::vector<int>() const", "A::operator std::vector<int>",
		"A::operator std::vector<>", "operator std::vector<int>"},
	{"operators<int>::run()", "operators<int>::run", "operators<>::run", "run"},
	// Lambdas, and what is in a function.
	{"main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()",
		"main::{lambda#1}::operator()", "operator()"},
	{"handle(int)::{lambda(std::map<int, A> const&)#2}::operator()(std::map<int, A> const&) const",
		"handle(int)::{lambda(std::map<int, A> const&)#2}::operator()",
		"handle::{lambda#2}::operator()", "operator()"},
	{"handle(int) const::Local::run()", "handle(int) const::Local::run", "handle::Local::run",
		"run"},
	{"(anonymous namespace)::Cache<int>::get(int)", "(anonymous namespace)::Cache<int>::get",
		"(anonymous namespace)::Cache<>::get", "get"},
	{"run<&(anonymous namespace)::f>(int)", "run<&(anonymous namespace)::f>", "run<>", "run"},
	{"decltype (f(a)) apply<void (*&)(int)>(void (*&)(int), int&&)", "apply<void (*&)(int)>",
		"apply<>", "apply"},
	// Methods of Go.
	{"runtime.(*mheap).grow", "runtime.(*mheap).grow", "runtime.(*mheap).grow", "runtime.(*mheap).grow"},
	// Brackets that do not close, or that nobody opened.
	{"std::map<int, std::vec", "std::map<int, std::vec", "std::map<int, std::vec", "map"},
	{"a>b", "a>b", "a>b", "a>b"},
	{"f(", "f", "f", "f"},
	{"A<(1>::f()", "A<(1>::f()", "A<(1>::f()", "A"},
	// Rust's.
	{"server::cache::Cache<K,V>::get", "server::cache::Cache<K,V>::get",
		"server::cache::Cache<>::get", "get"},
	{"server::run::<u8>", "server::run::<u8>", "server::run::<>", "run"},
	{"<server::Cache<K> as core::clone::Clone>::clone",
		"<server::Cache<K> as core::clone::Clone>::clone",
		"<server::Cache<> as core::clone::Clone>::clone", "clone"},
	{"<fn(A) -> B as core::ops::Fn<(A,)>>::call", "<fn(A) -> B as core::ops::Fn<(A,)>>::call",
		"<fn(A) -> B as core::ops::Fn<>>::call", "call"},
	{"core::slice::<impl [T]>::into_vec", "core::slice::<impl [T]>::into_vec",
		"core::slice::<impl [T]>::into_vec", "into_vec"},
	{"server::handle::{{closure}}", "server::handle::{{closure}}", "server::handle::{{closure}}",
		"{{closure}}"},
	// Mangled ones.
	{"_ZN5CacheIiE3getEl", "_ZN5CacheIiE3getEl", "_ZN5CacheIiE3getEl", "_ZN5CacheIiE3getEl"},
};

static void
expect(const char *name, const char *what, const char *want, const char *got, size_t length)
{
	if (strlen(want) == length && memcmp(want, got, length) == 0)
		return;
	printf("%s: %s is '%.*s', should be '%s'\n", name, what, (int)length, got, want);
	bad = 1;
}

static void
expect_printed(const char *name, const char *what, enum name_form form, const char *want)
{
	char *text;
	size_t length;
	FILE *to = open_memstream(&text, &length);

	name_print(to, name, form);
	fclose(to);
	expect(name, what, want, text, length);
	free(text);
}

// Lists of names, and the first of each.
// As one writes them.
static const struct {
	const char *name, *written;
} with_usual[] = {
	{"std::map<int, A, std::less<int>, std::allocator<std::pair<int const, A> > >::at(int const&)",
		"std::map<int, A>::at"},
	{"std::vector<std::vector<A, std::allocator<A>>, std::allocator<std::vector<A, std::allocator<A>>>>::f()",
		"std::vector<std::vector<A>>::f"},
	{"std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int, "
		"std::less<int>, std::allocator<int> >::at(int)", "std::map<std::string, int>::at"},
	{"std::unordered_map<int, A, std::hash<int>, std::equal_to<int>, std::allocator<A> >::emplace<A>(A&&)",
		"std::unordered_map<int, A>::emplace<A>"},
	{"std::__1::set<int, std::__1::less<int>, std::__1::allocator<int>>::f()", "std::__1::set<int>::f"},
	{"std::map<int, A, std::greater<int>, Pool<int> >::f()", "std::map<int, A, std::greater<int>, Pool<int> >::f"},
	{"std::map<int, A, std::less<int>::of, std::allocator<int> >::f()",
		"std::map<int, A, std::less<int>::of>::f"},
	{"f<std::allocator<int> >(int)", "f<std::allocator<int> >"},
	{"bool operator< <int, std::less<int> >(A)", "operator< <int>"},
	{"open_session", "open_session"},
	{"my_basic_string<char, std::char_traits<char>, std::allocator<char> >::f()", "my_basic_string<char>::f"},
	{"f<int, std::less<i", "f<int, std::less<i"},
};

static const struct {
	const char *list, *first;
} lists[] = {
	{"strdup", "strdup"},
	{"strdup, copy", "strdup"},
	{"", ""},
	{"std::map<int, Order, std::less<int>>::operator[], copy",
		"std::map<int, Order, std::less<int>>::operator[]"},
	{"std::map<int, Order>::at(int, int)::{lambda(int, long)#1}, copy",
		"std::map<int, Order>::at(int, int)::{lambda(int, long)#1}"},
	{"operator<, f<int, long>", "operator<"},
	{"A<int, B>::operator-> <int, long>, f", "A<int, B>::operator-> <int, long>"},
	{"operator<< <char, A>, operator>>", "operator<< <char, A>"},
	{"std::less<&a::operator<, int>::get, f", "std::less<&a::operator<, int>::get"},
	{"f<A>::g(int) -> B, h", "f<A>::g(int) -> B"},
	// Brackets that do not close.
	{"std::map<int, std::vec", "std::map<int"},
	{"a>b, c", "a>b"},
};

static void
expect_first(const char *list, const char *want)
{
	const char *end = list + strlen(list);

	expect(list, "the first", want, list, (size_t)(name_end_in_list(list, end) - list));
	for (const char *cut = list; cut < end; cut++)
		if (name_end_in_list(list, cut) > cut)
			bad = printf("%s: its first ends behind %td bytes\n", list, cut - list);
}

// Each beginning of a name is some name: all of it is read, and nothing behind it.
static void
expect_no_harm(const char *name)
{
	for (size_t i = 0; i <= strlen(name); i++) {
		char *cut = strndup(name, i);
		char *text;
		size_t length;
		FILE *to = open_memstream(&text, &length);
		name_print(to, cut, NAME_SHORT);
		name_print(to, cut, NAME_PLAIN);
		name_print(to, cut, NAME_WRITTEN);
		fclose(to);
		const char *last = name_last(cut, &length);
		if (last < cut || last + length > cut + i)
			bad = printf("%s: its last part is beyond its end\n", cut);
		free(text);
		free(cut);
	}
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length;
		const char *last = name_last(names[i].name, &length);
		expect_printed(names[i].name, "the whole", NAME_WHOLE, names[i].whole);
		expect_printed(names[i].name, "short", NAME_SHORT, names[i].shortened);
		expect(names[i].name, "the last part", names[i].last, last, length);
		expect_no_harm(names[i].name);
	}
	for (size_t i = 0; i < sizeof(with_usual) / sizeof(with_usual[0]); i++) {
		expect_printed(with_usual[i].name, "as written", NAME_WRITTEN, with_usual[i].written);
		expect_no_harm(with_usual[i].name);
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		expect_first(lists[i].list, lists[i].first);
	expect_printed("std::map<int, A<int>>::operator[](int&&)", "plain", NAME_PLAIN,
		"std::map::operator[]");
	return bad;
}
