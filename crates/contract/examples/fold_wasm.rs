//! One fold of four layers of 200 patterns and the verdicts on 10,000 tools, for `make bench` to
//! time from outside: WebAssembly has no clock of its own. The first call makes the workload, so
//! whoever times it calls `main` again and again in one instance.

use std::hint::black_box;
use std::sync::OnceLock;

use contract::rules::compiled::Compiled;
use contract::rules::fold::fold;
use contract::workload::{Workload, workload};

static WORK: OnceLock<Workload> = OnceLock::new();

fn main() {
    let work = WORK.get_or_init(|| workload(200, 10_000));
    let compiled = Compiled::new(&fold(black_box(&work.layers)));
    for name in &work.tools {
        black_box(compiled.verdict(name));
    }
}
