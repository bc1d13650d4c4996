#!/bin/sh
# OpenJDK: 200 threads that use direct buffers, Deflaters, files and exceptions; direct buffers
# and Deflaters that are kept; garbage collections; an exit status.

. "$PMEM_ROOT/tests/servers/server.sh"
needs javac openjdk-17-jdk-headless
needs java openjdk-17-jdk-headless
may_lose=slots_shared

cat >Server.java <<'END'
import java.io.FileInputStream;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.zip.*;

public class Server {
	static final List<Object> kept = Collections.synchronizedList(new ArrayList<>());

	static long handle(int number) throws Exception {
		byte[] text = ("request " + number + " ").repeat(200).getBytes();
		ByteBuffer direct = ByteBuffer.allocateDirect(4096 + number % 5000);
		direct.put(text, 0, 1000).flip();
		CRC32 sum = new CRC32();
		sum.update(direct);
		Deflater deflater = new Deflater(number % 9 + 1);
		deflater.setInput(text);
		deflater.finish();
		byte[] packed = new byte[text.length];
		int length = deflater.deflate(packed);
		deflater.end();
		Inflater inflater = new Inflater();
		inflater.setInput(packed, 0, length);
		byte[] back = new byte[text.length];
		inflater.inflate(back);
		inflater.end();
		if (!Arrays.equals(text, back))
			throw new IllegalStateException("not the same");
		if (number % 50 == 0)
			kept.add(ByteBuffer.allocateDirect(20008));
		if (number % 400 == 0)
			kept.add(new Deflater());
		sum.update(packed, 0, length);
		return sum.getValue();
	}

	static long phase(int threads, int requests) throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(threads);
		List<Future<Long>> answers = new ArrayList<>();
		CountDownLatch all = new CountDownLatch(threads);
		for (int i = 0; i < threads; i++) // so that there are so many
			pool.submit(() -> { all.countDown(); all.await(); return 0L; });
		for (int i = 0; i < requests; i++) {
			int number = i;
			answers.add(pool.submit(() -> handle(number)));
		}
		long sum = 0;
		for (Future<Long> answer : answers)
			sum = sum * 31 + answer.get();
		pool.shutdown();
		pool.awaitTermination(60, TimeUnit.SECONDS);
		return sum;
	}

	public static void main(String[] arguments) throws Exception {
		Scanner orders = new Scanner(new FileInputStream(arguments[0]));
		while (orders.hasNext()) {
			int threads = orders.nextInt(), requests = orders.nextInt();
			System.out.println(threads + " threads: " + phase(threads, requests));
			System.out.flush();
			System.gc();
		}
		try {
			ByteBuffer.allocateDirect(Integer.MAX_VALUE);
		} catch (OutOfMemoryError error) {
			System.err.println("refused, as it should be");
		}
		Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("the end")));
		System.exit(3);
	}
}
END
mkdir classes
javac -d classes Server.java

# order THREADS REQUESTS: to the server; waits for its answer.
order() {
	echo "$1 $2" >&3
	wait_for "the answer of $1 threads" grep -q "^$1 threads: " "$side.out"
}

begin() {
	mkfifo "$side/orders"
	start java -Xmx256m -XX:MaxDirectMemorySize=200m -cp ../classes Server orders
	exec 3>"$side/orders"
	order 1 $((3000 / part))
}

main_load() {
	load eight $((10000 / part)) order 8 $((10000 / part))
	load two_hundred $((10000 / part)) order 200 $((10000 / part))
}

finish() {
	mark end
	exec 3>&-
	ended
}

work() {
	begin
	main_load
	must_log "$server"
	finish
}

after_logs() {
	planted 460 20008
}

judge "23,000 sums of 1, 8, 200 threads, direct buffers, Deflaters, exit"
