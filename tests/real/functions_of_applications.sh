#!/bin/sh
# A leak planted in one line of a node server, and of a Java service, under load: where they write a perf
# map, the function is what `pmem leaks` tells first, and the tree of `report` reads as the application's
# own. The program is told, not what it calls: zlib's stubs, the JDK's methods.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/load.sh"
needs node nodejs
needs ab apache2-utils

mkdir node java
cat >node/shop.js <<'END'
const http = require('http');
const zlib = require('zlib');
const kept = [];
function remember(n) {
	kept.push(Buffer.allocUnsafeSlow(n));
}
function work(n) { return zlib.deflateSync(Buffer.alloc(n, 'shop ')).length; }
function buy(request, response) {
	remember(9000);
	response.end(String(work(4000)));
}
http.createServer(buy).listen(Number(process.argv[2]), '127.0.0.1');
END
# Compiled in one way: what is inlined has no name of its own, nor has what lies where other code lay.
load node node --perf-basic-prof --interpreted-frames-native-stack --no-opt --no-sparkplug shop.js PORT
rm -f "/tmp/perf-$server.map"
tells node ' JS:[~^+*]remember ' 'JS:~buy' 'JS:~remember' 'node:_http_server'

command -v javac >/dev/null && command -v jcmd >/dev/null || {
	echo "figure: without a Java compiler"
	exit 0
}
cat >java/Shop.java <<'END'
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

public class Shop {
	static final ArrayList<Object> kept = new ArrayList<>();

	static synchronized void remember() {
		kept.add(new Inflater());
	}

	static int work(int n) {
		Deflater deflater = new Deflater();
		deflater.setInput(new byte[n]);
		deflater.finish();
		int size = deflater.deflate(new byte[1000]);
		deflater.end();
		return size;
	}

	static void buy(HttpExchange exchange) throws java.io.IOException {
		remember();
		byte[] answer = String.valueOf(work(400)).getBytes();
		exchange.sendResponseHeaders(200, answer.length);
		exchange.getResponseBody().write(answer);
		exchange.close();
	}

	public static void main(String[] arguments) throws Exception {
		InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
		HttpServer server = HttpServer.create(address, 0);
		server.createContext("/buy", Shop::buy);
		server.setExecutor(Executors.newFixedThreadPool(8));
		server.start();
	}
}
END
(cd java && javac Shop.java) || fail "Shop.java does not compile"
meanwhile() {
	jcmd $server Compiler.perfmap >jcmd.out 2>&1 || fail "no map" jcmd.out
}
# By one compiler: what is compiled anew by another is another place, whenever that happens.
load java java -Xmx128m -XX:TieredStopAtLevel=1 -XX:+PreserveFramePointer -XX:CompileCommand=quiet \
	-XX:CompileCommand=dontinline,Shop.* Shop PORT
rm -f "/tmp/perf-$server.map"
# What holds most, whenever it was compiled: what its sources did in seconds is no verdict.
COLUMNS=120 "$PMEM_BUILD/pmem" report --at peak java >java.report 2>&1 || fail "no report" java.report
grep -m 1 -E '^ *[0-9.]+ [KMG]iB ' java.report | grep -q ' void Shop.remember() ' \
	|| fail "remember() is not the first" java.report
tells_tree java 'void Shop.buy(com.sun' 'Filter$Chain.doFilter'
awk '/void Shop.buy\(com.sun/ { is_below = 1 } is_below && /void Shop.remember\(\)/ { found = 1 }
	END { exit !found }' java.tree || fail "remember() is not below buy() in the tree" java.tree
