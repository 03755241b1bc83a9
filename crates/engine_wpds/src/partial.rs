//! Units of work that write some of a set and not all of it.
//!
//! The paper's fourteen patterns take it that there are none (AS §2.1).

use std::collections::BTreeMap;

use raddle_base::{Id, Span};

use crate::abstraction::{Abstraction, ProgramFacts};
use crate::product::Indexed;
use crate::reach::{ReachStep, TooMany, explore};
use crate::system::{AccessKind, CellId, ControlId, Label, RuleId};

/// A unit of work that may end without having written all of the set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialWriter {
    /// Where the unit begins.
    pub span: Option<Span>,
    /// The thread that may do so.
    pub thread: String,
    /// A member that it writes, and one that it does not.
    pub written: String,
    pub missing: String,
}

const MOST_HEADS: usize = 200_000;

/// Where a unit began, and the cells written in it, by bits.
type Unit = Option<(RuleId, u64)>;

/// One for each place where such a unit begins; nothing where there are too many ways to look at.
pub(crate) fn partial_writers(
    known: &ProgramFacts<'_, '_>,
    abstraction: &Abstraction,
) -> Vec<PartialWriter> {
    let cells = abstraction.cells.len();
    if !(2..=64).contains(&cells) {
        return Vec::new();
    }
    let all = u64::MAX >> (64 - cells);
    let mut found: BTreeMap<Option<Span>, PartialWriter> = BTreeMap::new();
    for thread in &abstraction.threads {
        let process = thread.process();
        let indexed = Indexed::new(process);
        let mut partial: Vec<(RuleId, u64)> = Vec::new();
        let whole = explore(
            ((process.start.0, None), process.start.1),
            MOST_HEADS,
            |(control, unit): &(ControlId, Unit), symbol| {
                let steps = indexed.rules(*control, symbol).iter().map(|&id| {
                    let rule = &process.rules[id];
                    let next = match (rule.label, *unit) {
                        (Label::Begin, _) => Some((id, 0)),
                        (Label::End, unit) => {
                            partial.extend(
                                unit.filter(|(_, written)| *written != 0 && *written != all),
                            );
                            None
                        }
                        (Label::Access(access), Some((begin, written)))
                            if access.kind.is(AccessKind::Write) =>
                        {
                            Some((begin, written | 1 << access.cell.index()))
                        }
                        (
                            Label::Silent
                            | Label::Acquire(_)
                            | Label::Release(_)
                            | Label::Access(_)
                            | Label::Event(_),
                            unit,
                        ) => unit,
                    };
                    ReachStep {
                        to: (rule.to, next),
                        push: rule.push,
                        label: (),
                    }
                });
                Ok::<_, TooMany>(steps.collect())
            },
            |_| false,
        );
        if whole.is_err() {
            continue;
        }
        for (begin, written) in partial {
            let span = thread.edge(begin).and_then(|(instance, edge)| {
                let function = known.points_to.graph.instances[instance].function;
                known.points_to.program.edge(function, edge).span
            });
            let name = |is_written: bool| {
                let cell = (0..cells).find(|cell| (written & 1 << cell != 0) == is_written);
                let cell = CellId::from_index(cell.expect("some are written and some are not"));
                abstraction.cells[cell].name.clone()
            };
            found.entry(span).or_insert_with(|| PartialWriter {
                span,
                thread: process.name.clone(),
                written: name(true),
                missing: name(false),
            });
        }
    }
    found.into_values().collect()
}
