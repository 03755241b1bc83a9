//! Runs replay, end where they should, and are as short as any.

#![expect(clippy::unwrap_used, reason = "tests stop at the first surprise")]

mod support;

use std::collections::BTreeMap;

use raddle_wpds::semiring::Reachability;
use raddle_wpds::{
    Configuration, Configurations, Pushdown, Replaced, Rule, RunTooLong, Semiring, post_star,
};

use support::{Random, control, random_start, random_system, symbol};

/// The least number of rules to each control state, through stacks of at most this depth.
fn distances(
    system: &Pushdown<bool>,
    start: &Configuration,
    deepest: usize,
) -> (BTreeMap<usize, usize>, bool) {
    use raddle_base::Id;
    let mut seen = std::collections::BTreeSet::from([start.clone()]);
    let mut layer = vec![start.clone()];
    let (mut found, mut is_all, mut distance) = (BTreeMap::new(), true, 0);
    while !layer.is_empty() {
        let mut next = Vec::new();
        for configuration in layer {
            let control = configuration.control.index();
            found.entry(control).or_insert(distance);
            for rule in system.rules().ids() {
                let Some(after) = system.apply(rule, &configuration) else {
                    continue;
                };
                if after.stack.len() > deepest {
                    is_all = false;
                } else if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        layer = next;
        distance += 1;
    }
    (found, is_all)
}

#[test]
fn runs_replay_and_are_shortest() {
    for seed in 0..5000 {
        let mut random = Random::new(seed);
        let system = random_system(&mut random, |_| true);
        let start = random_start(&mut random, &system);
        let from = Configurations::one(&Reachability, &system, start.control, &start.stack, &true);
        let Ok(reached) = post_star(&Reachability, &system, &from);
        let Ok(sums) = reached.automaton.sums(&Reachability);
        let (distances, is_all) = distances(&system, &start, 9);
        for (index, control) in system.controls().enumerate() {
            let is_reached = sums.of_control(&Reachability, control) == Ok(true);
            let Some(run) = reached.run_to_control(control, 10_000) else {
                assert!(!is_reached, "seed {seed}");
                assert!(!distances.contains_key(&index), "seed {seed}");
                continue;
            };
            assert!(is_reached, "seed {seed}");
            let run = run.unwrap();
            assert_eq!(run.start, start, "seed {seed}");
            assert_eq!(run.end.control, control, "seed {seed}");
            let replayed = system.replay(&run.start, &run.rules);
            assert_eq!(replayed.as_ref(), Some(&run.end), "seed {seed}");
            assert!(reached.automaton.accepts(control, &run.end.stack));
            match distances.get(&index) {
                Some(known) => {
                    assert!(run.rules.len() <= *known, "seed {seed}");
                    assert!(!is_all || run.rules.len() == *known, "seed {seed}");
                }
                None => assert!(!is_all, "seed {seed}"),
            }
        }
    }
}

/// Procedures that each call the next one twice: the way through is exponential.
fn doubling(levels: usize) -> Pushdown<bool> {
    let mut system = Pushdown::new();
    let [go, done] = [(); 2].map(|()| system.add_control());
    for _ in 0..=2 * levels + 1 {
        system.add_symbol();
    }
    let mut rule = |from, top, to, stack| {
        system.add_rule(Rule {
            from,
            top: symbol(top),
            to,
            stack,
            weight: true,
        })
    };
    for level in 0..levels {
        let (enter, middle) = (2 * level, 2 * level + 1);
        let push = |below| Replaced::Push {
            top: symbol(enter + 2),
            below: symbol(below),
        };
        rule(go, enter, go, push(middle));
        rule(go, middle, go, Replaced::Step(symbol(enter + 2)));
    }
    rule(go, 2 * levels, go, Replaced::Pop);
    rule(go, 2 * levels + 1, done, Replaced::Pop);
    system
}

#[test]
fn a_run_that_is_too_long_is_not_built() {
    let system = doubling(70);
    let stack = [symbol(0), symbol(141)];
    let from = Configurations::one(&Reachability, &system, control(0), &stack, &true);
    let Ok(reached) = post_star(&Reachability, &system, &from);
    let answer = reached.run_to_control(control(1), 1_000_000);
    let Some(Err(RunTooLong { length })) = answer else {
        panic!("{answer:?}");
    };
    assert_eq!(length, u64::MAX);

    let system = doubling(10);
    let stack = [symbol(0), symbol(21)];
    let from = Configurations::one(&Reachability, &system, control(0), &stack, &true);
    let Ok(reached) = post_star(&Reachability, &system, &from);
    let run = reached.run_to_control(control(1), 10_000).unwrap().unwrap();
    assert_eq!(system.replay(&run.start, &run.rules), Some(run.end));
    assert_eq!(run.rules.len(), 3 * 1023 + 2 - 1 + 1);
}

#[test]
fn long_runs_do_not_overflow_the_stack() {
    let mut system = Pushdown::new();
    let [go, end] = [(); 2].map(|()| system.add_control());
    let length = 100_000;
    let symbols: Vec<_> = (0..=length).map(|_| system.add_symbol()).collect();
    for place in 0..length {
        let stack = if place % 2 == 0 {
            Replaced::Push {
                top: symbols[place + 1],
                below: symbols[0],
            }
        } else {
            Replaced::Step(symbols[place + 1])
        };
        let (from, to, top) = (go, go, symbols[place]);
        let weight = Reachability.one();
        system.add_rule(Rule {
            from,
            top,
            to,
            stack,
            weight,
        });
    }
    let (from, to, top, stack) = (go, end, symbols[length], Replaced::Pop);
    let weight = true;
    system.add_rule(Rule {
        from,
        top,
        to,
        stack,
        weight,
    });
    let from = Configurations::one(&Reachability, &system, go, &symbols[..1], &true);
    let Ok(reached) = post_star(&Reachability, &system, &from);
    let run = reached.run_to_control(end, 1_000_000).unwrap().unwrap();
    assert_eq!(run.rules.len(), length + 1);
    assert_eq!(run.end.stack.len(), length / 2);
    assert_eq!(system.replay(&run.start, &run.rules), Some(run.end));
}
