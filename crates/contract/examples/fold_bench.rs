//! Prints how long the rules take for many tools, as `name milliseconds` lines: the median of
//! many runs. Run it with `cargo run --release -p contract --example fold_bench`.
#![allow(
    clippy::print_stdout,
    reason = "printing the measurements is what this program is for"
)]

use std::hint::black_box;
use std::time::Instant;

use contract::grants::{AgentGrantRow, GrantContent};
use contract::ids::GrantId;
use contract::rules::compiled::{Compiled, Verdict};
use contract::rules::difference::difference;
use contract::rules::explain::AgentView;
use contract::rules::fold::fold;
use contract::rules::permissions::Permissions;
use contract::workload::workload;

const RUNS: usize = 101;

/// The median time of a piece of work, in milliseconds.
fn median(mut work: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(RUNS / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let many = workload(200, 10_000);
    let resolved = fold(&many.layers);
    let compiled = Compiled::new(&resolved);
    let allowed = many
        .tools
        .iter()
        .filter(|name| compiled.verdict(name) == Verdict::Allowed)
        .count();
    println!("allowed_of_10000 {allowed}");

    let fold_only = median(|| {
        black_box(fold(black_box(&many.layers)));
    });
    println!("fold_ms {fold_only:.3}");
    let compile = median(|| {
        black_box(Compiled::new(black_box(&resolved)));
    });
    println!("compile_ms {compile:.3}");
    let all = median(|| {
        let compiled = Compiled::new(&fold(black_box(&many.layers)));
        for name in &many.tools {
            black_box(compiled.verdict(name));
        }
    });
    println!("fold_and_10000_verdicts_ms {all:.3}");

    let own = many.layers.last().and_then(|layer| layer.grant.clone());
    let row = own.map(|grant| AgentGrantRow {
        id: GrantId::from("row"),
        allow: grant.allow,
        deny: grant.deny,
        note: None,
        revision: None,
    });
    let view = AgentView::from_resolved(&resolved, row.as_ref(), Permissions::default());
    let tools = || {
        many.tools
            .iter()
            .take(5_000)
            .map(|name| (name.as_str(), None))
    };
    let standings = median(|| {
        for (name, gate) in tools() {
            black_box(view.standing(name, gate));
        }
    });
    println!("standing_of_5000_ms {standings:.3}");
    let mut content = view.agent_content().cloned().unwrap_or_default();
    content.deny = Some(vec!["mcp__server00*".to_owned()]);
    let preview = median(|| {
        let after = view.with_agent_row(Some(black_box(&content)));
        black_box(difference(&view, &after, tools()));
    });
    println!("preview_of_5000_ms {preview:.3}");
    let reset: Option<&GrantContent> = None;
    let changed = difference(&view, &view.with_agent_row(reset), tools()).len();
    println!("changed_by_reset_of_5000 {changed}");
}
