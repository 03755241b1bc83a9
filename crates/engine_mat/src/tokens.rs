//! The token, as constraints: which thread has it, when, and what goes with it.
//!
//! # Source
//!
//! MAT §2.1, the token-passing model (TPM): its token-passing constraints, token `tk` and clock `ctk`; §4, step 7 for context bounds.
//!
//! # Definitions
//!
//! A *pass* goes from after one node to before another (MAT: from a `write_sync` to a `read_sync` block). It hands over what is
//! shared, and time: the clock of the receiver is one more than that of the giver, and later than all that the receiver did before.
//!
//! # Invariants
//!
//! - **(K1)** At most one pass leaves each node, and at most one comes to it. So passes form one chain, and there is one token.
//!
//! # Deviations
//!
//! 1. MAT has a vector of clocks; here each node has one number, one more than where the token came from.
//! 2. MAT hands over all shared variables. Here what only its own thread writes is never received, and of a lock that a thread holds
//!    nothing else can come than that it holds it (`slots`, `shape`).
//!
//! # Tested by
//!
//! `crates/testkit/tests/token.rs`.

use std::collections::BTreeMap;

use raddle_base::{Arena, Exhausted, SideTable};
use raddle_encode::Word;
use raddle_encode::encoder::Encoder;
use raddle_encode::names::ThreadIndex;
use raddle_logic::{TermId, Terms};

use crate::shape::Shape;
use crate::threads::RECEIPT_BITS;
use crate::unrolled::{Node, NodeIndex, Unrolled};

/// How many passes are encoded between two looks at the budget.
const PASSES_BETWEEN_LOOKS: usize = 256;

/// The token may go from after the first node to before the second.
pub(crate) type NodePass = (NodeIndex, NodeIndex);

/// How often a thread may receive the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) least: u64,
    pub(crate) most: u64,
}

/// Constraints that are being collected.
struct Tokens<'a> {
    terms: &'a mut Terms,
    constraints: Constraints,
}

/// What has to hold.
#[derive(Default)]
pub(crate) struct Constraints {
    pub(crate) conditions: Vec<TermId>,
    /// Where the first holds, the others are the same.
    pub(crate) same: Vec<(TermId, TermId, TermId)>,
}

/// What makes an unrolling an execution.
pub(crate) fn constraints(
    encoder: &mut Encoder<'_>,
    shape: &Shape,
    unrolled: &Unrolled,
    passes: &[NodePass],
    limits: impl Fn(ThreadIndex) -> Option<Limits>,
) -> Result<Constraints, Exhausted> {
    let nodes = &unrolled.nodes;
    let values: Arena<NodeIndex, Vec<Word>> = nodes
        .values()
        .map(|it| shape.values(encoder, &it.passage.shared))
        .collect();
    let mut tokens = Tokens {
        terms: &mut encoder.terms,
        constraints: Constraints::default(),
    };
    tokens.one_holder(&unrolled.first_holders);
    let mut outgoing: SideTable<NodeIndex, Vec<TermId>> = SideTable::filled(nodes, Vec::new());
    let mut incoming = outgoing.clone();
    let next: Arena<NodeIndex, TermId> = nodes
        .values()
        .map(|it| {
            let one = tokens.terms.constant(1, shape.clock_bits.max(1));
            tokens.terms.add(it.passage.clock, one)
        })
        .collect();
    let mut owned: BTreeMap<ThreadIndex, Vec<bool>> = BTreeMap::new();
    for (number, (from, to)) in passes.iter().enumerate() {
        if number.is_multiple_of(PASSES_BETWEEN_LOOKS) {
            encoder.budget.check()?;
        }
        let pass = tokens.terms.fresh_variable("pass", 1);
        outgoing[*from].push(pass);
        incoming[*to].push(pass);
        tokens.same(pass, nodes[*to].receipt.clock, next[*from]);
        let node = &nodes[*to];
        let mine = owned
            .entry(node.thread)
            .or_insert_with(|| shape.owned(node.thread));
        let receiver = (node.receipt.came.as_slice(), mine.as_slice());
        for (came, value) in shape.pairs(tokens.terms, receiver, &values[*from]) {
            tokens.same(pass, came, value);
        }
    }
    for (at, node) in nodes.iter() {
        tokens.node(node, &outgoing[at], &incoming[at]);
        if let Some(limits) = limits(node.thread)
            && limits.most < 1 << RECEIPT_BITS
        {
            let most = u128::from(limits.most);
            let most = tokens.terms.constant(most, RECEIPT_BITS);
            let may = tokens.terms.less_unsigned(node.arrival.receipts, most);
            tokens.implied(node.receipt.happens, may);
        }
    }
    for thread in unrolled.starts.keys() {
        if let Some(limits) = limits(*thread)
            && limits.least > 0
        {
            tokens.at_least(nodes, *thread, limits.least);
        }
    }
    Ok(tokens.constraints)
}

impl Tokens<'_> {
    fn implied(&mut self, condition: TermId, conclusion: TermId) {
        let constraint = self.terms.implies(condition, conclusion);
        if !self.terms.is_true(constraint) {
            self.constraints.conditions.push(constraint);
        }
    }

    fn one_holder(&mut self, holders: &[TermId]) {
        let somebody = self.terms.any(holders);
        let always = self.terms.truth(true);
        self.implied(always, somebody);
        self.at_most_one(holders);
    }

    /// Linear in the number of conditions.
    fn at_most_one(&mut self, conditions: &[TermId]) {
        let mut seen: Option<TermId> = None;
        for condition in conditions {
            seen = Some(match seen {
                None => *condition,
                Some(seen) => {
                    let is_first = self.terms.not(seen);
                    self.implied(*condition, is_first);
                    self.terms.or(seen, *condition)
                }
            });
        }
    }

    /// Where the condition holds, two terms are the same.
    fn same(&mut self, condition: TermId, one: TermId, other: TermId) {
        if one != other {
            self.constraints.same.push((condition, one, other));
        }
    }

    fn node(&mut self, node: &Node, outgoing: &[TermId], incoming: &[TermId]) {
        let is_received = self.terms.any(incoming);
        let is_sent = self.terms.any(outgoing);
        self.implied(node.receipt.happens, is_received);
        self.implied(is_received, node.receipt.happens);
        self.implied(node.passage.sent, is_sent);
        self.implied(is_sent, node.passage.sent);
        self.at_most_one(incoming);
        self.at_most_one(outgoing);
        self.implied(node.receipt.happens, node.arrival.guard);
        let lacks_it = self.terms.not(node.arrival.holds);
        self.implied(node.receipt.happens, lacks_it);
        let is_later = self
            .terms
            .less_unsigned(node.arrival.clock, node.receipt.clock);
        self.implied(node.receipt.happens, is_later);
        self.implied(node.passage.sent, node.passage.passes);
    }

    /// A thread receives the token so often at least.
    fn at_least(&mut self, nodes: &Arena<NodeIndex, Node>, thread: ThreadIndex, least: u64) {
        let mut count = self.terms.constant(0, RECEIPT_BITS);
        for node in nodes.values().filter(|it| it.thread == thread) {
            let one = self.terms.resize(node.receipt.happens, RECEIPT_BITS, false);
            count = self.terms.add(count, one);
        }
        let least = least.min((1 << RECEIPT_BITS) - 1);
        let least = self.terms.constant(u128::from(least), RECEIPT_BITS);
        let is_enough = self.terms.less_equal_unsigned(least, count);
        let always = self.terms.truth(true);
        self.implied(always, is_enough);
    }
}
