//! Changes of a program that keep every verdict (metamorphic relations): they test engines on programs of any size.

use std::collections::BTreeMap;

use raddle_engine::{Engine, Reason, Reduction, Verdict};
use raddle_ir::interpret::{Property, Semantics};
use raddle_ir::{Action, Function, Location, Program, ProgramDraft, Root, validate};

use crate::oracle::decide;

/// What an engine says of a program and differently of its changed forms, if anything.
pub fn broken(
    engine: &mut dyn Engine,
    program: &Program,
    semantics: &Semantics,
    seed: u64,
) -> Option<String> {
    let before = decided(engine, program, semantics);
    [
        ("an idle thread", with_idle_thread(program)),
        ("skips", with_skips(program, seed)),
    ]
    .into_iter()
    .find_map(|(what, changed)| {
        let after = decided(engine, &changed, semantics);
        // Who gives no proof of the one may give one of the other.
        let differs = before
            .iter()
            .any(|(property, word)| after.get(property).is_some_and(|it| it != word));
        differs.then(|| format!("{what}: {before:?} becomes {after:?}"))
    })
}

/// The words of all verdicts but those of an engine that proves what it can and says nothing of the rest, and but what a
/// reduction leaves unknown.
fn decided(
    engine: &mut dyn Engine,
    program: &Program,
    semantics: &Semantics,
) -> BTreeMap<Property, &'static str> {
    let answer = decide(engine, program, semantics);
    let reduces = engine.reduction() != Reduction::None;
    let says_nothing = |verdict: &Verdict| match verdict {
        Verdict::Unknown(Reason::NotProved { .. } | Reason::UndefinedNotExcluded { .. }) => true,
        Verdict::Unknown(_) => reduces,
        Verdict::Safe(_) | Verdict::Unsafe(_) => false,
    };
    answer
        .verdicts
        .iter()
        .filter(|(_, verdict)| !says_nothing(verdict))
        .map(|(property, verdict)| (*property, verdict.word()))
        .collect()
}

/// One more thread, which does nothing.
pub fn with_idle_thread(program: &Program) -> Program {
    let mut draft: ProgramDraft = program.clone().into_draft();
    let mut function = Function::new("idle");
    let (entry, exit) = (function.entry, function.exit);
    function.connect(entry, Action::skip(), exit, None);
    let function = draft.functions.push(function);
    draft.roots.push(Root {
        name: "idle".into(),
        index: None,
        function,
        arguments: Vec::new(),
        span: None,
    });
    validate(draft).expect("one more thread is still a program")
}

/// A skip behind every third edge that stays in its function.
pub fn with_skips(program: &Program, seed: u64) -> Program {
    let mut draft: ProgramDraft = program.clone().into_draft();
    for function in draft.functions.values_mut() {
        let edges: Vec<_> = function.edges.ids().collect();
        for (index, edge) in edges.into_iter().enumerate() {
            let to = function.edges[edge].to;
            if !(index as u64 + seed).is_multiple_of(3)
                || function.edges[edge].action.leaves_function()
                || to == function.exit
            {
                continue;
            }
            let between = function.locations.push(Location::default());
            function.edges[edge].to = between;
            function.connect(between, Action::skip(), to, None);
        }
    }
    validate(draft).expect("skips keep a program valid")
}
