#!/bin/sh
# long
# What lives is counted to the lines of Java that asked for it, to the byte, as Java's own stack traces
# have them: interpreted, compiled by each compiler, inlined, made invalid; through lambdas, reflection,
# constructors, native functions that call Java; by methods that come and go; with each collector.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_java

cat >Kept.java <<'END'
import java.io.*;
import java.lang.invoke.*;
import java.lang.reflect.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.security.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;

public class Kept {
	static final Queue<Object> kept = new ConcurrentLinkedQueue<>();
	static final Map<String, Long> expected = new ConcurrentHashMap<>();
	static final int SHOWN = 4; // of the 8 lines, the 4 innermost are the JDK's

	// As a trace has it, and as a log has.
	static String line(StackTraceElement e) {
		String name = e.getClassName(), folder = "";
		int dot = name.lastIndexOf('.');
		if (dot >= 0)
			folder = name.substring(0, dot + 1).replace('.', '/');
		name = name.substring(dot + 1);
		if (name.indexOf('/') >= 0)
			name = name.substring(0, name.indexOf('/'));
		String file = e.getFileName() == null ? name + ".class" : e.getFileName();
		return name + "." + e.getMethodName() + " (" + folder + file
			+ (e.getLineNumber() > 0 ? ":" + e.getLineNumber() : "") + ")";
	}

	static void expect(StackTraceElement[] trace, int size) {
		StringBuilder text = new StringBuilder();
		for (int i = Math.min(SHOWN, trace.length) - 1; i >= 0; i--)
			text.append(line(trace[i])).append(i > 0 ? ";" : "");
		expected.merge(text.toString(), (long) (size + 7 & ~7), Long::sum); // as Java asks for it
	}

	// One line has both, so that the trace has the line of the block.
	public static void plant(int n) { expect(new Throwable().getStackTrace(), n); kept.add(ByteBuffer.allocateDirect(n)); }

	interface Shape { void draw(int n); }
	static class Circle implements Shape { public void draw(int n) { plant(n); } }
	static class Square implements Shape { public void draw(int n) { if (n > 0) plant(n + 1); } }
	static class Line implements Shape {
		public synchronized void draw(int n) {
			synchronized (Kept.class) {
				plant(n + 2);
			}
		}
	}
	static class Order {
		final int total;
		Order(int n) {
			this(n, 1L, 2.0);
		}
		Order(int n, long wide, double wider) {
			total = (int) (wide + wider);
			plant(n + total);
		}
	}
	static int small(int n) { return smaller(n) + 1; }
	static int smaller(int n) { plant(n); return n; }
	static int deep(int n, int depth) { return depth == 0 ? small(n) : deep(n, depth - 1) + 1; }
	static void fails(int n) throws IOException {
		try {
			throw new IOException("no");
		} catch (IOException e) {
			plant(n);
			throw e;
		} finally {
			plant(n + 1);
		}
	}
	static void generic(Supplier<Integer> of) { plant(of.get()); }
	public static void reflected(int n) { plant(n); }
	static long lines(int a, long b, double c, Object d, int e, long f, double g, int h) {
		plant(
			a);
		if (h % 3 == 0) plant(a + 1);
		return a + b + (long) c + e + f + (long) g + h; }

	static void round(int i, Shape[] shapes, Method method, MethodHandle handle) throws Throwable {
		int n = 400 + i % 40;
		shapes[i % shapes.length].draw(n);
		new Order(n);
		small(n);
		deep(n, i % 7);
		try { fails(n); } catch (IOException e) { plant(n); }
		generic(() -> n + 1);
		generic(new Supplier<>() { public Integer get() { plant(n); return n; } });
		IntStream.range(0, 2).forEach(k -> plant(n + k));
		List.of(1, 2).stream().map(k -> { plant(n + k); return k; }).collect(Collectors.toList());
		method.invoke(null, n);
		handle.invokeExact(n);
		AccessController.doPrivileged((PrivilegedAction<Integer>) () -> small(n));
		lines(n, 1, 2, null, 3, 4, 5, i);
		new TreeMap<Integer, Integer>((a, b) -> { plant(n); return a - b; }).put(1, 1);
	}

	// Classes of one name, whose code comes and goes.
	static void loaded(byte[] code, int n) throws Throwable {
		class Loader extends ClassLoader {
			Loader() { super(Kept.class.getClassLoader()); }
			Class<?> define() { return defineClass("Loaded", code, 0, code.length); }
		}
		Method run = new Loader().define().getDeclaredMethod("run", int.class);
		run.setAccessible(true);
		for (int i = 0; i < 30; i++)
			run.invoke(null, n);
	}

