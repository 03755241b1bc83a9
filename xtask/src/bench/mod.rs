//! Measurements that take longer than tests may.

mod pushdown;
mod token;

pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    match words {
        ["pushdown", options @ ..] => pushdown::run(options),
        ["token", options @ ..] => token::run(options),
        _ => Err(vec![
            "say what to measure: `cargo xtask bench pushdown` or `cargo xtask bench token`"
                .to_owned(),
        ]),
    }
}
