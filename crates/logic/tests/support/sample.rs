//! Random terms, built simplified and as they are, side by side.

use raddle_logic::{Assignment, Operation, TermId, Terms, VariableId};

use super::Random;

/// The same term twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) simplified: TermId,
    pub(crate) plain: TermId,
}

/// Two sets of terms that grow together.
pub(crate) struct Sample {
    pub(crate) simplified: Terms,
    pub(crate) plain: Terms,
    /// What was built, oldest first.
    pub(crate) pairs: Vec<Pair>,
    widest: u32,
}

const SAME_WIDTH: [Operation; 13] = [
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::DivideUnsigned,
    Operation::RemainderUnsigned,
    Operation::DivideSigned,
    Operation::RemainderSigned,
    Operation::ShiftLeft,
    Operation::ShiftRightLogical,
    Operation::ShiftRightArithmetic,
];

const PREDICATES: [Operation; 7] = [
    Operation::Equal,
    Operation::LessUnsigned,
    Operation::LessEqualUnsigned,
    Operation::LessSigned,
    Operation::LessEqualSigned,
    Operation::MultiplyOverflowsUnsigned,
    Operation::MultiplyOverflowsSigned,
];

impl Sample {
    /// Starts with variables of a few widths up to `widest`.
    pub(crate) fn new(random: &mut Random, widest: u32) -> Self {
        let mut sample = Sample {
            simplified: Terms::new(),
            plain: Terms::unsimplified(),
            pairs: Vec::new(),
            widest,
        };
        for index in 0..4 {
            let width = match index {
                0 => 1,
                1 => widest,
                _ => sample.random_width(random),
            };
            let name = format!("x{index}");
            let pair = Pair {
                simplified: sample.simplified.variable(&name, width),
                plain: sample.plain.variable(&name, width),
            };
            sample.pairs.push(pair);
        }
        sample
    }

    pub(crate) fn variables(&self) -> Vec<VariableId> {
        self.plain.variables().collect()
    }

    pub(crate) fn random_assignment(&self, random: &mut Random) -> Assignment {
        let mut assignment = Assignment::new();
        for variable in self.variables() {
            let width = self.plain.width(self.plain.variable_term(variable));
            assignment.set(variable, random.bits(width));
        }
        assignment
    }

    fn random_width(&self, random: &mut Random) -> u32 {
        1 + u32::try_from(random.below(usize::try_from(self.widest).expect("a small number")))
            .expect("a small number")
    }

    fn width(&self, pair: Pair) -> u32 {
        self.plain.width(pair.plain)
    }

    fn apply(&mut self, operation: Operation, width: u32, arguments: &[Pair]) -> Pair {
        let simplified: Vec<TermId> = arguments.iter().map(|it| it.simplified).collect();
        let plain: Vec<TermId> = arguments.iter().map(|it| it.plain).collect();
        Pair {
            simplified: self.simplified.apply(operation, width, &simplified),
            plain: self.plain.apply(operation, width, &plain),
        }
    }

    fn constant(&mut self, bits: u128, width: u32) -> Pair {
        Pair {
            simplified: self.simplified.constant(bits, width),
            plain: self.plain.constant(bits, width),
        }
    }

    /// An old term, the last ones more often.
    fn any(&self, random: &mut Random) -> Pair {
        let count = self.pairs.len();
        let back = random.below(count).min(random.below(count));
        self.pairs[count - 1 - back]
    }

    /// A term of this width: an old one, a constant, or an old one made to fit.
    fn of_width(&mut self, random: &mut Random, width: u32) -> Pair {
        if random.chance(4) {
            return self.constant(random.bits(width), width);
        }
        for _ in 0..6 {
            let pair = self.any(random);
            if self.width(pair) == width {
                return pair;
            }
        }
        let pair = self.any(random);
        self.resize(random, pair, width)
    }

    fn resize(&mut self, random: &mut Random, pair: Pair, width: u32) -> Pair {
        let old = self.width(pair);
        if old > width {
            let low = random.below(usize::try_from(old - width).expect("a small number") + 1);
            let low = u8::try_from(low).expect("a small number");
            return self.apply(Operation::Extract { low }, width, &[pair]);
        }
        let operation = random.pick(&[Operation::ZeroExtend, Operation::SignExtend]);
        self.apply(operation, width, &[pair])
    }

    /// Builds one more term of old ones.
    pub(crate) fn grow(&mut self, random: &mut Random) -> Pair {
        let first = self.any(random);
        let width = self.width(first);
        let pair = match random.below(12) {
            0 => self.apply(Operation::Not, width, &[first]),
            1 => self.apply(Operation::Negate, width, &[first]),
            2..=4 => {
                let operation = random.pick(&SAME_WIDTH);
                self.binary(random, operation, width, first)
            }
            5 | 6 => {
                let operation = random.pick(&PREDICATES);
                self.binary(random, operation, 1, first)
            }
            7 | 8 => {
                let condition = self.of_width(random, 1);
                let second = self.of_width(random, width);
                let (then, otherwise) = if random.chance(2) {
                    (first, second)
                } else {
                    (second, first)
                };
                self.apply(Operation::IfThenElse, width, &[condition, then, otherwise])
            }
            9 => {
                let second = self.any(random);
                let together = width + self.width(second);
                if together <= self.widest {
                    self.apply(Operation::Concatenate, together, &[first, second])
                } else {
                    // Parts of one term, which belong together again.
                    self.cut_and_join(random, first)
                }
            }
            10 => self.cut_and_join(random, first),
            _ => {
                let width = self.random_width(random);
                self.resize(random, first, width)
            }
        };
        self.pairs.push(pair);
        pair
    }

    fn binary(
        &mut self,
        random: &mut Random,
        operation: Operation,
        width: u32,
        first: Pair,
    ) -> Pair {
        let inner = self.width(first);
        let second = match random.below(8) {
            0 => first,
            1 => self.apply(Operation::Not, inner, &[first]),
            _ => self.of_width(random, inner),
        };
        let arguments = if random.chance(2) {
            [first, second]
        } else {
            [second, first]
        };
        self.apply(operation, width, &arguments)
    }

    /// Two parts of one term, side by side: mostly as they were, else any two.
    fn cut_and_join(&mut self, random: &mut Random, pair: Pair) -> Pair {
        let width = self.width(pair);
        if width < 2 {
            return pair;
        }
        let border = self.random_width_below(random, width);
        let (low, high) = if random.chance(2) {
            ((0, border), (border, width - border))
        } else {
            (
                Self::random_part(random, width, border),
                Self::random_part(random, width, width - border),
            )
        };
        let [low, high] = [low, high].map(|(low, width)| {
            let low = u8::try_from(low).expect("a small number");
            self.apply(Operation::Extract { low }, width, &[pair])
        });
        self.apply(Operation::Concatenate, width, &[high, low])
    }

    fn random_width_below(&self, random: &mut Random, width: u32) -> u32 {
        1 + self.random_width(random) % (width - 1)
    }

    /// Where a part of this width lies, and the width.
    fn random_part(random: &mut Random, whole: u32, width: u32) -> (u32, u32) {
        let places = usize::try_from(whole - width).expect("a small number") + 1;
        let low = u32::try_from(random.below(places)).expect("a small number");
        (low, width)
    }
}
