//! What a C program says about how it is to be compiled.

use raddle_ir::DataModel;

/// The data models that a program is for: `//@ models: lp64`, or both.
pub fn models(text: &str) -> Vec<DataModel> {
    let all = [("ilp32", DataModel::Ilp32), ("lp64", DataModel::Lp64)];
    let said = value(text, "//@ models:");
    all.into_iter()
        .filter(|(name, _)| said.is_none_or(|it| it.split_whitespace().any(|word| word == *name)))
        .map(|(_, model)| model)
        .collect()
}

/// Options for the compiler: `//@ options: -std=gnu89`, or those of gcc's test suite that change the language, as in
/// `{ dg-options "-fwrapv" }`.
pub fn options(text: &str) -> Vec<String> {
    let ours = value(text, "//@ options:").unwrap_or("");
    let theirs = text
        .lines()
        .filter(|line| line.contains("dg-options") || line.contains("dg-additional-options"))
        .filter_map(|line| line.split('"').nth(1));
    ours.split_whitespace()
        .chain(theirs.flat_map(str::split_whitespace).filter(|option| {
            [
                "-std=",
                "-D",
                "-fwrapv",
                "-funsigned",
                "-fsigned",
                "-fgnu89",
            ]
            .iter()
            .any(|start| option.starts_with(start))
        }))
        .map(str::to_owned)
        .collect()
}

fn value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines().find_map(|line| line.strip_prefix(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_says_its_models_and_options() {
        let text = "//@ options: -std=gnu89 -DX\n//@ models: lp64\nint main() {}\n";
        assert_eq!(models(text), [DataModel::Lp64]);
        assert_eq!(options(text), ["-std=gnu89", "-DX"]);
        assert_eq!(models("").len(), 2);
        let text = "/* { dg-options \"-O2 -fwrapv\" } */";
        assert_eq!(options(text), ["-fwrapv"]);
    }
}
