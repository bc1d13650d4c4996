#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# A Java service keeps direct buffers, or never ends its Deflaters: the line that makes them comes first, with
# its bytes. Its twin has no such row. Java's own heap is in the mapped memory.

. "$PMEM_ROOT/tests/services/service.sh"
needs javac openjdk-17-jdk-headless
cat >Shop.java <<'X'
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.zip.Deflater;

public class Shop {
	static final ArrayDeque<Object> kept = new ArrayDeque<>();

	static ByteBuffer buffer(int i) {
		return ByteBuffer.allocateDirect(20000 + i % 7);
	}

	static Deflater deflater() {
		return new Deflater();
	}

	// The two tables of a Deflater, by the formula of zconf.h.
	static final long TABLES = (1 << (15 + 2)) + (1 << (8 + 9));

	public static void main(String[] arguments) throws Exception {
		boolean leaks = arguments[1].equals("leaks");
		long planted = 0;
		for (int i = 0; i < 2000 && arguments[0].equals("buffers"); i++) {
			ByteBuffer made = buffer(i);
			kept.add(made);
			planted += made.capacity();
			if (!leaks && kept.size() > 100)
				kept.remove();
			if (i % 100 == 0)
				System.gc();
		}
		for (int i = 0; i < 1000 && arguments[0].equals("deflaters"); i++) {
			Deflater made = deflater();
			made.setInput(new byte[1000 + i]);
			made.deflate(new byte[2000]);
			kept.add(made);
			planted += TABLES;
			if (!leaks)
				made.end();
		}
		System.out.println("planted " + planted);
		System.out.flush();
		for (int i = 0; i < 20; i++)
			new Deflater().end();
		Runtime.getRuntime().halt(0);
	}
}
X
mkdir classes
javac -d classes Shop.java
pair 'Shop.buffer:9 .*< Shop.main:23' 10 20000000 java -Xms8m -Xmx64m -cp classes Shop buffers
grep -q '^mapped [1-9][0-9]* by the program itself' report || fail "no heap is mapped"
pair 'Shop.deflater:13 .*< Shop.main:32' 10 1000000 java -Xms8m -Xmx64m -cp classes Shop deflaters
