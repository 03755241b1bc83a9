//! Pushdown systems: a control state and a stack, and rules for what happens at the top of it.

use raddle_base::{Arena, FastMap, Id, define_id};

define_id!(
    /// A control state of a [`Pushdown`].
    ControlId,
    "p"
);
define_id!(
    /// A symbol on the stack of a [`Pushdown`].
    SymbolId,
    "g"
);
define_id!(
    /// A rule of a [`Pushdown`].
    RuleId,
    "r"
);

/// A pushdown system whose rules have weights.
#[derive(Clone, Debug)]
pub struct Pushdown<W> {
    controls: usize,
    symbols: usize,
    rules: Arena<RuleId, Rule<W>>,
    by_head: FastMap<(ControlId, SymbolId), Vec<RuleId>>,
}

/// In control state `from` with `top` on top of the stack, the system may go to `to` and put `stack` there instead.
#[derive(Clone, Debug)]
pub struct Rule<W> {
    pub from: ControlId,
    pub top: SymbolId,
    pub to: ControlId,
    pub stack: Replaced,
    pub weight: W,
}

/// What a rule puts in the place of the top symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replaced {
    /// Nothing: a return.
    Pop,
    /// One symbol: a step.
    Step(SymbolId),
    /// Two symbols: a call of what is on top, after which it goes on with what is below.
    Push { top: SymbolId, below: SymbolId },
}

/// A control state with a stack.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Configuration {
    pub control: ControlId,
    /// From the top down.
    pub stack: Vec<SymbolId>,
}

impl<W> Pushdown<W> {
    pub fn new() -> Self {
        Self {
            controls: 0,
            symbols: 0,
            rules: Arena::new(),
            by_head: FastMap::default(),
        }
    }

    pub fn add_control(&mut self) -> ControlId {
        self.controls += 1;
        ControlId::from_index(self.controls - 1)
    }

    pub fn add_symbol(&mut self) -> SymbolId {
        self.symbols += 1;
        SymbolId::from_index(self.symbols - 1)
    }

    /// Panics if the rule names a control state or a symbol that does not exist.
    pub fn add_rule(&mut self, rule: Rule<W>) -> RuleId {
        let (first, second) = rule.stack.symbols();
        let symbols = [Some(rule.top), first, second];
        let exists = |it: &SymbolId| it.index() < self.symbols;
        assert!(
            symbols.iter().flatten().all(exists),
            "symbols of the system"
        );
        let exists = |it: &ControlId| it.index() < self.controls;
        assert!([rule.from, rule.to].iter().all(exists), "controls of it");
        let head = (rule.from, rule.top);
        let id = self.rules.push(rule);
        self.by_head.entry(head).or_default().push(id);
        id
    }

    pub fn control_count(&self) -> usize {
        self.controls
    }

    pub fn symbol_count(&self) -> usize {
        self.symbols
    }

    pub fn controls(&self) -> impl DoubleEndedIterator<Item = ControlId> + use<W> {
        (0..self.controls).map(ControlId::from_index)
    }

    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = SymbolId> + use<W> {
        (0..self.symbols).map(SymbolId::from_index)
    }

    pub fn rules(&self) -> &Arena<RuleId, Rule<W>> {
        &self.rules
    }

    /// The rules for this control state and this symbol on top, in the order in which they were added.
    pub fn rules_at(&self, control: ControlId, top: SymbolId) -> &[RuleId] {
        self.by_head.get(&(control, top)).map_or(&[], Vec::as_slice)
    }

    /// The same control states and symbols with some of the rules, which get new numbers.
    pub fn filtered(&self, mut is_kept: impl FnMut(&Rule<W>) -> bool) -> Self
    where
        W: Clone,
    {
        let mut some = Self {
            controls: self.controls,
            symbols: self.symbols,
            ..Self::new()
        };
        for rule in self.rules.values().filter(|rule| is_kept(rule)) {
            some.add_rule(rule.clone());
        }
        some
    }

    /// The same system with other weights.
    pub fn map_weights<V>(&self, mut weight: impl FnMut(RuleId, &Rule<W>) -> V) -> Pushdown<V> {
        Pushdown {
            controls: self.controls,
            symbols: self.symbols,
            rules: self
                .rules
                .iter()
                .map(|(id, rule)| Rule {
                    from: rule.from,
                    top: rule.top,
                    to: rule.to,
                    stack: rule.stack,
                    weight: weight(id, rule),
                })
                .collect(),
            by_head: self.by_head.clone(),
        }
    }

    /// What a rule makes of a configuration; `None` if it does not apply.
    pub fn apply(&self, rule: RuleId, to: &Configuration) -> Option<Configuration> {
        let rule = self.rules.get(rule)?;
        let (top, rest) = to.stack.split_first()?;
        if (rule.from, rule.top) != (to.control, *top) {
            return None;
        }
        let (first, second) = rule.stack.symbols();
        Some(Configuration {
            control: rule.to,
            stack: first
                .into_iter()
                .chain(second)
                .chain(rest.iter().copied())
                .collect(),
        })
    }

    /// What these rules make of a configuration, one after the other; `None` if one of them does not apply.
    pub fn replay(&self, start: &Configuration, rules: &[RuleId]) -> Option<Configuration> {
        // Top last, so that a step costs the same on a deep stack.
        let mut control = start.control;
        let mut stack: Vec<SymbolId> = start.stack.iter().rev().copied().collect();
        for id in rules {
            let rule = self.rules.get(*id)?;
            if rule.from != control || stack.pop()? != rule.top {
                return None;
            }
            let (first, second) = rule.stack.symbols();
            stack.extend(second.into_iter().chain(first));
            control = rule.to;
        }
        stack.reverse();
        Some(Configuration { control, stack })
    }
}

impl<W> Default for Pushdown<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl Replaced {
    /// From the top down.
    fn symbols(self) -> (Option<SymbolId>, Option<SymbolId>) {
        match self {
            Replaced::Pop => (None, None),
            Replaced::Step(symbol) => (Some(symbol), None),
            Replaced::Push { top, below } => (Some(top), Some(below)),
        }
    }
}