	static void work(int rounds, int seed) {
		try {
			Method method = Kept.class.getMethod("reflected", int.class);
			MethodHandle handle = MethodHandles.lookup().findStatic(Kept.class, "reflected",
				MethodType.methodType(void.class, int.class));
			Shape[] shapes = {new Circle()};
			for (int i = 0; i < rounds; i++) {
				if (i == rounds / 2) // what was compiled for one kind is no longer right
					shapes = new Shape[] {new Circle(), new Square(), new Line(), k -> plant(k)};
				round(i + seed, shapes, method, handle);
			}
		} catch (Throwable e) {
			e.printStackTrace();
			System.exit(9);
		}
	}

	public static void main(String[] arguments) throws Throwable {
		int rounds = Integer.parseInt(arguments[0]);
		work(rounds, 0);
		for (int i = 0; i < 20; i++) {
			byte[] code = Files.readAllBytes(Path.of(arguments[1] + i % 2, "Loaded.class"));
			loaded(code, 2000 + i); // more than what the last snapshot has no room for
			if (i % 5 == 0)
				System.gc();
		}
		ExecutorService pool = Executors.newFixedThreadPool(4);
		for (int i = 0; i < 4; i++) {
			int seed = i;
			pool.submit(() -> work(rounds, seed));
		}
		pool.shutdown();
		pool.awaitTermination(100, TimeUnit.SECONDS);
		System.gc();
		try (PrintWriter to = new PrintWriter(arguments[2])) {
			for (Map.Entry<String, Long> entry : expected.entrySet())
				to.println(entry.getKey() + " " + entry.getValue());
		}
		System.out.println(kept.size());
	}
}
END
mkdir classes other0 other1
javac -nowarn -d classes Kept.java 2>javac.err || fail "Kept.java does not compile" javac.err
# The same on other lines.
for lines in 0 1; do
	[ $lines -eq 0 ] || printf '\n\n\n' >Loaded.java
	cat >>Loaded.java <<'END'
class Loaded {
	static void run(int n) { Kept.plant(n); }
}
END
	javac -cp classes -d other$lines Loaded.java
done

# agrees NAME ROUNDS OPTION...: what the log has at the end is what the program expected.
agrees() {
	name=$1 rounds=$(($2 / ${TEST_SLOWER:-1}))
	shift 2
	rm -f logged/pmem.*
	same 0 "$name" java "$@" -Xmx200m -cp ../classes Kept "$rounds" ../other ../expected
	log=$(log_of java)
	agree 5 "$log"
	"$PMEM_BUILD/pmem" export --to collapsed "$log" >whole || fail "$name: no export"
	grep 'Unsafe.allocateMemory0 .*;Unsafe_AllocateMemory0;os::malloc([^;]*;malloc ' whole |
		sed 's/;ByteBuffer.allocateDirect (.* / /' |
		awk '{ bytes = $NF; sub(/ [0-9]+$/, ""); sum[$0] += bytes }
			END { for (line in sum) print line, sum[line] }' | grep Kept | LC_ALL=C sort >found
	LC_ALL=C sort expected >wanted
	cmp -s found wanted || {
		diff wanted found >difference || true
		fail "$name: not as Java's own traces have it" difference
	}
	echo "figure: $name $(wc -l <found) places"
}
agrees usual 1000
agrees interpreted 60 -Xint
agrees first 400 -XX:TieredStopAtLevel=1
agrees second 600 -XX:-TieredCompilation
agrees serial 200 -XX:+UseSerialGC
agrees zgc 200 -XX:+UseZGC
agrees apart 200 -Xshare:off -XX:-UseCompressedOops -XX:ReservedCodeCacheSize=5m \
	-XX:InitialCodeCacheSize=2496k

# A machine that does not publish all that is needed is left alone, and the log says so.
[ -z "${TEST_BIN:-}" ] || exit 0
home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
cp -r "$home/lib/server" server
sed -i 's/gHotSpotVMTypes\x00/gHotSpotVMKinds\x00/' server/libjvm.so
cmp -s "$home/lib/server/libjvm.so" server/libjvm.so && fail "nothing was patched"
rm -f logged/pmem.*
export JAVA_HOME="$home"
same 0 unknown java -Dsun.java.launcher.is_altjvm=true "-XXaltjvm=$PWD/server" \
	-Xmx200m -cp ../classes Kept 50 ../other ../expected
grep -q '^# note this version of Java is not known' "$(log_of java)" || fail "no word of it"
[ "$(grep -c '\[java\]$' "$(log_of java)")" -eq 0 ] || fail "it has lines"
