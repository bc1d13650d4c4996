#!/bin/sh
# long
# pmem: -DPMEM_LOG_HOURS=0
# A Java service that keeps direct buffers has the line that allocates them first, with its bytes; its
# twin, which keeps the last hundred, has not. Its own heap is in mapped.

. "$PMEM_ROOT/tests/services/service.sh"
needs javac openjdk-17-jdk-headless
mkdir -p classes
cat >Shop.java <<'X'
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

public class Shop {
	static final ArrayDeque<ByteBuffer> kept = new ArrayDeque<>();

	static ByteBuffer buffer(int i) {
		return ByteBuffer.allocateDirect(20000 + i % 7);
	}

	public static void main(String[] arguments) throws Exception {
		long planted = 0;
		for (int i = 0; i < 2000; i++) {
			ByteBuffer made = buffer(i);
			kept.add(made);
			planted += made.capacity();
			if (arguments[0].equals("twin") && kept.size() > 100)
				kept.remove();
			if (i % 100 == 0)
				System.gc();
		}
		System.out.println("planted " + planted);
		System.out.flush();
		for (int i = 0; i < 20; i++)
			new java.util.zip.Deflater().end();
		Runtime.getRuntime().halt(0);
	}
}
X
javac -d classes Shop.java
serve java -Xmx64m -cp classes Shop leaks
is_planted 'Shop.buffer:8 .*< Shop.main:14'
serve java -Xmx64m -cp classes Shop twin
is_innocent 'Shop.buffer' 20000000
"$pmem" report --bytes "$log" | grep -q '^mapped [1-9][0-9]* by the program itself' || fail "no heap is mapped"
