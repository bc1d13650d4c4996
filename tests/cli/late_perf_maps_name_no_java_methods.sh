#!/bin/sh
# long
# Java tells of its compiled methods when it ends, if it is asked to. By then other code may lie where
# a source came from: what was seen before has no name.
# of whole stacks
# pmem: -DPMEM_LANGUAGE_FRAMES=0

set -eu
pmem=$PMEM_BUILD/pmem

cat >Leak.java <<'END'
import java.util.ArrayList;
import java.util.zip.Inflater;

public class Leak {
	static ArrayList<Object> kept = new ArrayList<>();
	public static void main(String[] arguments) {
		for (int i = 0; i < 6000; i++)
			kept.add(new Inflater());
	}
}
END
if ! javac Leak.java 2>/dev/null; then
	echo "figure: without a Java compiler"
	exit 0
fi
for map in "-XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit" -Xbatch; do
	rm -f pmem.*.log
	# shellcheck disable=SC2086
	LD_PRELOAD=$PMEM_LIBRARY java -Xmx64m -Xbatch $map Leak
	log=$(ls pmem.*.log)
	pid=${log#pmem.}
	"$LOGCHECK" "$log" >check.out || { cat check.out; exit 1; }
	"$pmem" report -n 3 "$log" >report.out
	case $map in
	*Dump*) rm "/tmp/perf-${pid%.log}.map"
		! grep -qF 'java.util.zip.Inflater.init' report.out || { cat report.out; exit 1; } ;;
	*) ! grep -q '  {[0-9]*} (' "$log" ;;
	esac
done
