# Of a log, what each source holds at the end that has lines of the program's own language: `BLOCKS
# BYTES LINE`, with its innermost one as the log has it, without the language.
function end_stack() { in_stack = 0 }
/^[{]/ {
	end_stack()
	id = substr($1, 2, index($1, "}") - 2)
	if (id != "other" && id != "rest" && id != "inherited") {
		live[id] = substr($2, 6) + 0
		blocks[id] = substr($5, 8) + 0
		in_stack = 1
	}
}
/^  [{]/ && in_stack && / \[[a-z]+\]$/ {
	text = $0
	sub(/^  [{][0-9]+} /, "", text)
	sub(/ \[[a-z]+\]$/, "", text)
	innermost[id] = text
	end_stack()
}
END {
	for (id in innermost)
		if (blocks[id] > 0)
			print blocks[id], live[id], innermost[id]
}
