//! Which edges leave a place, and when each is tried.

use raddle_ir::{Action, BinaryOp, EdgeId, Expression, FunctionId, UnaryOp};
use raddle_logic::TermId;

use crate::encoder::Encoder;
use crate::inputs::Inputs;
use crate::place::UnrolledPoint;
use crate::touch::{Chosen, Standing};

impl Encoder<'_> {
    /// A variable for a choice.
    pub(crate) fn chosen(&mut self, what: &str, width: u32) -> TermId {
        let Inputs::Shared(made) = &mut self.inputs else {
            return self.terms.fresh_variable(what, width);
        };
        let number = *made;
        *made += 1;
        let name = format!("choice {number} of {width} bits");
        self.terms.variable(&name, width)
    }

    /// Whether there are two edges, one with the negated guard of the other.
    pub fn is_either_or(&self, function: FunctionId, edges: &[EdgeId]) -> bool {
        let [one, other] = edges else {
            return false;
        };
        let guard = |edge: EdgeId| {
            let action = &self.program.edge(function, edge).action;
            let Action::Assume { condition } = action else {
                return None;
            };
            Some(condition)
        };
        match (guard(*one), guard(*other)) {
            (Some(one), Some(other)) => is_negation(one, other) || is_negation(other, one),
            _ => false,
        }
    }

    /// The edges that leave a place, each with the condition under which it is tried.
    pub(crate) fn choices(
        &mut self,
        place: &UnrolledPoint,
        guard: TermId,
        standing: Standing,
    ) -> (Vec<(EdgeId, TermId)>, Option<Chosen>) {
        let spot = place.top();
        let edges = self.program.outgoing(spot.function, spot.location);
        if edges.len() < 2 || self.is_either_or(spot.function, edges) {
            return (edges.iter().map(|edge| (*edge, guard)).collect(), None);
        }
        let width = usize::BITS - (edges.len() - 1).leading_zeros();
        let chosen = self.chosen("edge", width);
        let noted = self.wanted.choice(standing, chosen, edges.len());
        let last = edges.len() - 1;
        let edges = edges.to_vec();
        let mut rest = guard;
        let tried = edges
            .into_iter()
            .enumerate()
            .map(|(at, edge)| {
                if at == last {
                    return (edge, rest);
                }
                let is_this = self.terms.equals_constant(chosen, at as u128);
                let taken = self.terms.and(rest, is_this);
                let is_other = self.terms.not(is_this);
                rest = self.terms.and(rest, is_other);
                (edge, taken)
            })
            .collect();
        (tried, noted)
    }

    /// How deep in atomic sections an edge leads.
    pub fn depth_after(&self, place: &UnrolledPoint, edge: EdgeId, depth: u32) -> u32 {
        let action = &self.program.edge(place.top().function, edge).action;
        if matches!(action, Action::AtomicBegin { .. }) {
            depth + 1
        } else if *action == Action::AtomicEnd {
            depth - 1
        } else {
            depth
        }
    }
}

fn is_negation(one: &Expression, other: &Expression) -> bool {
    match (one, other) {
        (Expression::Unary(UnaryOp::Not, inner), _) => **inner == *other,
        (
            Expression::Binary(BinaryOp::Equal, left, right),
            Expression::Binary(BinaryOp::NotEqual, other_left, other_right),
        ) => left == other_left && right == other_right,
        _ => false,
    }
}
