//! Measurements that take longer than tests may.

mod cliffs;
mod clock;
mod explicit;
mod pushdown;
mod token;

pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    match words {
        ["cliffs", options @ ..] => cliffs::run(options),
        ["explicit", options @ ..] => explicit::run(options),
        ["pushdown", options @ ..] => pushdown::run(options),
        ["token", options @ ..] => token::run(options),
        _ => Err(vec![
            "say what to measure: `cargo xtask bench cliffs`, `bench explicit`, `bench pushdown` or `bench token`"
                .to_owned(),
        ]),
    }
}
