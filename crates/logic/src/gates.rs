//! A graph of gates: conjunctions, exclusive disjunctions, choices and majorities of bits.
//!
//! Negation is a mark on a bit and costs nothing. Gates are simplified and shared as they are made: gates with the same
//! inputs are the same gate, whichever terms asked for them.

use raddle_base::{Arena, FastMap, Id, define_id};

define_id!(
    /// A gate or an input of one [`Gates`].
    GateId, "g"
);

/// The output of a gate, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit {
    /// Twice the number of the gate, plus one if negated. The gate with number 0 is the constant false.
    code: u32,
}

impl std::fmt::Debug for Bit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_negated() { "!" } else { "" };
        write!(f, "{sign}g{}", self.code >> 1)
    }
}

impl Bit {
    pub const FALSE: Bit = Bit { code: 0 };
    pub const TRUE: Bit = Bit { code: 1 };

    pub fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// The value, if it is the same under all inputs.
    pub fn value(self) -> Option<bool> {
        match self {
            Bit::FALSE => Some(false),
            Bit::TRUE => Some(true),
            _ => None,
        }
    }

    pub fn is_negated(self) -> bool {
        self.code & 1 == 1
    }

    pub fn gate(self) -> GateId {
        GateId::from_index(usize::try_from(self.code >> 1).expect("32 bits fit"))
    }

    fn of(gate: GateId) -> Bit {
        let number = u32::try_from(gate.index()).expect("an id has 32 bits");
        Bit {
            code: number.checked_mul(2).expect("fewer than 2^31 gates"),
        }
    }

    /// Negated if `condition`.
    fn flipped_if(self, condition: bool) -> Bit {
        Bit {
            code: self.code ^ u32::from(condition),
        }
    }
}

impl std::ops::Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        self.flipped_if(true)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// Always false; there is one.
    False,
    /// A bit of a variable.
    Input,
    And(Bit, Bit),
    /// Of two bits that are not negated.
    Xor(Bit, Bit),
    /// The second if the first, else the third. The first is not negated, the second neither.
    Choice(Bit, Bit, Bit),
    /// At least two of three, at most one of them negated.
    Majority(Bit, Bit, Bit),
}

impl Gate {
    /// The bits that it is computed from.
    pub fn inputs(&self) -> impl Iterator<Item = Bit> + use<> {
        let (inputs, count) = match *self {
            Gate::False | Gate::Input => ([Bit::FALSE; 3], 0),
            Gate::And(a, b) | Gate::Xor(a, b) => ([a, b, Bit::FALSE], 2),
            Gate::Choice(a, b, c) | Gate::Majority(a, b, c) => ([a, b, c], 3),
        };
        inputs.into_iter().take(count)
    }
}

/// Owns the gates.
pub struct Gates {
    gates: Arena<GateId, Gate>,
    known: FastMap<Gate, GateId>,
}

impl Default for Gates {
    fn default() -> Self {
        Self::new()
    }
}

