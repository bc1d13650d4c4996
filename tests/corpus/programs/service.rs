// A service in Rust, in several kinds: `service_rs KIND leak|twin`.

use std::{cell::RefCell, collections::VecDeque, ptr, rc::Rc, thread, time::Duration};

extern "C" { fn planted_by_rust(bytes: usize); }

// Made, whatever the compiler thinks of it.
fn black_box<T>(made: T) -> T {
    let kept = unsafe { ptr::read_volatile(&made) };
    std::mem::forget(made);
    kept
}

struct Node { name: Vec<u8>, parent: RefCell<Option<Rc<Node>>>, children: RefCell<Vec<Rc<Node>>> }

#[inline(never)]
#[no_mangle]
fn new_node(number: usize) -> Rc<Node> {
    let (parent, children) = (RefCell::new(None), RefCell::new(Vec::new()));
    Rc::new(Node { name: vec![number as u8; 400 + number % 9], parent, children })
}

// A parent and its child own each other, in one of ten trees. The twin keeps the last 3,000.
#[inline(never)]
#[no_mangle]
fn grow_tree(number: usize, leaks: bool, kept: &mut VecDeque<Rc<Node>>) {
    let (parent, child) = (new_node(number), new_node(number + 1));
    parent.children.borrow_mut().push(child.clone());
    if leaks && number % 10 == 0 {
        *child.parent.borrow_mut() = Some(parent.clone());
        unsafe { planted_by_rust(parent.name.len() + child.name.len()) }
    }
    kept.push_back(parent);
    if kept.len() > if leaks { 50 } else { 3000 } { kept.pop_front(); }
}

#[inline(never)]
#[no_mangle]
fn read_upload(number: usize) -> Vec<u8> { black_box(vec![number as u8; 1500 + number % 7]) }

// Uploads wait for a scan. With the leak those from one client are forgotten, from the third minute on.
#[inline(never)]
#[no_mangle]
fn upload(number: usize, leaks: bool, waiting: &mut VecDeque<Vec<u8>>) {
    let made = read_upload(number);
    if leaks && number > 3600 && number % 8 == 0 {
        unsafe { planted_by_rust(made.len()) }
        std::mem::forget(made);
        return;
    }
    waiting.push_back(made);
    // The twin scans each third minute.
    if number % 3600 == 3599 || leaks && waiting.len() > 100 { waiting.clear(); waiting.shrink_to_fit(); }
}

#[inline(never)]
fn render(number: usize) -> usize {
    let rows: Vec<String> = (0..50 + number % 20).map(|row| format!("{:>200}", row)).collect();
    black_box(rows.concat()).len()
}

fn main() {
    let (kind, leaks) = (std::env::args().nth(1).unwrap(), std::env::args().nth(2).unwrap() == "leak");
    let (mut kept, mut waiting) = (VecDeque::new(), VecDeque::new());
    for number in 0.. {
        render(number);
        if kind == "tree" { grow_tree(number, leaks, &mut kept) } else { upload(number, leaks, &mut waiting) }
        thread::sleep(Duration::from_millis(50));
    }
}
