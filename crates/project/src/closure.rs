//! The units that make up one program of a build that makes several.
//!
//! Units are taken as a linker takes them from an archive: one that defines what a unit uses that is taken already. What a unit uses
//! is over-approximated by the identifiers in its functions and in what its variables begin with.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{FileId, Id};
use raddle_c_syntax::parse;
use raddle_c_syntax::tree::{
    Attribute, Declaration, DeclaratorPart, FunctionDefinition, Item, Storage, Unit,
};

/// How strongly a unit defines a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Another definition takes precedence.
    Weak,
    /// A variable without a value: other units may say the same.
    Tentative,
    Strong,
}

/// What a linker sees of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    defined: BTreeMap<String, Strength>,
    used: BTreeSet<String>,
    /// Functions run before or after `main`, whoever calls for them.
    pub has_constructors: bool,
}

impl Symbols {
    pub fn has_main(&self) -> bool {
        self.defined.contains_key("main")
    }

    /// Whether a test of `raddle.h` is defined.
    pub fn has_tests(&self) -> bool {
        let first = self.defined.range("raddle_test_".to_owned()..).next();
        first.is_some_and(|(name, _)| name.starts_with("raddle_test_"))
    }
}

/// Looks at preprocessed text. What cannot be read defines what was understood of it; whoever reads the program says what is wrong.
pub fn symbols(text: &[u8]) -> Symbols {
    let unit = parse(FileId::from_index(0), text).unit;
    let mut symbols = Symbols {
        has_constructors: unit.attribute_names.iter().any(|it| {
            let name = it.name.trim_matches('_');
            name == "constructor" || name == "destructor"
        }),
        ..Symbols::default()
    };
    let known = NamesOfUnit::new(&unit);
    for item in &unit.items {
        match item {
            Item::Function(function) => {
                known.define_function(function, &mut symbols);
                use_names(text, function.span.start, function.span.end, &mut symbols);
            }
            Item::Declaration(declaration) => {
                known.define_variables(declaration, &mut symbols);
                for one in declaration
                    .declarators
                    .iter()
                    .filter(|it| it.initializer.is_some())
                {
                    use_names(text, one.span.start, one.span.end, &mut symbols);
                }
            }
            Item::StaticAssert(_) | Item::Asm(_) => {}
        }
    }
    // As in: weak f = g.
    for pragma in &unit.pragmas {
        if let Some((name, _)) = pragma
            .text
            .strip_prefix("weak ")
            .and_then(|it| it.split_once('='))
        {
            symbols.define(name.trim(), Strength::Weak);
        }
    }
    symbols
}

impl Symbols {
    fn define(&mut self, name: &str, strength: Strength) {
        let known = self.defined.entry(name.to_owned()).or_insert(strength);
        *known = strength.max(*known);
    }
}

/// What declarations before and after a definition say of it.
struct NamesOfUnit {
    statics: BTreeSet<String>,
    weak: BTreeSet<String>,
    /// Declared otherwise than `inline`, so that an inline definition is one for all units.
    external: BTreeSet<String>,
}

fn has(attributes: &[Attribute], name: &str) -> bool {
    attributes
        .iter()
        .any(|it| it.name.trim_matches('_') == name)
}

impl NamesOfUnit {
    fn new(unit: &Unit) -> Self {
        let mut known = Self {
            statics: BTreeSet::new(),
            weak: BTreeSet::new(),
            external: BTreeSet::new(),
        };
        for item in &unit.items {
            match item {
                Item::Function(it) => {
                    let Some(name) = &it.declarator.name else {
                        continue;
                    };
                    if it.specifiers.storage == Some(Storage::Static) {
                        known.statics.insert(name.name.to_string());
                    }
                    if [
                        &it.attributes,
                        &it.specifiers.attributes,
                        &it.declarator.attributes,
                    ]
                    .iter()
                    .any(|all| has(all, "weak"))
                    {
                        known.weak.insert(name.name.to_string());
                    }
                }
                Item::Declaration(it) => {
                    for one in &it.declarators {
                        let Some(name) = &one.declarator.name else {
                            continue;
                        };
                        if it.specifiers.storage == Some(Storage::Static) {
                            known.statics.insert(name.name.to_string());
                        }
                        if !it.specifiers.is_inline
                            || it.specifiers.storage == Some(Storage::Extern)
                        {
                            known.external.insert(name.name.to_string());
                        }
                        if [
                            &one.attributes,
                            &it.specifiers.attributes,
                            &one.declarator.attributes,
                        ]
                        .iter()
                        .any(|all| has(all, "weak"))
                        {
                            known.weak.insert(name.name.to_string());
                        }
                    }
                }
                Item::StaticAssert(_) | Item::Asm(_) => {}
            }
        }
        known
    }