impl Gates {
    pub fn new() -> Self {
        let mut gates = Arena::new();
        gates.push(Gate::False);
        Self {
            gates,
            known: FastMap::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.gates.len()
    }

    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    pub fn gate(&self, id: GateId) -> Gate {
        self.gates[id]
    }

    pub fn input(&mut self) -> Bit {
        Bit::of(self.gates.push(Gate::Input))
    }

    fn intern(&mut self, gate: Gate) -> Bit {
        Bit::of(
            *self
                .known
                .entry(gate)
                .or_insert_with(|| self.gates.push(gate)),
        )
    }

    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::And(x, y) = self.gates[other.gate()] {
                if other.is_negated() {
                    // `a & !(a & y)` is `a & !y`; `a & !(!a & y)` is `a`.
                    if one == x {
                        return self.and(one, !y);
                    }
                    if one == y {
                        return self.and(one, !x);
                    }
                    if one == !x || one == !y {
                        return one;
                    }
                } else {
                    if one == x || one == y {
                        return other;
                    }
                    if one == !x || one == !y {
                        return Bit::FALSE;
                    }
                }
            }
        }
        self.intern(Gate::And(a, b))
    }

    pub fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if let Some(value) = a.value() {
            return b.flipped_if(value);
        }
        if a == b {
            return Bit::FALSE;
        }
        if a == !b {
            return Bit::TRUE;
        }
        let is_flipped = a.is_negated() != b.is_negated();
        let (a, b) = (a.flipped_if(a.is_negated()), b.flipped_if(b.is_negated()));
        self.intern(Gate::Xor(a, b)).flipped_if(is_flipped)
    }

    pub fn equal(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    /// `then` if `condition`, else `otherwise`.
    pub fn choice(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if condition.is_negated() {
            return self.choice_of(!condition, otherwise, then);
        }
        self.choice_of(condition, then, otherwise)
    }

    /// With a condition that is not negated.
    fn choice_of(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        if condition == Bit::FALSE {
            return otherwise;
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return !self.xor(condition, then);
        }
        if then == Bit::TRUE || then == condition {
            return self.or(condition, otherwise);
        }
        if then == Bit::FALSE || then == !condition {
            return self.and(!condition, otherwise);
        }
        if otherwise == Bit::TRUE || otherwise == !condition {
            return self.or(!condition, then);
        }
        if otherwise == Bit::FALSE || otherwise == condition {
            return self.and(condition, then);
        }
        let is_flipped = then.is_negated();
        self.intern(Gate::Choice(
            condition,
            then.flipped_if(is_flipped),
            otherwise.flipped_if(is_flipped),
        ))
        .flipped_if(is_flipped)
    }

    /// At least two of three: the carry of an addition.
    pub fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [a, b, c];
        bits.sort_unstable();
        let [a, b, c] = bits;
        if a == Bit::FALSE {
            return self.and(b, c);
        }
        if a == Bit::TRUE {
            return self.or(b, c);
        }
        if a == b || b == c {
            return b;
        }
        // Complements are neighbours in the order.
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        // The majority of negations is the negation of the majority.
        let is_flipped = bits.iter().filter(|bit| bit.is_negated()).count() >= 2;
        let [a, b, c] = bits.map(|bit| bit.flipped_if(is_flipped));
        self.intern(Gate::Majority(a, b, c)).flipped_if(is_flipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INPUTS: usize = 4;

    /// What a bit is under each of the 16 assignments of the inputs.
    fn table(tables: &[u16], bit: Bit) -> u16 {
        let table = tables[bit.gate().index()];
        if bit.is_negated() { !table } else { table }
    }

    /// The tables of all gates, from what they are made of.
    fn tables(gates: &Gates) -> Vec<u16> {
        let inputs = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
        let mut tables: Vec<u16> = Vec::new();
        for (id, gate) in gates.gates.iter() {
            let at = |bit| table(&tables, bit);
            let next = match *gate {
                Gate::False => 0,
                Gate::Input => inputs[id.index() - 1],
                Gate::And(a, b) => at(a) & at(b),
                Gate::Xor(a, b) => at(a) ^ at(b),
                Gate::Choice(c, a, b) => at(c) & at(a) | !at(c) & at(b),
                Gate::Majority(a, b, c) => at(a) & at(b) | at(a) & at(c) | at(b) & at(c),
            };
            tables.push(next);
        }
        tables
    }

    /// The table of what the test asks for.
    fn asked(kind: usize, [a, b, c]: [u16; 3]) -> u16 {
        match kind {
            0 => a & b,
            1 => a | b,
            2 => a ^ b,
            3 => a & b | !a & c,
            _ => a & b | a & c | b & c,
        }
    }

    #[test]
    fn every_gate_computes_what_it_was_asked_for() {
        let mut state = 1_u64;
        let mut random = |bound: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 40).unwrap() % bound
        };
        for _ in 0..3000 {
            let mut gates = Gates::new();
            let mut bits = vec![Bit::FALSE];
            bits.extend((0..INPUTS).map(|_| gates.input()));
            for _ in 0..20 {
                let [a, b, c] = [0; 3].map(|_| {
                    let bit = bits[random(bits.len())];
                    bit.flipped_if(random(2) == 1)
                });
                let kind = random(5);
                let found = match kind {
                    0 => gates.and(a, b),
                    1 => gates.or(a, b),
                    2 => gates.xor(a, b),
                    3 => gates.choice(a, b, c),
                    _ => gates.majority(a, b, c),
                };
                let tables = tables(&gates);
                let expected = asked(kind, [a, b, c].map(|bit| table(&tables, bit)));
                assert_eq!(table(&tables, found), expected, "{kind}: {a:?} {b:?} {c:?}");
                bits.push(found);
            }
        }
    }

    #[test]
    fn the_same_gate_is_made_once() {
        let mut gates = Gates::new();
        let [a, b, c] = [(); 3].map(|()| gates.input());
        assert_eq!(gates.and(a, b), gates.and(b, a));
        assert_eq!(gates.xor(!a, b), !gates.xor(b, a));
        assert_eq!(gates.choice(!c, a, b), gates.choice(c, b, a));
        assert_eq!(gates.majority(!a, !b, !c), !gates.majority(c, b, a));
        assert_eq!(gates.len(), 1 + 3 + 4);
    }
}
