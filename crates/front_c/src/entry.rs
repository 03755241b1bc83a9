//! Where a program begins that is no whole program: at one of its tests.

use raddle_c_syntax::tree::{Item, Unit};

use raddle_base::Span;

/// How the names of the functions begin that `RADDLE_TEST` of `raddle.h` defines.
const TEST: &str = "raddle_test_";

/// Where a program begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Beginning {
    /// At its own `main`.
    #[default]
    Main,
    /// At the test of this name.
    Test(String),
}

/// A test that a unit defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub name: String,
    /// Where it is called so.
    pub span: Span,
}

/// The tests of a unit, in the order of the text.
pub fn tests(unit: &Unit) -> Vec<Test> {
    let of_item = |item: &Item| {
        let Item::Function(function) = item else {
            return None;
        };
        let name = function.declarator.name.as_ref()?;
        Some(Test {
            name: name.name.strip_prefix(TEST)?.to_owned(),
            span: name.span,
        })
    };
    unit.items.iter().filter_map(of_item).collect()
}

impl Beginning {
    /// The function that the first thread runs.
    pub(crate) fn function(&self) -> String {
        match self {
            Beginning::Main => "main".to_owned(),
            Beginning::Test(name) => format!("{TEST}{name}"),
        }
    }
}
