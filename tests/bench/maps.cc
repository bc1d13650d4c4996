// maps N: a C++ program that lives on the heap: maps of strings to vectors of strings, built,
// searched, thinned out and built again. The words are longer than a string keeps in itself.

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

static std::string
word(unsigned long i)
{
	return "a word of some length, number " + std::to_string(i * 2654435761UL % 1000003);
}

int
main(int argc, char **argv)
{
	unsigned long count = argc > 1 ? strtoul(argv[1], nullptr, 10) : 100000;
	std::map<std::string, std::vector<std::string>> index;
	std::map<std::string, std::string> text;
	for (int round = 0; round < 3; round++) {
		for (unsigned long i = 0; i < count; i++) {
			index[word(i % (count / 4 + 1))].push_back(word(i + round));
			text[word(i)] += std::to_string(i) + ", and some more";
		}
		for (unsigned long i = 0; i < count; i += 2)
			text.erase(word(i));
		for (auto entry = index.begin(); entry != index.end();)
			entry = entry->second.size() % 3 ? std::next(entry) : index.erase(entry);
	}
	unsigned long bytes = 0;
	for (const auto &entry : index)
		for (const auto &other : entry.second)
			bytes += other.size();
	for (const auto &entry : text)
		bytes += entry.second.size();
	printf("%zu %zu %lu\n", index.size(), text.size(), bytes);
}
