//! The models of Spin's distribution that are measured, ours and theirs, and their sizes.

/// A model that both tools have.
pub(crate) struct Model {
    pub(crate) name: &'static str,
    /// How large it is, for the reader.
    pub(crate) size: &'static str,
    /// Our translation, below the root of the repository.
    pub(crate) program: &'static str,
    /// The names of constants of the translation, which stand behind them in comments, and their values.
    pub(crate) constants: &'static [(&'static str, u32)],
    /// The original, below the folder of Spin's examples.
    pub(crate) promela: &'static str,
    /// What stands in the original, and what is put there instead.
    pub(crate) changes: &'static [(&'static str, &'static str)],
    /// As deep as Spin's search goes, and some more.
    pub(crate) depth: u32,
}

pub(crate) const MODELS: [Model; 5] = [
    Model {
        name: "dtp",
        size: "as it is",
        program: "examples/spin/dtp.rad",
        constants: &[("ROOM", 65_536), ("LAST", 3)],
        promela: "dtp.pml",
        changes: &[],
        depth: 10_000,
    },
    Model {
        name: "sort",
        size: "N = 8",
        program: "examples/spin/sort.rad",
        constants: &[("N", 8)],
        promela: "sort.pml",
        changes: &[("#define N\t7", "#define N\t8")],
        depth: 10_000,
    },
    Model {
        name: "manna-pnueli",
        size: "8 clients",
        program: "examples/spin/manna-pnueli.rad",
        constants: &[("CLIENTS", 8)],
        promela: "manna_pnueli.pml",
        changes: &[("active [2] proctype client", "active [8] proctype client")],
        depth: 100_000,
    },
    Model {
        name: "leader",
        size: "N = 5",
        program: "examples/spin/leader.rad",
        constants: &[("N", 5)],
        promela: "LTL/leader.pml",
        changes: &[],
        depth: 10_000,
    },
    Model {
        name: "peterson",
        size: "N = 4",
        program: "examples/spin/peterson.rad",
        constants: &[("N", 4)],
        promela: "LTL/petersonN.pml",
        changes: &[("#define N\t5", "#define N\t4")],
        depth: 2_000_000,
    },
];

impl Model {
    /// Our translation with its constants.
    ///
    /// # Errors
    ///
    /// If a constant is not in the text.
    pub(crate) fn sized(&self, source: &str) -> Result<String, String> {
        let mut text = source.to_owned();
        for (name, value) in self.constants {
            text = with_constant(&text, name, *value)
                .ok_or_else(|| format!("`{}` has no constant `{name}`", self.program))?;
        }
        Ok(text)
    }

    /// The original with what is changed in it.
    ///
    /// # Errors
    ///
    /// If it is not the original that we know.
    pub(crate) fn changed(&self, source: &str) -> Result<String, String> {
        let mut text = source.to_owned();
        for (before, after) in self.changes {
            if text.matches(before).count() != 1 {
                return Err(format!("`{before}` does not stand once in the model"));
            }
            text = text.replace(before, after);
        }
        Ok(text)
    }
}

/// The text with the value in place of each number in front of the comment that names the constant, if there is one.
fn with_constant(text: &str, name: &str, value: u32) -> Option<String> {
    let comment = format!(" /*{name}*/");
    let pieces: Vec<&str> = text.split(&comment).collect();
    let (last, before) = pieces.split_last()?;
    let mut result = String::new();
    for piece in before {
        let kept = piece.trim_end_matches(|it: char| it.is_ascii_digit());
        if kept.len() == piece.len() {
            return None;
        }
        result.push_str(kept);
        result.push_str(&value.to_string());
        result.push_str(&comment);
    }
    result.push_str(last);
    (!before.is_empty()).then_some(result)
}

#[cfg(test)]
mod tests {
    use raddle_testkit::{header, run, walk};

    use super::*;

    #[test]
    fn every_number_in_front_of_the_comment_is_replaced() {
        let text = "var a: [u8; 3 /*N*/]\nlet b = 13 /*N*/ + 3 /*M*/ // 3\n";
        assert_eq!(
            with_constant(text, "N", 40).unwrap(),
            "var a: [u8; 40 /*N*/]\nlet b = 40 /*N*/ + 3 /*M*/ // 3\n"
        );
    }

    #[test]
    fn a_constant_that_is_missing_is_noticed() {
        assert_eq!(with_constant("let a = 3 /*M*/", "N", 4), None);
        assert_eq!(with_constant("let a = b /*N*/", "N", 4), None);
    }

    #[test]
    fn every_translation_has_its_constants_and_is_a_program() {
        for model in MODELS {
            let path = walk::repository_root().join(model.program);
            let source = std::fs::read_to_string(path).unwrap();
            let sized = model.sized(&source).unwrap();
            let header = header::parse(&sized).unwrap();
            run::load(&sized, &header).unwrap();
        }
    }

    #[test]
    fn another_original_is_noticed() {
        let sort = MODELS.iter().find(|it| it.name == "sort").unwrap();
        assert!(sort.changed("#define N\t7\n").unwrap().contains("\t8"));
        assert!(sort.changed("#define N\t9\n").is_err());
    }
}
