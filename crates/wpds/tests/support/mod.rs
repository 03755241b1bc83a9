//! Random systems, semirings that are simple enough to trust, and all runs of a system one by one.

#![allow(dead_code, reason = "each test uses its part")]

pub(crate) mod domains;
pub(crate) mod runs;

use raddle_base::Id;
use raddle_wpds::{Configuration, ControlId, Pushdown, Replaced, Rule, SymbolId};

/// A fixed sequence of numbers for each seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = raddle_base::fast_hash(&self.0);
        usize::try_from(mixed % bound as u64).expect("less than a usize")
    }

    pub(crate) fn of<T: Clone>(&mut self, some: &[T]) -> T {
        some[self.below(some.len())].clone()
    }
}

pub(crate) fn control(index: usize) -> ControlId {
    ControlId::from_index(index)
}

pub(crate) fn symbol(index: usize) -> SymbolId {
    SymbolId::from_index(index)
}

/// At most 4 control states, 4 symbols and 10 rules; recursion is common.
pub(crate) fn random_system<W>(
    random: &mut Random,
    mut weight: impl FnMut(&mut Random) -> W,
) -> Pushdown<W> {
    let mut system = Pushdown::new();
    let controls = 1 + random.below(4);
    let symbols = 1 + random.below(4);
    for _ in 0..controls {
        system.add_control();
    }
    for _ in 0..symbols {
        system.add_symbol();
    }
    for _ in 0..=random.below(10) {
        let stack = match random.below(3) {
            0 => Replaced::Pop,
            1 => Replaced::Step(symbol(random.below(symbols))),
            _ => Replaced::Push {
                top: symbol(random.below(symbols)),
                below: symbol(random.below(symbols)),
            },
        };
        let rule = Rule {
            from: control(random.below(controls)),
            top: symbol(random.below(symbols)),
            to: control(random.below(controls)),
            stack,
            weight: weight(random),
        };
        system.add_rule(rule);
    }
    system
}

/// All configurations with at most so many symbols on the stack.
pub(crate) fn small_configurations<W>(system: &Pushdown<W>, depth: usize) -> Vec<Configuration> {
    let mut stacks: Vec<Vec<SymbolId>> = vec![Vec::new()];
    let mut longest = stacks.clone();
    for _ in 0..depth {
        longest = longest
            .iter()
            .flat_map(|stack| {
                system
                    .symbols()
                    .map(move |it| [&[it], stack.as_slice()].concat())
            })
            .collect();
        stacks.extend(longest.iter().cloned());
    }
    system
        .controls()
        .flat_map(|control| {
            stacks.iter().map(move |stack| Configuration {
                control,
                stack: stack.clone(),
            })
        })
        .collect()
}

/// One configuration with a stack of one or two symbols.
pub(crate) fn random_start<W>(random: &mut Random, system: &Pushdown<W>) -> Configuration {
    let length = 1 + random.below(2);
    Configuration {
        control: control(random.below(system.control_count())),
        stack: (0..length)
            .map(|_| symbol(random.below(system.symbol_count())))
            .collect(),
    }
}
