# knobs: of what `cc -MM` says of the library's sources, into shared SOURCE: the names in capitals, knobs
# among them, of each source and its headers, and of what such a knob is made of in config.h. For
# shared_cc; read in the project's folder.

function names(file, line, known, name) {
	if (file in named)
		return named[file]
	named[file] = " "
	while ((getline line <file) > 0) {
		while (match(line, /[A-Z_]+[A-Z]/)) {
			name = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (!((file, name) in known)) {
				known[file, name]
				named[file] = named[file] name " "
			}
		}
	}
	close(file)
	return named[file]
}
function put() {
	if (source == "")
		return
	for (i = knobs; i > 0; i--)
		if (index(all, " " knob[i] " "))
			all = all rests[i] " "
	print all >(shared source)
	close(shared source)
}
BEGIN {
	while ((getline line <"config.h") > 0) {
		if (line !~ /^#define/)
			continue
		split(line, word, " ")
		knob[++knobs] = word[2]
		sub(/^#define *[A-Z_]*/, "", line)
		gsub(/[^A-Z_]+/, " ", line)
		rests[knobs] = line
	}
}
{ sub(/^[^ ]*: /, ""); sub(/\\$/, "") }
/^src/ { put(); source = $1; all = " " }
{ for (i = 1; i <= NF; i++) if ($i != "config.h") all = all names($i) }
END { put() }
