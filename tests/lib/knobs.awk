# knobs: of the sources that are named, into shared SOURCE: the names in capitals, knobs among them, of each
# source and its headers, and of what such a name is defined as there or in config.h; not those in comments
# and static assertions, of which no code comes. For shared_cc; read in the project's folder.

# add TEXT to NAMES: its names that are not there yet.
function add(names, text, name) {
	while (match(text, /[A-Z_]+[A-Z]/)) {
		name = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		if (!index(names, " " name " "))
			names = names name " "
	}
	return names
}

# Those in a file; what its macros are made of stands in made.
function names(file, line, asserts, macro, part) {
	if (file in named)
		return named[file]
	named[file] = " "
	while ((getline line <file) > 0) {
		if (line ~ /^#include "/) {
			split(line, part, "\"")
			includes[file] = includes[file] " " found(part[2], file)
			continue
		}
		sub(/\/\/.*/, "", line)
		if (line ~ /^_Static_assert\(/)
			asserts = 1
		if (match(line, /^#define [A-Z_]+/)) {
			macro = substr(line, 9, RLENGTH - 8)
			line = substr(line, RLENGTH + 1)
		}
		if (macro != "")
			made[macro] = add(made[macro] " ", line)
		else if (!asserts)
			named[file] = add(named[file], line)
		if (line !~ /\\$/)
			macro = ""
		if (line ~ /;$/)
			asserts = 0
	}
	close(file)
	return named[file]
}

# found NAME IN: the path of a header of ours that IN includes.
function found(name, in_file, folder, i, path, line) {
	sub(/[^\/]*$/, "", in_file)
	split(in_file ":src/:" (in_file ~ /^src\/cli\// ? "src/cli/" : "src/lib/") ":", folder, ":")
	for (i = 1; i <= 4; i++) {
		path = folder[i] name
		if (path in named || (getline line <path) > 0) {
			close(path)
			return path
		}
	}
}

# reach FILE: adds its names, and those of the headers that it includes, to all.
function reach(file, header, i, count) {
	reached[file] = source
	all = add(all, names(file))
	count = split(includes[file], header, " ")
	for (i = 1; i <= count; i++)
		if (reached[header[i]] != source && header[i] != "config.h")
			reach(header[i])
}

BEGIN { names("config.h") }
{
	source = $1
	all = " "
	reach(source)
	# What is added behind is come to in turn.
	for (i = 1; i <= (count = split(all, name, " ")); i++)
		if (name[i] in made)
			all = add(all, made[name[i]])
	print all >(shared source)
	close(shared source)
}
