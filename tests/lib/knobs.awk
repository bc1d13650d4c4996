# knobs: of what `cc -MM` says of the library's sources, into shared SOURCE: the names in capitals, knobs
# among them, of each source and its headers, and of what such a name is defined as there or in config.h;
# not those in comments and static assertions, of which no code comes. For shared_cc; read in the
# project's folder.

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
function names(file, line, asserts, macro) {
	if (file in named)
		return named[file]
	named[file] = " "
	while ((getline line <file) > 0) {
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

function put(count, name, i) {
	if (source == "")
		return
	# What is added behind is come to in turn.
	for (i = 1; i <= (count = split(all, name, " ")); i++)
		if (name[i] in made)
			all = add(all, made[name[i]])
	print all >(shared source)
	close(shared source)
}

BEGIN { names("config.h") }
{ sub(/^[^ ]*: /, ""); sub(/\\$/, "") }
/^src/ { put(); source = $1; all = " " }
{ for (i = 1; i <= NF; i++) if ($i != "config.h") all = add(all, names($i)) }
END { put() }
