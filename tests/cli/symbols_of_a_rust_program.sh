#!/bin/sh
# A Rust program's report has its functions by the names that the source has, with their lines,
# whichever way the compiler mangles.

command -v rustc >/dev/null 2>&1 || { echo "skipped: needs rustc"; exit 77; }
command -v c++filt >/dev/null 2>&1 || { echo "skipped: needs binutils"; exit 77; }

fail() {
	echo "$1"
	exit 1
}

cat >keeper.rs <<'END'
mod shop {
    pub trait Fill { fn fill(&self, many: usize) -> Vec<Vec<u64>>; }
    pub struct Basket;
    impl Fill for Basket {
        #[inline(never)]
        fn fill(&self, many: usize) -> Vec<Vec<u64>> {
            (0..many).map(|_| super::item::<u64>(100)).collect()
        }
    }
}
#[inline(never)]
fn item<T: Default + Clone>(many: usize) -> Vec<T> {
    let mut list = Vec::new();
    list.resize(many, T::default()); // 14
    list
}
fn main() {
    use shop::Fill;
    let kept = std::hint::black_box(shop::Basket.fill(3000));
    std::mem::forget(kept);
}
END

for mangling in legacy v0; do
	mkdir $mangling
	# The older one is no longer on offer in each compiler.
	RUSTC_BOOTSTRAP=1 rustc -g -O -Zunstable-options -C symbol-mangling-version=$mangling \
		-o $mangling/keeper keeper.rs >$mangling/messages 2>&1 || {
		grep -q 'incorrect value' $mangling/messages && continue
		fail "$(cat $mangling/messages)"
	}
	(cd $mangling && LD_PRELOAD=$PMEM_BUILD/libpmem.so ./keeper && mv pmem.*.log log) || exit 1
	"$PMEM_BUILD/pmem" report --color=never --tree $mangling/log >$mangling/tree 2>$mangling/errors ||
		fail "$(cat $mangling/errors)"
	[ -s $mangling/errors ] && fail "$(cat $mangling/errors)"
	grep -Eq 'keeper::item(::<>)?  keeper.rs:14' $mangling/tree || fail "$(cat $mangling/tree)"
	grep -Eq '<keeper::shop::Basket as keeper::shop::Fill>::fill' $mangling/tree ||
		fail "$(cat $mangling/tree)"
	grep -Eq '_R[NI]|_ZN|17h[0-9a-f]{16}|\$LT|::h[0-9a-f]{16}|\[[0-9a-f]{16}\]' $mangling/tree &&
		fail "$(cat $mangling/tree)"
done
exit 0
