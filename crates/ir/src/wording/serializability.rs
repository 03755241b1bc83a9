//! What is said of an execution whose units of work are not serializable: the set, the circle of units, and the accesses
//! that order each unit of the circle before the next.

use std::collections::BTreeMap;

use crate::interpret::state::{State, ThreadNumber};
use crate::interpret::{Effect, Interpreter, Outcome, Property, Step, Violation, ViolationLabel};
use crate::program::{EdgeId, FunctionId};
use crate::wording::naming::NamedDeed;

use crate::interpret::serializability::{NotSerializable, UnitAccess, judge_set};

/// One violation for each atomic set whose units of work are not serializable in the execution that takes these steps.
/// A step that cannot be taken, or that ends the execution, is not part of it.
///
/// Equal executions give equal violations, so that a claim can be compared with what an execution really shows.
pub fn violations(interpreter: &Interpreter<'_>, start: &State, steps: &[Step]) -> Vec<Violation> {
    let program = interpreter.program();
    let mut effects: Vec<(ThreadNumber, Vec<Effect>)> = Vec::new();
    let mut before = vec![start.clone()];
    for step in steps {
        let state = before.last().expect("it begins with the start");
        let Some(successor) = interpreter.take(state, step) else {
            break;
        };
        let Outcome::Next(next) = successor.outcome else {
            break;
        };
        effects.push((step.thread, successor.effects));
        before.push(next);
    }
    program
        .atomic_sets
        .ids()
        .filter_map(|set| judge_set(program, set, &effects))
        .map(|found| {
            let teller = Teller {
                interpreter,
                steps,
                before: &before,
                numbers: found.cycle.iter().copied().zip(1..).collect(),
            };
            teller.violation(&found)
        })
        .collect()
}

/// One unit is ordered before another by two accesses.
struct SectionOrder<'a> {
    earlier: &'a UnitAccess,
    later: &'a UnitAccess,
}

/// Why each unit of the circle comes before the next, the last before the first.
fn orders(found: &NotSerializable) -> Vec<SectionOrder<'_>> {
    let next = found.cycle.iter().skip(1).chain(found.cycle.first());
    found
        .cycle
        .iter()
        .zip(next)
        .map(|(&unit, &next)| order(&found.accesses, unit, next))
        .collect()
}

/// The first access of `next` that comes after a conflicting one of `unit`, and the last such one.
fn order(accesses: &[UnitAccess], unit: usize, next: usize) -> SectionOrder<'_> {
    accesses
        .iter()
        .enumerate()
        .filter(|(_, later)| later.unit == next)
        .find_map(|(at, later)| {
            let earlier = accesses[..at]
                .iter()
                .rfind(|it| it.unit == unit && it.conflicts_with(later))?;
            Some(SectionOrder { earlier, later })
        })
        .expect("a circle is made of conflicts")
}

struct Teller<'a> {
    interpreter: &'a Interpreter<'a>,
    steps: &'a [Step],
    /// The state before each step.
    before: &'a [State],
    /// What people call the units of the circle.
    numbers: BTreeMap<usize, usize>,
}

impl Teller<'_> {
    fn violation(&self, found: &NotSerializable) -> Violation {
        let set = &self.interpreter.program().atomic_sets[found.set];
        let orders = orders(found);
        let mut is_introduced: BTreeMap<usize, bool> = BTreeMap::new();
        let mut unit = |access: &UnitAccess| {
            let is_known = is_introduced.insert(access.unit, true).unwrap_or(false);
            self.unit(access, is_known)
        };
        let told: Vec<String> = orders
            .iter()
            .map(|SectionOrder { earlier, later }| {
                let place = self.place(earlier, earlier.offset.max(later.offset));
                format!(
                    "{} {} `{place}` before {} {} it",
                    unit(earlier),
                    verb(earlier),
                    unit(later),
                    verb(later),
                )
            })
            .collect();
        let mut accesses: Vec<&UnitAccess> = orders
            .iter()
            .flat_map(|it| [it.earlier, it.later])
            .collect();
        accesses.sort_by_key(|it| (it.step, it.object, it.offset, it.is_write));
        accesses.dedup();
        Violation {
            property: Property::AtomicSets,
            message: format!(
                "units of work on `{}` fit into no serial order: {}",
                set.name,
                told.join(", and ")
            ),
            labels: accesses.into_iter().map(|it| self.label(it)).collect(),
            span: set.span.map(|it| (it, "the atomic set".to_owned())),
        }
    }

    /// As in: unit 1 (thread `left`); unit 1, if it is known who that is.
    fn unit(&self, access: &UnitAccess, is_known: bool) -> String {
        let number = self.numbers[&access.unit];
        let state = &self.before[access.step];
        let thread = self.interpreter.thread_name(state, access.thread);
        match (is_known, access.is_alone) {
            (true, _) => format!("unit {number}"),
            (false, false) => format!("unit {number} (thread `{thread}`)"),
            (false, true) => {
                format!("unit {number} (thread `{thread}`, one access outside every unit)")
            }
        }
    }

    fn place(&self, access: &UnitAccess, offset: u64) -> String {
        let state = &self.before[access.step];
        self.interpreter.place_name(state, access.object, offset)
    }

    fn label(&self, access: &UnitAccess) -> ViolationLabel {
        let place = self.place(access, access.offset);
        let number = self.numbers[&access.unit];
        let word = if access.is_write { "written" } else { "read" };
        let deed = NamedDeed::Done(format!("`{place}` {word} in unit {number}"));
        let state = &self.before[access.step];
        let mut label = self
            .interpreter
            .label(state, access.thread, self.edge(access), deed);
        label.step = Some(access.step);
        label
    }

    /// Where the thread stood. An atomic section is one step.
    fn edge(&self, access: &UnitAccess) -> (FunctionId, EdgeId) {
        let parts = &self.steps[access.step].parts;
        let part = parts.first().expect("a step that was taken has a part");
        (part.function, part.edge)
    }
}

fn verb(access: &UnitAccess) -> &'static str {
    if access.is_write { "writes" } else { "reads" }
}