    fn strength(&self, name: &str, otherwise: Strength) -> Strength {
        if self.weak.contains(name) {
            Strength::Weak
        } else {
            otherwise
        }
    }

    fn define_function(&self, function: &FunctionDefinition, symbols: &mut Symbols) {
        let Some(name) = &function.declarator.name else {
            return;
        };
        let specifiers = &function.specifiers;
        let is_only_inline = specifiers.is_inline
            && specifiers.storage != Some(Storage::Extern)
            && !self.external.contains(&*name.name);
        if !self.statics.contains(&*name.name) && !is_only_inline {
            symbols.define(&name.name, self.strength(&name.name, Strength::Strong));
        }
    }

    fn define_variables(&self, declaration: &Declaration, symbols: &mut Symbols) {
        let specifiers = &declaration.specifiers;
        if specifiers.storage == Some(Storage::Typedef) {
            return;
        }
        for one in &declaration.declarators {
            let Some(name) = &one.declarator.name else {
                continue;
            };
            let is_alias = [
                &one.attributes,
                &specifiers.attributes,
                &one.declarator.attributes,
            ]
            .iter()
            .any(|all| has(all, "alias"));
            let is_function = matches!(
                one.declarator.parts.first(),
                Some(DeclaratorPart::Function(_))
            );
            let is_defined = is_alias
                || one.initializer.is_some()
                || specifiers.storage != Some(Storage::Extern) && !is_function;
            if is_defined && !self.statics.contains(&*name.name) {
                let kind = if one.initializer.is_some() || is_alias {
                    Strength::Strong
                } else {
                    Strength::Tentative
                };
                symbols.define(&name.name, self.strength(&name.name, kind));
            }
        }
    }
}

/// The identifiers between two places. Words in comments and strings are among them, which only makes the program larger.
fn use_names(text: &[u8], start: u32, end: u32, symbols: &mut Symbols) {
    let text = text.get(start as usize..end as usize).unwrap_or_default();
    let is_part = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_' || *it == b'$' || *it >= 0x80;
    for word in text.split(|it| !is_part(it)) {
        if word.first().is_some_and(|it| !it.is_ascii_digit()) {
            symbols
                .used
                .insert(String::from_utf8_lossy(word).into_owned());
        }
    }
}

/// A unit that may belong to the program.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    pub symbols: &'a Symbols,
    /// The program begins here, so the unit belongs to it.
    pub is_root: bool,
}

/// Which units make up a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closure {
    /// In the order of the candidates.
    pub units: Vec<usize>,
    /// They run something at the start or the end if they are linked, but nobody uses them.
    pub idle_constructors: Vec<usize>,
}

/// Several units define what the program uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ambiguous {
    pub name: String,
    pub units: Vec<usize>,
}

