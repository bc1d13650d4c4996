# A stream of lines, counted by gawk. With the leak a host that is gone stays in the table.
BEGIN { leaks = ENVIRON["WITH"] == "leak"; noted = 0 }
{
	page = ""
	for (row = 0; row < 150; row++)
		page = page "row " row " of line " $1 "; "
	hosts["host-" $1] = sprintf("%0300d", $1)
	if (leaks) {
		planted += 300
		if (!first)
			first = systime()
		if (systime() - noted >= 5) {
			noted = systime()
			printf "%d %d\n", planted, first >"planted"
			close("planted")
		}
	} else {
		delete hosts["host-" ($1 - 2500)]
	}
}
