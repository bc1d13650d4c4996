# emulated: what runs programs for another processor. Scripts source it with its name in `processor`: aarch64,
# or riscv64, s390x and powerpc64le, for which the library has no unwinder. Sets CC and TEST_*.

qemu=qemu-$processor
case $processor in
aarch64) debian=arm64 loader=ld-linux-aarch64.so.1 ;;
riscv64) debian=riscv64 loader=ld-linux-riscv64-lp64d.so.1 ;;
s390x) debian=s390x loader=ld64.so.1 ;;
powerpc64le) debian=ppc64el loader=ld64.so.2 qemu=qemu-ppc64le ;;
esac
for needs in "gcc-$processor-linux-gnu:$processor-linux-gnu-gcc" "qemu-user:$qemu"; do
	command -v "${needs#*:}" >/dev/null 2>&1 || { echo "skipped: needs ${needs%:*}"; exit 77; }
done
export TEST_LIBRARY_PATH="/usr/$processor-linux-gnu/lib"
[ -e "$TEST_LIBRARY_PATH/libc.so.6" ] || { echo "skipped: needs libc6-dev-$debian-cross"; exit 77; }
TEST_EMULATOR=$(command -v "$qemu")
export TEST_EMULATOR CC="$processor-linux-gnu-gcc" TEST_OBJCOPY="$processor-linux-gnu-objcopy"
# qemu gives the first stack as much room, whatever its limit.
export QEMU_STACK_SIZE=524288000
# The loader is named. With -L qemu would look for all paths below a folder, but not for openat()'s.
export TEST_CFLAGS="${TEST_CFLAGS:-} -Wl,--dynamic-linker=$TEST_LIBRARY_PATH/$loader"