/// Takes units until nothing is used that another one defines.
///
/// # Errors
///
/// If it is not clear which one.
pub fn closure(candidates: &[Candidate<'_>]) -> Result<Closure, Ambiguous> {
    let mut taken: BTreeSet<usize> = (0..candidates.len())
        .filter(|it| candidates[*it].is_root)
        .collect();
    let may_be_taken =
        |index: &usize| candidates[*index].is_root || !candidates[*index].symbols.has_main();
    let mut defining: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for index in (0..candidates.len()).filter(may_be_taken) {
        for name in candidates[index].symbols.defined.keys() {
            defining.entry(name).or_default().push(index);
        }
    }
    let mut open: Vec<usize> = taken.iter().copied().collect();
    while let Some(user) = open.pop() {
        for name in &candidates[user].symbols.used {
            let Some(units) = defining.get(name.as_str()) else {
                continue;
            };
            let strength = |index: usize| candidates[index].symbols.defined[name];
            let known = units
                .iter()
                .filter(|it| taken.contains(it))
                .map(|it| strength(*it))
                .max();
            let best = units.iter().map(|it| strength(*it)).max();
            if known >= best {
                continue;
            }
            let best: Vec<usize> = units
                .iter()
                .copied()
                .filter(|it| Some(strength(*it)) == best)
                .collect();
            let [one] = best.as_slice() else {
                return Err(Ambiguous {
                    name: name.clone(),
                    units: best,
                });
            };
            taken.insert(*one);
            open.push(*one);
        }
    }
    let idle_constructors = (0..candidates.len())
        .filter(|it| {
            may_be_taken(it) && !taken.contains(it) && candidates[*it].symbols.has_constructors
        })
        .collect();
    Ok(Closure {
        units: taken.into_iter().collect(),
        idle_constructors,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(texts: &[&str]) -> Result<Closure, Ambiguous> {
        let all: Vec<Symbols> = texts.iter().map(|it| symbols(it.as_bytes())).collect();
        let candidates: Vec<Candidate<'_>> = (all.iter().enumerate())
            .map(|(index, symbols)| Candidate {
                symbols,
                is_root: index == 0,
            })
            .collect();
        closure(&candidates)
    }

    fn units(texts: &[&str]) -> Vec<usize> {
        taken(texts).unwrap().units
    }

    #[test]
    fn units_are_taken_for_what_is_used_and_no_others() {
        assert_eq!(
            units(&[
                "int f(void); int main(void) { return f(); }",
                "extern int x; int f(void) { return x; }",
                "int g(void) { return 1; }",
                "int x = 1;",
                "int main(void) { return 0; }",
                "static int f(void) { return 2; } int h(void) { return f(); }",
            ]),
            [0, 1, 3]
        );
    }

    #[test]
    fn what_a_variable_begins_with_is_used() {
        assert_eq!(
            units(&[
                "int f(void); int (*table[])(void) = { f }; int main(void) { return 0; }",
                "int f(void) { return 1; }"
            ]),
            [0, 1]
        );
    }

    #[test]
    fn declarations_alone_use_nothing() {
        assert_eq!(
            units(&[
                "int f(void); extern int x; int main(void) { return 0; }",
                "int f(void) { return 1; }",
                "int x;"
            ]),
            [0]
        );
    }

    #[test]
    fn a_later_definition_is_static_if_an_earlier_declaration_was() {
        assert_eq!(
            units(&[
                "int f(void); int main(void) { return f(); }",
                "static int f(void); int f(void) { return 1; }"
            ]),
            [0]
        );
    }

    #[test]
    fn strong_definitions_take_precedence_over_weak_ones() {
        let main = "int f(void); int main(void) { return f(); }";
        let weak = "__attribute__((weak)) int f(void) { return 1; }";
        let strong = "int f(void) { return 2; }";
        assert_eq!(units(&[main, weak]), [0, 1]);
        assert_eq!(units(&[main, weak, strong]), [0, 2]);
        assert_eq!(
            units(&[&format!("{weak} int main(void) {{ return f(); }}"), strong]),
            [0, 1]
        );
        assert_eq!(taken(&[main, strong, strong]).unwrap_err().units, [1, 2]);
    }

    #[test]
    fn what_defines_f_in_another_way_is_taken() {
        let main = "int f(void); int main(void) { return f(); }";
        for other in [
            "static int g(void) { return 1; } int f(void) __attribute__((alias(\"g\")));",
            "int g(void) { return 1; }\n#pragma weak f = g\n",
            "extern int f(void); inline int f(void) { return 1; }",
        ] {
            assert_eq!(units(&[main, other]), [0, 1], "{other}");
        }
        assert_eq!(units(&[main, "inline int f(void) { return 1; }"]), [0]);
    }

    #[test]
    fn constructors_that_nobody_uses_are_told() {
        let found = taken(&[
            "int main(void) { return 0; }",
            "__attribute__((constructor)) static void f(void) {}",
        ])
        .unwrap();
        assert_eq!((found.units, found.idle_constructors), (vec![0], vec![1]));
    }
}
