//! Task definitions of SV-COMP: a `.yml` file names the program, its property files with the right verdicts, and
//! the data model.

use std::fs;
use std::path::Path;

use raddle_ir::DataModel;
use raddle_ir::interpret::Property;

use crate::header::Truth;
use crate::property_file::{property_of_name, property_of_text};
use crate::yaml::{self, Section};
use crate::{Definition, folder_of};

/// Other `.yml` files, such as those of build servers, lie about in folders of programs, too.
pub(crate) fn is_definition(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("format_version:"))
}

/// Reads a definition; `name` is its path, from which the paths in it are counted.
///
/// # Errors
///
/// What is wrong with it.
pub(crate) fn parse(name: &str, text: &str) -> Result<Definition, String> {
    let sections = yaml::parse(text)?;
    let section = |key: &str| sections.iter().find(|it| it.key == key);
    check_version(section("format_version"))?;
    let mut definition = Definition {
        files: section("input_files")
            .map(|it| it.words.iter().map(|file| beside(name, file)).collect())
            .unwrap_or_default(),
        ..Definition::default()
    };
    if definition.files.is_empty() {
        return Err("`input_files` names no file".into());
    }
    for map in section("properties").map_or(&[][..], |it| &it.maps) {
        let value = |key: &str| {
            map.iter()
                .find(|(it, _)| it == key)
                .map(|(_, value)| value.as_str())
        };
        let file =
            value("property_file").ok_or("an entry of `properties` has no `property_file`")?;
        add_property(name, file, value("expected_verdict"), &mut definition)?;
    }
    for property in definition.truth.keys() {
        definition
            .options
            .extend(["--property".to_owned(), property.name().to_owned()]);
    }
    let model = section("options")
        .into_iter()
        .flat_map(|it| it.maps.iter().flatten())
        .find(|(key, _)| key == "data_model");
    if let Some((_, model)) = model {
        let known = [DataModel::Ilp32, DataModel::Lp64]
            .into_iter()
            .find(|it| it.name().eq_ignore_ascii_case(model))
            .ok_or_else(|| format!("`{model}` is no data model; there are ILP32 and LP64"))?;
        definition
            .options
            .extend(["--data-model".to_owned(), known.name().to_owned()]);
    }
    // The competition says of no program what it runs in.
    definition.options.push("--assume-nothing".to_owned());
    Ok(definition)
}

fn check_version(section: Option<&Section>) -> Result<(), String> {
    let version = section
        .and_then(|it| it.words.first())
        .map_or("", |it| it.as_str());
    if version.starts_with("1.") || version.starts_with("2.") {
        Ok(())
    } else {
        Err(format!(
            "`format_version` is `{version}`; versions 1 and 2 are understood"
        ))
    }
}

fn add_property(
    name: &str,
    file: &str,
    expected: Option<&str>,
    definition: &mut Definition,
) -> Result<(), String> {
    let stem = Path::new(file)
        .file_stem()
        .map_or_else(|| file.into(), |it| it.to_string_lossy());
    let property: Option<Property> = match fs::read_to_string(beside(name, file)) {
        Ok(text) => property_of_text(&text),
        Err(_) => property_of_name(&stem),
    };
    let Some(property) = property else {
        definition
            .left_out
            .push(format!("`{stem}` is not decided here"));
        return Ok(());
    };
    let truth = match expected {
        Some("true") => Truth::Safe,
        Some("false") => Truth::Unsafe,
        Some(other) => return Err(format!("`{other}` is no verdict; say true or false")),
        None => {
            definition
                .left_out
                .push(format!("`{stem}` has no expected verdict"));
            return Ok(());
        }
    };
    match definition.truth.insert(property, truth) {
        Some(before) if before != truth => Err(format!(
            "two property files about {property} contradict each other"
        )),
        Some(_) | None => Ok(()),
    }
}

/// A path that is counted from the folder of `name`.
fn beside(name: &str, path: &str) -> String {
    if path.starts_with('/') || folder_of(name) == "." && !name.starts_with("./") {
        path.to_owned()
    } else {
        format!("{}/{path}", folder_of(name).trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TASK: &str = "\
format_version: '2.0'

# old file name: bigshot_s_true-unreach-call.i
input_files: 'bigshot_s.i'

properties:
  - property_file: ../nowhere/unreach-call.prp
    expected_verdict: true
  - property_file: ../nowhere/no-data-race.prp
    expected_verdict: false # with a comment
  - property_file: ../nowhere/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: ../nowhere/termination.prp
    expected_verdict: true
  - property_file: ../nowhere/no-overflow.prp

options:
  language: C
  data_model: ILP32
";

    #[test]
    fn a_definition_gives_files_truth_and_options() {
        let definition = parse("pthread/bigshot_s.yml", TASK).unwrap();
        assert_eq!(definition.files, ["pthread/bigshot_s.i"]);
        assert_eq!(
            definition.truth.into_iter().collect::<Vec<_>>(),
            [
                (Property::Assert, Truth::Safe),
                (Property::Race, Truth::Unsafe),
                (Property::Memory, Truth::Unsafe),
            ]
        );
        assert_eq!(
            definition.options.join(" "),
            "--property assert --property race --property memory --data-model ilp32 --assume-nothing"
        );
        assert_eq!(
            definition.left_out,
            [
                "`termination` is not decided here",
                "`no-overflow` has no expected verdict"
            ]
        );
    }

    #[test]
    fn a_broken_definition_says_what_is_wrong() {
        for (text, message) in [
            (
                "format_version: '3.0'\ninput_files: a.c\n",
                "`format_version` is `3.0`; versions 1 and 2 are understood",
            ),
            ("format_version: '2.0'\n", "`input_files` names no file"),
            (
                "format_version: '2.0'\ninput_files: a.c\noptions:\n  data_model: ILP64\n",
                "`ILP64` is no data model; there are ILP32 and LP64",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: maybe\n",
                "`maybe` is no verdict; say true or false",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - expected_verdict: true\n",
                "an entry of `properties` has no `property_file`",
            ),
        ] {
            assert_eq!(parse("nowhere/a.yml", text).unwrap_err(), message);
        }
    }

    #[test]
    fn paths_are_counted_from_the_definition() {
        assert_eq!(beside("a/b.yml", "c.c"), "a/c.c");
        assert_eq!(beside("b.yml", "c.c"), "c.c");
        assert_eq!(beside("./b.yml", "c.c"), "./c.c");
        assert_eq!(beside("/b.yml", "c.c"), "/c.c");
        assert_eq!(beside("a/b.yml", "/c.c"), "/c.c");
    }
}
