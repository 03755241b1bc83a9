//! Who waits for ever, by bottom components: sets of states that lead to one another and to nothing else.
//!
//! Wherever a thread is stuck, it is stuck in every bottom component that can be reached from there. So it is enough to look
//! at these: a thread that waits in every state of one, for anyone to act or for a thread that is stuck as well, is stuck.
//! Whether one is a livelock is looked at in `spins`.
//! Written without the engines and without what checks their traces, which go by other definitions.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use raddle_ir::Program;
use raddle_ir::interpret::{Interpreter, Outcome, State, ThreadNumber, Wait};

use crate::spins::{Deed, Moment, is_livelock};

/// What threads that cannot take a step wait for.
type Blocked = BTreeMap<ThreadNumber, Vec<Wait>>;

/// All states of a program, with what threads wait for in them.
#[derive(Default)]
pub struct Waits {
    numbers: HashMap<State, usize>,
    nodes: Vec<Node>,
}

#[derive(Clone, Default)]
struct Node {
    next: Vec<usize>,
    /// What was there and what was done, once the state was noted.
    moment: Option<Moment>,
    blocked: Blocked,
    running: BTreeSet<ThreadNumber>,
    /// The process is over, a step stops the execution, or an assume does not hold.
    is_way_out: bool,
}

impl Waits {
    /// Takes note of a state.
    pub fn note(&mut self, interpreter: &Interpreter<'_>, state: &State) {
        let patient = interpreter.patient();
        let mut node = Node {
            is_way_out: state.is_over(),
            ..Node::default()
        };
        let mut deeds = Vec::new();
        for (&thread, content) in &state.threads {
            if content.frames.is_empty() || state.has_ended {
                continue;
            }
            node.running.insert(thread);
            let options = patient.thread_options(state, thread);
            deeds.extend(options.successors.iter().map(Deed::new));
            if options.successors.is_empty() {
                let standing = patient.standing(state, thread, &options);
                let waits = standing.waits.unwrap_or_default();
                node.is_way_out |= waits.iter().all(|it| *it == Wait::Assume);
                node.blocked.insert(thread, waits);
            }
            for successor in options.successors {
                match successor.outcome {
                    Outcome::Next(next) => node.next.push(self.number(next)),
                    Outcome::Stopped(_) => node.is_way_out = true,
                }
            }
        }
        let state = state.clone();
        let number = self.number(state.clone());
        node.moment = Some(Moment { state, deeds });
        self.nodes[number] = node;
    }

    fn number(&mut self, state: State) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry(state).or_insert(next);
        if number == next {
            self.nodes.push(Node::default());
        }
        number
    }

    /// Whether somebody waits for ever, or nobody can go on, once all states were noted.
    pub fn are_endless(&self, program: &Program) -> bool {
        let components = self.components();
        let mut members: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, component) in components.iter().enumerate() {
            members.entry(*component).or_default().push(number);
        }
        members.iter().any(|(component, states)| {
            let stays = |it: &usize| {
                let node = &self.nodes[*it];
                !node.is_way_out && node.next.iter().all(|next| components[*next] == *component)
            };
            states.iter().all(stays)
                && (self.has_stuck(states) || self.is_livelock(states, program))
        })
    }

    fn is_livelock(&self, states: &[usize], program: &Program) -> bool {
        let moments = || states.iter().map(|it| self.nodes[*it].moment.as_ref());
        let all: Option<Vec<&Moment>> = moments().collect();
        all.is_some_and(|moments| is_livelock(&moments, program))
    }

    /// Whether a thread waits in all of these states.
    fn has_stuck(&self, states: &[usize]) -> bool {
        let first = &self.nodes[states[0]];
        let mut stuck: BTreeSet<ThreadNumber> = first.blocked.keys().copied().collect();
        loop {
            let before = stuck.len();
            for node in states.iter().map(|it| &self.nodes[*it]) {
                let set = stuck.clone();
                stuck.retain(|thread| {
                    let waits = node.blocked.get(thread);
                    waits.is_some_and(|waits| waits.iter().all(|it| is_in_vain(it, node, &set)))
                });
            }
            if stuck.len() == before {
                return !stuck.is_empty();
            }
        }
    }

    /// For each state the number of its component (Kosaraju 1978).
    fn components(&self) -> Vec<usize> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for &next in &node.next {
                before[next].push(number);
            }
        }
        let mut finished = Vec::new();
        let mut seen = vec![false; self.nodes.len()];
        for root in 0..self.nodes.len() {
            let mut path = vec![(root, 0)];
            while let Some((node, at)) = path.pop() {
                if at == 0 && std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                match self.nodes[node].next.get(at) {
                    Some(&next) => path.extend([(node, at + 1), (next, 0)]),
                    None => finished.push(node),
                }
            }
        }
        let mut components = vec![usize::MAX; self.nodes.len()];
        for &root in finished.iter().rev() {
            let mut open = vec![root];
            while let Some(node) = open.pop() {
                if components[node] == usize::MAX {
                    components[node] = root;
                    open.extend(&before[node]);
                }
            }
        }
        components
    }
}

/// Whether what is waited for never comes, if these threads are stuck and nobody does what anyone could do.
fn is_in_vain(wait: &Wait, node: &Node, stuck: &BTreeSet<ThreadNumber>) -> bool {
    match wait {
        Wait::Assume => true,
        Wait::Others {
            holders,
            needs_anyone,
        } => {
            let never_acts = |it: &ThreadNumber| stuck.contains(it) || !node.running.contains(it);
            *needs_anyone || holders.iter().any(never_acts)
        }
    }
}
