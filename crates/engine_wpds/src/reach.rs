//! Which heads a pushdown system reaches, explored as it goes, and one run to each.
//!
//! An *activation* is what happens from a push until the pushed symbol is popped. Heads are found by activation, which
//! is named by the head it begins in; how an activation may end is a summary that all who begin it share.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::Hash;

use raddle_base::FastMap;

use crate::system::{Push, SymbolId};

/// A step that a system may take.
#[derive(Clone, Debug)]
pub struct ReachStep<C, L> {
    pub to: C,
    pub push: Push,
    /// What runs are made of.
    pub label: L,
}

/// A control state by its number in the order of discovery.
pub type Number = u32;
type Head = (Number, SymbolId);
/// The activation and the head now.
type Node = (Head, Head);

/// How a head was first reached within its activation.
#[derive(Clone, Debug)]
enum Cause<L> {
    /// The activation begins here.
    Begin,
    /// From another head by one step.
    Step(Head, L),
    /// From another head by a push, an activation that ended in a head, and the pop from it.
    Call {
        from: Head,
        push: L,
        callee: Head,
        last: Head,
        pop: L,
    },
}

/// What was reached.
#[derive(Clone, Debug)]
pub struct Reached<C, L> {
    pub controls: Vec<C>,
    start: Head,
    causes: BTreeMap<Node, Cause<L>>,
    /// Who first began an activation, and by which push.
    begun_by: BTreeMap<Head, (Node, L)>,
}

/// More heads than this are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany;

/// Explores everything, or until a control state is `wanted`; then the node that has it is given too.
pub fn explore<C, L, E>(
    start: (C, SymbolId),
    most: usize,
    mut steps: impl FnMut(&C, SymbolId) -> Result<Vec<ReachStep<C, L>>, E>,
    mut is_wanted: impl FnMut(&C) -> bool,
) -> Result<(Reached<C, L>, Option<FoundHead>), E>
where
    C: Clone + Eq + Hash,
    L: Clone,
    E: From<TooMany>,
{
    let mut numbers: FastMap<C, Number> = FastMap::default();
    let mut controls: Vec<C> = Vec::new();
    let mut number = |control: C, controls: &mut Vec<C>| {
        *numbers.entry(control.clone()).or_insert_with(|| {
            controls.push(control);
            Number::try_from(controls.len() - 1).expect("fewer heads than the bound allows")
        })
    };
    let first = (number(start.0, &mut controls), start.1);
    let mut causes: BTreeMap<Node, Cause<L>> = BTreeMap::from([((first, first), Cause::Begin)]);
    let mut begun_by: BTreeMap<Head, (Node, L)> = BTreeMap::new();
    let mut work = VecDeque::from([(first, first)]);
    let mut known: FastMap<Head, Vec<ReachStep<Number, L>>> = FastMap::default();
    // For an activation: who waits for its end, with the push and the symbol it comes back to.
    let mut callers: BTreeMap<Head, Vec<(Node, L, SymbolId)>> = BTreeMap::new();
    let mut waiting: BTreeSet<(Head, Node, SymbolId)> = BTreeSet::new();
    // How it may end: the control state, with the last head and the pop.
    let mut ends: BTreeMap<Head, BTreeMap<Number, (Head, L)>> = BTreeMap::new();
    while let Some(node) = work.pop_front() {
        let (activation, head) = node;
        if is_wanted(&controls[head.0 as usize]) {
            let reached = Reached {
                controls,
                start: first,
                causes,
                begun_by,
            };
            return Ok((reached, Some(FoundHead(node))));
        }
        if causes.len() > most {
            return Err(TooMany.into());
        }
        let taken = if let Some(taken) = known.get(&head) {
            taken.clone()
        } else {
            let control = controls[head.0 as usize].clone();
            let numbered = steps(&control, head.1)?.into_iter().map(|step| ReachStep {
                to: number(step.to, &mut controls),
                push: step.push,
                label: step.label,
            });
            let taken: Vec<_> = numbered.collect();
            known.insert(head, taken.clone());
            taken
        };
        for step in taken {
            let mut reach = |node: Node, cause: Cause<L>| {
                causes.entry(node).or_insert_with(|| {
                    work.push_back(node);
                    cause
                });
            };
            match step.push {
                Push::Step(symbol) => {
                    reach(
                        (activation, (step.to, symbol)),
                        Cause::Step(head, step.label),
                    );
                }
                Push::Two(top, below) => {
                    let callee = (step.to, top);
                    if !waiting.insert((callee, node, below)) {
                        continue;
                    }
                    begun_by
                        .entry(callee)
                        .or_insert_with(|| (node, step.label.clone()));
                    reach((callee, callee), Cause::Begin);
                    for (end, (last, pop)) in ends.get(&callee).into_iter().flatten() {
                        let cause = Cause::Call {
                            from: head,
                            push: step.label.clone(),
                            callee,
                            last: *last,
                            pop: pop.clone(),
                        };
                        reach((activation, (*end, below)), cause);
                    }
                    callers
                        .entry(callee)
                        .or_default()
                        .push((node, step.label, below));
                }
                Push::Pop => {
                    let ends = ends.entry(activation).or_default();
                    if ends.contains_key(&step.to) {
                        continue;
                    }
                    ends.insert(step.to, (head, step.label.clone()));
                    for ((caller, from), push, below) in
                        callers.get(&activation).into_iter().flatten()
                    {
                        let cause = Cause::Call {
                            from: *from,
                            push: push.clone(),
                            callee: activation,
                            last: head,
                            pop: step.label.clone(),
                        };
                        reach((*caller, (step.to, *below)), cause);
                    }
                }
            }
        }
    }
    let reached = Reached {
        controls,
        start: first,
        causes,
        begun_by,
    };
    Ok((reached, None))
}

/// A head that was looked for.
#[derive(Clone, Copy, Debug)]
pub struct FoundHead(Node);

impl<C, L: Clone> Reached<C, L> {
    /// A run from the start to it.
    pub fn run_to(&self, found: FoundHead) -> Vec<L> {
        enum Part<L> {
            /// Everything from the begin of an activation to a head in it.
            Within(Node),
            One(L),
        }
        // Backwards from the head, then turned round.
        let mut run = Vec::new();
        let mut parts = Vec::new();
        let mut node = found.0;
        loop {
            parts.push(Part::Within(node));
            while let Some(part) = parts.pop() {
                let node = match part {
                    Part::One(label) => {
                        run.push(label);
                        continue;
                    }
                    Part::Within(node) => node,
                };
                match &self.causes[&node] {
                    Cause::Begin => {}
                    Cause::Step(from, label) => {
                        parts.push(Part::Within((node.0, *from)));
                        run.push(label.clone());
                    }
                    Cause::Call {
                        from,
                        push,
                        callee,
                        last,
                        pop,
                    } => {
                        parts.push(Part::Within((node.0, *from)));
                        parts.push(Part::One(push.clone()));
                        parts.push(Part::Within((*callee, *last)));
                        run.push(pop.clone());
                    }
                }
            }
            // Whatever else begins an activation of this name, the whole run does.
            if node.0 == self.start {
                break;
            }
            let (caller, push) = &self.begun_by[&node.0];
            run.push(push.clone());
            node = *caller;
        }
        run.reverse();
        run
    }
}
