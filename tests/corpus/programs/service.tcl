# A service in Tcl: `service.tcl KIND leak|twin`.
lassign $argv kind with
set leaks [expr {$with eq "leak"}]
set planted 0
set first 0
set noted 0
proc plant {bytes} {
	global planted first noted
	incr planted $bytes
	set now [clock seconds]
	if {!$first} { set first $now }
	if {$now - $noted < 5} return
	set noted $now
	set file [open planted w]
	puts $file "$planted $first"
	close $file
}
# Calls and who made them. The twin has the last 3,000.
proc note_call {i} {
	global calls leaks
	set calls($i) [string repeat c [expr {400 + $i % 7}]]
	if {$leaks} { plant 400 } else { unset -nocomplain calls([expr {$i - 3000}]) }
}
for {set i 0} {1} {incr i} {
	set page ""
	for {set row 0} {$row < 60} {incr row} { append page [string repeat "row $row " 40] }
	note_call $i
	after 66
}
