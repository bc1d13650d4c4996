// A service in Java, in several kinds: `Service KIND leak|twin`.

import java.io.FileWriter;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.zip.Deflater;

public class Service {
	static boolean leaks;
	static long planted, first, noted;

	static void plant(long bytes) throws Exception {
		long now = System.currentTimeMillis() / 1000;
		planted += bytes;
		if (first == 0)
			first = now;
		if (now - noted < 5)
			return;
		noted = now;
		try (FileWriter file = new FileWriter("planted")) {
			file.write(planted + " " + first + "\n");
		}
	}

	static final ArrayDeque<ByteBuffer> buffers = new ArrayDeque<>();

	static ByteBuffer newBuffer(int i) {
		return ByteBuffer.allocateDirect(1000 + i % 7);
	}

	// Buffers of connections; the twin has a pool that grows to 300.
	static void connect(int i) throws Exception {
		if (i % 3 == 0 && (leaks || buffers.size() < 300)) {
			buffers.add(newBuffer(i));
			if (leaks)
				plant(1000 + i % 7);
		}
	}

	static final ArrayDeque<Deflater> open = new ArrayDeque<>();

	static Deflater newDeflater() {
		return new Deflater(6, true);
	}

	// Streams that are compressed. With the leak one in 20 is not ended; the twin has up to 25 open.
	static void compress(int i) throws Exception {
		if (i % 2 != 0)
			return;
		Deflater made = newDeflater();
		made.setInput(new byte[1000 + i % 50]);
		made.deflate(new byte[2000]);
		open.add(made);
		if (leaks && i % 400 == 0) {
			plant((1 << 17) + (1 << 17));
			open.removeLast();
			forgotten.add(made);
		}
		if (open.size() > (leaks ? 3 : 3 + Math.min(22, i / 300)))
			open.remove().end();
	}

	static final ArrayList<Deflater> forgotten = new ArrayList<>();
	static final ArrayList<byte[]> kept = new ArrayList<>();

	// On Java's own heap.
	static void keep(int i) throws Exception {
		kept.add(new byte[1500]);
		if (leaks)
			plant(1500);
		else if (kept.size() > 6000)
			kept.clear();
	}

	public static void main(String[] arguments) throws Exception {
		leaks = arguments[1].equals("leak");
		for (int i = 0;; i++) {
			StringBuilder page = new StringBuilder();
			for (int row = 0; row < 300; row++)
				page.append("row ").append(row + i).append(' ');
			switch (arguments[0]) {
			case "connect": connect(i); break;
			case "compress": compress(i); break;
			default: keep(i);
			}
			// Work of the virtual machine's own: code is made, and classes come.
			if (i % 50 == 0)
				String.format("%s %d", page.substring(0, 20), i).matches(".*[a-z]{" + (1 + i % 9) + "}.*");
			Thread.sleep(50);
		}
	}
}
