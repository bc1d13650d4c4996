#!/bin/bash
# A watchdog in bash: `service.sh KIND leak|twin`. It reads a line for each event.
declare -A seen
planted=0 first=0 noted=0
note() {
	printf -v text '%0300d' "$1"
	seen[event-$1]=$text
	if [ "$2" = leak ]; then
		((planted += 300)) || :
		((first)) || first=$EPOCHSECONDS
		((EPOCHSECONDS - noted < 5)) || { noted=$EPOCHSECONDS; echo "$planted $first" >planted; }
	else
		unset "seen[event-$(($1 - 2500))]"
	fi
}
while read -r number; do
	page=
	for row in {1..20}; do page+="row $row of $number ${page:0:400} "; done
	note "$number" "$2"
done
