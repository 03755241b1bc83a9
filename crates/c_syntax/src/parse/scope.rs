//! Which names are types: the scopes of ordinary identifiers.

use crate::token::Symbol;

/// What the innermost declaration of a name makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binding {
    Unknown,
    Typedef,
    /// A variable, function, parameter or enumerator.
    Ordinary,
}

#[derive(Debug)]
pub(super) struct Scopes {
    /// By symbol.
    current: Vec<Binding>,
    /// What was replaced, to be put back when the scope ends.
    replaced: Vec<(Symbol, Binding)>,
    /// How many entries `replaced` had when each open scope began.
    begins: Vec<usize>,
}

impl Scopes {
    pub(super) fn new(names: usize) -> Self {
        Self {
            current: vec![Binding::Unknown; names],
            replaced: Vec::new(),
            begins: Vec::new(),
        }
    }

    pub(super) fn enter(&mut self) {
        self.begins.push(self.replaced.len());
    }

    pub(super) fn leave(&mut self) {
        let begin = self.begins.pop().expect("scopes are left in pairs");
        for (symbol, binding) in self.replaced.drain(begin..).rev() {
            self.current[symbol.0 as usize] = binding;
        }
    }

    pub(super) fn get(&self, symbol: Symbol) -> Binding {
        self.current[symbol.0 as usize]
    }

    pub(super) fn declare(&mut self, symbol: Symbol, binding: Binding) {
        let place = &mut self.current[symbol.0 as usize];
        let old = std::mem::replace(place, binding);
        // In the outermost scope nothing is ever put back.
        if !self.begins.is_empty() && old != binding {
            self.replaced.push((symbol, old));
        }
    }

    /// In all scopes: a name that was used as a type without being one, so that it is complained about once.
    pub(super) fn declare_everywhere(&mut self, symbol: Symbol, binding: Binding) {
        for (replaced, old) in &mut self.replaced {
            if *replaced == symbol && *old == Binding::Unknown {
                *old = binding;
            }
        }
        self.current[symbol.0 as usize] = binding;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_scope_puts_back_what_its_declarations_hid() {
        let (t, x) = (Symbol(0), Symbol(1));
        let mut scopes = Scopes::new(2);
        scopes.declare(t, Binding::Typedef);
        scopes.enter();
        scopes.declare(t, Binding::Ordinary);
        scopes.declare(x, Binding::Ordinary);
        scopes.enter();
        scopes.declare(t, Binding::Typedef);
        assert_eq!(scopes.get(t), Binding::Typedef);
        scopes.leave();
        assert_eq!(scopes.get(t), Binding::Ordinary);
        scopes.leave();
        assert_eq!(scopes.get(t), Binding::Typedef);
        assert_eq!(scopes.get(x), Binding::Unknown);
    }
}
