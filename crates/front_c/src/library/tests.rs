//! Our own front end reads our own texts.

use raddle_base::SourceMap;
use raddle_c_syntax::{Parsed, parse};
use raddle_ir::DataModel;

use super::TEXTS;
use crate::check::{CheckedUnit, check};

fn parsed() -> Vec<Parsed> {
    let mut sources = SourceMap::new();
    TEXTS
        .iter()
        .map(|(name, text)| parse(sources.add(*name, *text), text.as_bytes()))
        .collect()
}

#[test]
fn the_parser_has_nothing_to_say_about_the_texts() {
    for ((name, _), parsed) in TEXTS.iter().zip(parsed()) {
        assert!(
            parsed.diagnostics.is_empty(),
            "{name}: {:?}",
            parsed.diagnostics
        );
    }
}

/// As if they were a user's, about whose text the checker is more particular.
#[test]
fn the_checker_has_nothing_to_say_about_the_texts() {
    let parsed = parsed();
    let units: Vec<CheckedUnit<'_>> = parsed
        .iter()
        .map(|parsed| CheckedUnit {
            unit: &parsed.unit,
            is_library: false,
            ignores_openmp: false,
        })
        .collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let (module, diagnostics) = check(&units, model);
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        let undefined: Vec<&str> = module
            .functions
            .values()
            .filter(|function| function.body.is_none())
            .map(|function| &*function.name)
            .filter(|name| !name.starts_with("__raddle_"))
            .collect();
        assert!(undefined.is_empty(), "{undefined:?}");
    }
}
