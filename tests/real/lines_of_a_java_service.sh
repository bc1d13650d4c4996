#!/bin/sh
# long
# A leak planted in one line of a Java service, under load, without an option of the virtual machine's:
# that line is what `pmem leaks` tells first, and the tree of `report` reads as the application's own.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
. "$PMEM_ROOT/tests/lib/load.sh"
needs_java
needs ab apache2-utils

mkdir java
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
load java java -Xmx128m Shop PORT
tells java ' Shop.remember:13 ' 'Shop.buy  Shop.java:26' 'Shop.remember  Shop.java:13' \
	'Filter$Chain.doFilter'
