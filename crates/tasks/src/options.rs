//! The part of the command line that a test program may set for itself.

use raddle_ir::DataModel;
use raddle_ir::interpret::Property;

const KNOWN: [&str; 8] = [
    "--property",
    "--data-model",
    "--max-threads",
    "--spurious",
    "--no-recycling",
    "--language",
    "--atomic-sets",
    "--stack",
];

/// What `//@ options:` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestOptions {
    /// `None`: what applies.
    pub properties: Option<Vec<Property>>,
    pub data_model: Option<DataModel>,
    pub max_threads: Option<usize>,
    pub has_spurious_wakeups: bool,
    pub has_no_recycling: bool,
    /// As in the ending of a file's name.
    pub language: Option<String>,
    /// As the tool names them.
    pub atomic_sets: Option<String>,
    /// Bytes.
    pub stack: Option<u64>,
}

/// Reads the words of `//@ options:`.
///
/// # Errors
///
/// The first word that is not understood.
pub fn parse(words: &[String]) -> Result<TestOptions, String> {
    let mut options = TestOptions::default();
    let mut words = words.iter();
    while let Some(flag) = words.next() {
        if !KNOWN.contains(&flag.as_str()) {
            return Err(format!(
                "`{flag}` is no option of a test; there are {}",
                KNOWN.join(", ")
            ));
        }
        if flag == "--spurious" {
            options.has_spurious_wakeups = true;
            continue;
        }
        if flag == "--no-recycling" {
            options.has_no_recycling = true;
            continue;
        }
        let value = words
            .next()
            .ok_or_else(|| format!("`{flag}` wants a value"))?;
        let wrong = || format!("`{value}` is no value of `{flag}`");
        match flag.as_str() {
            "--property" => options
                .properties
                .get_or_insert_default()
                .push(Property::from_name(value).ok_or_else(wrong)?),
            "--data-model" => {
                let model = [DataModel::Ilp32, DataModel::Lp64]
                    .into_iter()
                    .find(|it| it.name() == value);
                options.data_model = Some(model.ok_or_else(wrong)?);
            }
            "--language" => options.language = Some(value.clone()),
            "--atomic-sets" => options.atomic_sets = Some(value.clone()),
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
