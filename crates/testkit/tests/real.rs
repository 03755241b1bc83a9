//! Random programs with threads against what really happens; `cargo xtask fuzz --check real` runs them for hours.

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_testkit::real::{self, Scratch};
use raddle_testkit::seeds::seeds;

/// How long an engine may take.
const TIME: Duration = Duration::from_millis(400);

/// As the tool itself runs.
fn with_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(raddle::STACK_BYTES)
            .spawn_scoped(scope, run)
            .expect("the system gives a thread its stack lazily")
            .join()
            .expect("a case that panics has said why")
    })
}

/// Whether there is a compiler with its sanitizers; says so if not, or fails if tools are required.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn has_compiler() -> bool {
    let folder = Scratch::new().expect("a temporary folder");
    let possible = real::is_possible(folder.path());
    if let Err(problem) = &possible {
        assert!(
            std::env::var_os("RADDLE_REQUIRE_TOOLS").is_none(),
            "{problem}, and RADDLE_REQUIRE_TOOLS is set"
        );
        eprintln!("skipped: {problem}");
    }
    possible.is_ok()
}

#[test]
fn nobody_calls_safe_what_real_threads_do() {
    if !has_compiler() {
        return;
    }
    let (mut found, mut refused, mut count) = (0, Vec::new(), 0);
    let mut failures = Vec::new();
    let mut classes: BTreeMap<String, (u64, u64, u64)> = BTreeMap::new();
    with_large_stack(|| {
        for seed in seeds(10) {
            count += 1;
            let draft = real::generate(seed);
            let looked = match real::look(&draft, seed, TIME) {
                Ok(looked) => looked,
                Err(problem) => {
                    let text = draft.plain_text();
                    failures.push(format!("seed {seed}: gcc refuses\n{problem}\n{text}"));
                    continue;
                }
            };
            found += u64::from(looked.asked.is_found);
            refused.extend(
                looked
                    .asked
                    .refused
                    .as_ref()
                    .map(|it| format!("seed {seed}: {it}\n{}", looked.text)),
            );
            for class in draft.classes() {
                let entry = classes.entry(class.name().to_owned()).or_default();
                entry.0 += 1;
                if looked.asked.refuted.is_some() {
                    entry.1 += 1;
                    if entry.2 == 0 {
                        entry.2 = seed;
                    }
                }
            }
            if let Some(refuted) = &looked.asked.refuted {
                failures.push(format!(
                    "seed {seed}: {:?} {}\n{}",
                    draft.classes(),
                    refuted.problem,
                    looked.text
                ));
            }
        }
    });
    println!(
        "{count} programs, {found} found unsafe, {} refused; by class (programs, refuted, first seed): {classes:?}",
        refused.len()
    );
    assert!(refused.is_empty(), "{}", refused.join("\n\n"));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(
        2 * found > count,
        "only {found} of {count} were found unsafe"
    );
}
