#!/bin/sh
# A C program that runs Java in its own process, on its first thread and on one that it attaches:
# Java calls C, which calls Java again, and what lives is counted to the lines of both calls. What C
# asks for by itself has none.
# of whole stacks

. "$PMEM_ROOT/tests/lib/real.sh"
. "$PMEM_ROOT/tests/lib/lines.sh"
needs_java
home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
[ -e "$home/include/jni.h" ] || { echo "skipped: needs openjdk-17-jdk-headless"; exit 77; }

cat >Nest.java <<'END'
class Nest {
	static java.util.ArrayList<Object> kept = new java.util.ArrayList<>();
	static native void up(int depth, int size);
	static native void leak(int size);
	static void down(int depth, int size) {
		if (depth > 0)
			up(depth - 1, size);
		else
			kept.add(java.nio.ByteBuffer.allocateDirect(size));
	}
	static void work(int size) {
		for (int i = 0; i < 3000; i++)
			down(i % 3, size);
		for (int i = 0; i < 500; i++)
			leak(size + 8);
	}
}
END
javac -h . Nest.java
cat >host.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "Nest.h"

static JavaVM *machine;
static void *volatile kept;

JNIEXPORT void JNICALL
Java_Nest_up(JNIEnv *env, jclass class, jint depth, jint size)
{
	jmethodID down = (*env)->GetStaticMethodID(env, class, "down", "(II)V");
	(*env)->CallStaticVoidMethod(env, class, down, depth, size);
}

JNIEXPORT void JNICALL
Java_Nest_leak(JNIEnv *env, jclass class, jint size)
{
	(void)env, (void)class;
	kept = malloc((size_t)size);
}

static void
work(JNIEnv *env, int size)
{
	JNINativeMethod natives[] = {{"up", "(II)V", Java_Nest_up}, {"leak", "(I)V", Java_Nest_leak}};
	jclass class = (*env)->FindClass(env, "Nest");
	(*env)->RegisterNatives(env, class, natives, 2);
	jmethodID method = (*env)->GetStaticMethodID(env, class, "work", "(I)V");
	(*env)->CallStaticVoidMethod(env, class, method, size);
	if ((*env)->ExceptionCheck(env))
		exit(5);
	for (int i = 0; i < 100; i++)
		kept = malloc((size_t)size + 16);
}

static void *
attach(void *nothing)
{
	void *env;
	for (int i = 0; i < 3; i++) {
		if ((*machine)->AttachCurrentThread(machine, &env, NULL) != 0)
			exit(2);
		work(env, 4000);
		(*machine)->DetachCurrentThread(machine);
		kept = malloc(5000);
	}
	return nothing;
}

int
main(void)
{
	JavaVMOption options[] = {{"-Djava.class.path=..", NULL}, {"-Xmx100m", NULL}};
	JavaVMInitArgs with = {JNI_VERSION_10, 2, options, JNI_FALSE};
	pthread_t thread;
	void *env;

	if (JNI_CreateJavaVM(&machine, &env, &with) != 0)
		return 3;
	work(env, 2000);
	pthread_create(&thread, NULL, attach, NULL);
	pthread_join(thread, NULL);
	return (*machine)->DestroyJavaVM(machine) == 0 ? 0 : 4;
}
END
"$CC" -O1 -g -rdynamic -I"$home/include" -I"$home/include/linux" -I. -o host host.c -L"$home/lib/server" \
	-Wl,-rpath,"$home/lib/server" -ljvm -pthread
same 0 host ../host
log=$(log_of host)
"$LOGCHECK" "$log" >check.out 2>&1 || fail "the log does not agree" check.out
"$PMEM_BUILD/pmem" export --to collapsed "$log" >whole

# bytes BYTES STACK: in all of what a pattern (grep) finds.
bytes() {
	sum=$(grep -- "$2" whole | awk '{ sum += $NF } END { printf "%d", sum }')
	[ "$sum" -eq "$1" ] || { grep -- "$2" whole >found || true; fail "$sum bytes, not $1, in $2" found; }
}
buffer='ByteBuffer.allocateDirect (.*;Unsafe_AllocateMemory0;os::malloc[^;]*;malloc [0-9]*$'
each=$((1000 * (2000 + 3 * 4000)))
# By depth: the lines of Java around a call of C, as far as there is room for them.
bytes $each "^Nest.work (Nest.java:13);Nest.down (Nest.java:9);$buffer"
bytes $each "^Nest.work (Nest.java:13);Nest.down (Nest.java:7);Nest.up (Nest.java);Nest.down (Nest.java:9);$buffer"
bytes $each "^Nest.up (Nest.java);Nest.down (Nest.java:7);Nest.up (Nest.java);Nest.down (Nest.java:9);$buffer"
bytes $((500 * (2008 + 3 * 4008))) '^Nest.work (Nest.java:15);Nest.leak (Nest.java);Java_Nest_leak;malloc '
bytes $((100 * (2016 + 3 * 4016))) 'main;work;malloc \|attach;work;malloc '
bytes 15000 'start_thread.*;attach;malloc '
