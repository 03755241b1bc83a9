//! Measurements that take longer than tests may.

mod pushdown;

pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    match words {
        ["pushdown", options @ ..] => pushdown::run(options),
        _ => Err(vec![
            "say what to measure: `cargo xtask bench pushdown`".to_owned(),
        ]),
    }
}
