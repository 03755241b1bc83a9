//! The part of the command line that a test program may set for itself.

use raddle_ir::DataModel;
use raddle_ir::interpret::Property;

const KNOWN: [&str; 17] = [
    "--property",
    "--data-model",
    "--max-threads",
    "--spurious",
    "--no-recycling",
    "--strict",
    "--language",
    "--atomic-sets",
    "--stack",
    "--args",
    "--args-any",
    "--cpus",
    "--leaps",
    "--assume-nothing",
    "--posix-create",
    "--no-spurious",
    "--volatile",
];

/// What `//@ options:` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag on the command line"
)]
pub struct TestOptions {
    /// `None`: what applies.
    pub properties: Option<Vec<Property>>,
    pub data_model: Option<DataModel>,
    pub max_threads: Option<usize>,
    pub has_spurious_wakeups: bool,
    pub has_no_recycling: bool,
    pub is_strict: bool,
    /// As in the ending of a file's name.
    pub language: Option<String>,
    /// As the tool names them.
    pub atomic_sets: Option<String>,
    /// Bytes.
    pub stack: Option<u64>,
    /// What `main` is given.
    pub arguments: Vec<String>,
    pub has_any_arguments: bool,
    pub processors: Option<u32>,
    pub leaps: Option<u32>,
    pub assumes_nothing: bool,
    pub stores_ids_late: bool,
    pub has_no_spurious_wakeups: bool,
    pub volatile_is_atomic: bool,
}

/// Reads the words of `//@ options:`.
///
/// # Errors
///
/// The first word that is not understood.
pub fn parse(words: &[String]) -> Result<TestOptions, String> {
    let mut options = TestOptions::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        // What begins with a hyphen is given as in `--args=-n`.
        let (flag, attached) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        if !KNOWN.contains(&flag) {
            return Err(format!(
                "`{flag}` is no option of a test; there are {}",
                KNOWN.join(", ")
            ));
        }
        let switch = match flag {
            "--spurious" => Some(&mut options.has_spurious_wakeups),
            "--no-recycling" => Some(&mut options.has_no_recycling),
            "--args-any" => Some(&mut options.has_any_arguments),
            "--assume-nothing" => Some(&mut options.assumes_nothing),
            "--posix-create" => Some(&mut options.stores_ids_late),
            "--no-spurious" => Some(&mut options.has_no_spurious_wakeups),
            "--strict" => Some(&mut options.is_strict),
            _ => None,
        };
        if let Some(switch) = switch {
            *switch = true;
            continue;
        }
        let value = attached
            .or_else(|| words.next().cloned())
            .ok_or_else(|| format!("`{flag}` wants a value"))?;
        let wrong = || format!("`{value}` is no value of `{flag}`");
        match flag {
            "--property" => options
                .properties
                .get_or_insert_default()
                .push(Property::from_name(&value).ok_or_else(wrong)?),
            "--data-model" => {
                let model = [DataModel::Ilp32, DataModel::Lp64]
                    .into_iter()
                    .find(|it| it.name() == value);
                options.data_model = Some(model.ok_or_else(wrong)?);
            }
            "--language" => options.language = Some(value),
            "--atomic-sets" => options.atomic_sets = Some(value),
            "--args" => options.arguments.push(value),
            "--cpus" => options.processors = Some(value.parse().map_err(|_| wrong())?),
            "--leaps" => options.leaps = Some(value.parse().map_err(|_| wrong())?),
            "--volatile" if ["plain", "atomic"].contains(&value.as_str()) => {
                options.volatile_is_atomic = value == "atomic";
            }
            "--volatile" => return Err(wrong()),
            "--stack" => options.stack = Some(value.parse().map_err(|_| wrong())?),
            _ => options.max_threads = Some(value.parse().map_err(|_| wrong())?),
        }
    }
    Ok(options)
}

/// The properties that the options name, if they name any.
///
/// # Errors
///
/// As [`parse`].
pub fn asked_properties(words: &[String]) -> Result<Option<Vec<Property>>, String> {
    parse(words).map(|it| it.properties)
}
