//! From files to a program.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use raddle_base::{FileId, SourceMap};
use raddle_diag::Diagnostic;
use raddle_ir::{DataModel, Program};

use crate::Options;

/// Sources of more bytes than this are refused; places in them are counted in 32 bits.
const LARGEST_SOURCE: usize = 1 << 28;

/// For programs and callers that do not say it.
pub(crate) const DEFAULT_MODEL: DataModel = DataModel::Lp64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Raddle's own modelling language.
    Rad,
    C,
    /// C after the preprocessor.
    PreprocessedC,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::Rad, Language::C, Language::PreprocessedC];

    /// As in `--language rad`; also the ending of file names.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rad => "rad",
            Language::C => "c",
            Language::PreprocessedC => "i",
        }
    }

    /// By the ending of a file's name.
    pub fn of_file(name: &str) -> Option<Language> {
        let ending = Path::new(name).extension()?.to_str()?;
        Self::ALL.into_iter().find(|it| it.name() == ending)
    }
}

/// The text of a file.
///
/// # Errors
///
/// Why it cannot be read, with a remedy.
pub fn read_source(path: &Path) -> Result<String, Diagnostic> {
    let name = path.display();
    if path.is_dir() {
        return Err(
            Diagnostic::error("input", format!("`{name}` is a directory"))
                .help("name the files in it, as in `raddle check model.rad`"),
        );
    }
    match fs::File::open(path).and_then(read_bytes) {
        Ok(bytes) => decode(&name.to_string(), bytes),
        Err(error) => {
            let diagnostic =
                Diagnostic::error("input", format!("cannot read `{name}`: {}", plain(&error)));
            Err(if error.kind() == ErrorKind::NotFound {
                diagnostic.help("check the spelling and the folder; `-` reads standard input")
            } else {
                diagnostic.help("make sure that the file may be read")
            })
        }
    }
}

/// All bytes, or just enough to see that they are too many: some files never end.
///
/// # Errors
///
/// What the reader says.
pub fn read_bytes(source: impl std::io::Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source
        .take(LARGEST_SOURCE as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text in the bytes of a source.
///
/// # Errors
///
/// If they are not UTF-8, hold a zero byte or are too many.
pub fn decode(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    if bytes.len() > LARGEST_SOURCE {
        return Err(
            Diagnostic::error("input", format!("`{name}` is larger than 256 MiB"))
                .help("check a smaller program"),
        );
    }
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(Diagnostic::error(
            "input",
            format!("`{name}` is a binary file: byte {at} is zero"),
        )
        .help("name a source file in UTF-8 text"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::error(
            "input",
            format!("`{name}` is not valid UTF-8: byte {at} fits no character"),
        )
        .help("save the file as UTF-8 text")
    })
}

/// Reads the program that the sources make up together.
///
/// # Errors
///
/// What is wrong with them.
pub fn load(sources: &SourceMap, options: &Options) -> Result<Program, Vec<Diagnostic>> {
    let mut problems = Vec::new();
    let mut files = Vec::new();
    for (id, file) in sources.files() {
        match options.language.or_else(|| Language::of_file(&file.name)) {
            Some(Language::Rad) => files.push((id, file.text.as_str())),
            Some(Language::C | Language::PreprocessedC) => problems.push(
                Diagnostic::error(
                    "language",
                    format!("C is not read yet, so `{}` cannot be checked", file.name),
                )
                .help("write a model of the program in `.rad`"),
            ),
            None => problems.push(
                Diagnostic::error(
                    "language",
                    format!("the language of `{}` is unknown", file.name),
                )
                .help("end its name in `.rad`, or say `--language rad`"),
            ),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let program = raddle_front_rad::read(&files, options.data_model.unwrap_or(DEFAULT_MODEL))?;
    match options.data_model {
        Some(asked) if asked != program.model => {
            Err(vec![contradiction(asked, program.model, &files)])
        }
        Some(_) | None => Ok(program),
    }
}

fn contradiction(asked: DataModel, said: DataModel, files: &[(FileId, &str)]) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        "usage",
        format!(
            "`--data-model {}` contradicts `model {}` in the program",
            asked.name(),
            said.name()
        ),
    )
    .help("leave one of the two out");
    match raddle_front_rad::model_item(files) {
        Some(span) => diagnostic.at(span, "the program says it here"),
        None => diagnostic,
    }
}

/// What the system says, in our style: lower case, without the error number.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(characters).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_a_name_tells_the_language() {
        assert_eq!(Language::of_file("a/b.rad"), Some(Language::Rad));
        assert_eq!(Language::of_file("b.c"), Some(Language::C));
        assert_eq!(Language::of_file("b.i"), Some(Language::PreprocessedC));
        assert_eq!(Language::of_file("b.java"), None);
        assert_eq!(Language::of_file("rad"), None);
    }

    #[test]
    fn binary_and_broken_text_is_named_with_its_byte() {
        let binary = decode("a", vec![b'x', 0]).unwrap_err();
        assert_eq!(binary.message, "`a` is a binary file: byte 1 is zero");
        let broken = decode("a", vec![b'x', b'y', 0xff]).unwrap_err();
        assert_eq!(
            broken.message,
            "`a` is not valid UTF-8: byte 2 fits no character"
        );
    }
}
