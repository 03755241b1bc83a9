//! From sources to a program.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use raddle_base::{FileId, SourceMap};
use raddle_diag::{Diagnostic, Severity};
use raddle_engine::{Note, Remedy};
use raddle_ir::any_values::with_any_values;
use raddle_ir::interpret::{Property, Semantics};
use raddle_ir::{DataModel, Program};

use crate::Options;
use crate::atomic_sets::with_default_sets;
use crate::unraced::unraced_lines;

/// Sources of more bytes than this are refused; places in them are counted in 32 bits.
pub(crate) const LARGEST_SOURCE: usize = 1 << 28;

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

/// The bytes of a file.
///
/// # Errors
///
/// Why it cannot be read, with a remedy.
pub fn read_file(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    let name = path.display();
    if path.is_dir() {
        return Err(
            Diagnostic::error("input", format!("`{name}` is a directory"))
                .help("name the files in it, as in `raddle check model.rad`"),
        );
    }
    fs::File::open(path).and_then(read_bytes).map_err(|error| {
        let diagnostic =
            Diagnostic::error("input", format!("cannot read `{name}`: {}", plain(&error)));
        if error.kind() == ErrorKind::NotFound {
            diagnostic.help("check the spelling and the folder; `-` reads standard input")
        } else {
            diagnostic.help("make sure that the file may be read")
        }
    })
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
    String::from_utf8(without_zeros(name, bytes)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Diagnostic::error(
            "input",
            format!("`{name}` is not valid UTF-8: byte {at} fits no character"),
        )
        .help("save the file as UTF-8 text")
    })
}

/// The bytes of a source, if they may be text in some encoding.
///
/// # Errors
///
/// If there is a zero byte among them, or they are too many.
pub(crate) fn without_zeros(name: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Diagnostic> {
    if bytes.len() > LARGEST_SOURCE {
        return Err(
            Diagnostic::error("input", format!("`{name}` is larger than 256 MiB"))
                .help("check a smaller program"),
        );
    }
    match bytes.iter().position(|&byte| byte == 0) {
        Some(at) => Err(Diagnostic::error(
            "input",
            format!("`{name}` is a binary file: byte {at} is zero"),
        )
        .help("name a source file in UTF-8 text")),
        None => Ok(bytes),
    }
}

/// A program, and what its reader warns of.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub program: Program,
    pub warnings: Vec<Note>,
    /// Whether it was written in C, not in the modelling language.
    pub is_c: bool,
    /// What it is taken to run in, as far as it asks; as in: no arguments, two processors.
    pub assumptions: Vec<String>,
    /// Of a program in C: a file with a stub for everything that is missing.
    pub stubs: String,
}

impl Loaded {
    /// What its executions may do.
    pub fn semantics(&self, options: &Options, properties: Vec<Property>) -> Semantics {
        Semantics {
            has_spurious_wakeups: options.wakes_spuriously(self.is_c),
            ..options.semantics(properties)
        }
    }
}

/// Reads the program that the sources make up together.
///
/// # Errors
///
/// What is wrong with them.
pub fn load(sources: &SourceMap, options: &Options) -> Result<Loaded, Vec<Note>> {
    let mut problems = Vec::new();
    let mut models = Vec::new();
    let mut units = Vec::new();
    for (id, file) in sources.files() {
        let language = if file.is_preprocessed() {
            Some(Language::PreprocessedC)
        } else {
            options.language.or_else(|| Language::of_file(&file.name))
        };
        match language {
            Some(Language::Rad) => models.push((id, file)),
            Some(Language::C | Language::PreprocessedC) => units.push((id, file)),
            None => problems.push(unknown_language(&file.name)),
        }
    }
    if let (Some((_, model)), Some((_, unit))) = (models.first(), units.first()) {
        problems.push(
            Diagnostic::error(
                "language",
                format!(
                    "`{}` and `{}` are of different languages",
                    model.name, unit.name
                ),
            )
            .help("all files of a program are either models in `.rad` or C; check them one by one")
            .into(),
        );
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let mut loaded = if units.is_empty() {
        let files: Vec<(FileId, &str)> = models
            .iter()
            .map(|(id, file)| (*id, file.text.as_str()))
            .collect();
        load_models(&files, options)?
    } else {
        let units: Vec<(FileId, &[u8])> =
            units.iter().map(|(id, file)| (*id, file.bytes())).collect();
        load_c(&units, options)?
    };
    let properties = options.properties.as_ref();
    if properties.is_some_and(|it| !it.contains(&Property::Uninitialized)) {
        loaded.program = with_any_values(loaded.program);
    }
    loaded.program = loaded.program.with_unraced(unraced_lines(sources));
    if let Some(choice) = options.atomic_sets {
        let (program, warning) = with_default_sets(loaded.program, choice)?;
        loaded.program = program;
        loaded.warnings.extend(warning.map(Note::from));
    }
    Ok(loaded)
}

/// How names of files in C++ end.
const OF_CPP: [&str; 9] = ["cpp", "cc", "cxx", "c++", "C", "hpp", "hh", "hxx", "h++"];

fn unknown_language(name: &str) -> Note {
    let ending = Path::new(name).extension().and_then(|it| it.to_str());
    if ending.is_some_and(|it| OF_CPP.contains(&it)) {
        return Diagnostic::error(
            "language",
            format!("`{name}` is C++, which is not supported"),
        )
        .help("check programs in C (`.c`, or `.i` after the preprocessor) or models (`.rad`)")
        .into();
    }
    let message = format!("the language of `{name}` is unknown");
    Note::new(Diagnostic::error("language", message), Remedy::NameLanguage)
}

fn load_models(files: &[(FileId, &str)], options: &Options) -> Result<Loaded, Vec<Note>> {
    let program = raddle_front_rad::read(files, options.data_model.unwrap_or(DEFAULT_MODEL))
        .map_err(notes)?;
    match options.data_model {
        Some(asked) if asked != program.model => {
            Err(vec![contradiction(asked, program.model, files)])
        }
        Some(_) | None => Ok(Loaded {
            program,
            warnings: Vec::new(),
            is_c: false,
            assumptions: Vec::new(),
            stubs: String::new(),
        }),
    }
}

fn load_c(units: &[(FileId, &[u8])], options: &Options) -> Result<Loaded, Vec<Note>> {
    let reading = raddle_front_c::read(
        units,
        &raddle_front_c::Options {
            model: options.data_model.unwrap_or(DEFAULT_MODEL),
            malloc_may_fail: options.c.malloc_may_fail,
            extern_havoc: options.c.extern_havoc,
            stack_bytes: options
                .c
                .stack_bytes
                .unwrap_or(raddle_front_c::DEFAULT_STACK_BYTES),
            volatile_is_atomic: options.c.volatile_is_atomic,
            ignores_openmp: options.c.rest.iter().any(|word| word == "-fno-openmp"),
            surroundings: options.c.surroundings.clone(),
            stores_ids_late: options.c.stores_ids_late,
            beginning: options.c.beginning.clone(),
        },
    )
    .map_err(notes)?;
    Ok(Loaded {
        program: reading.program,
        warnings: reading.warnings.into_iter().map(warning).collect(),
        is_c: true,
        assumptions: reading
            .assumptions
            .iter()
            .map(ToString::to_string)
            .chain(left_out(&options.c.without))
            .collect(),
        stubs: reading.stubs,
    })
}

/// As in: nothing of `fast.S`.
fn left_out(without: &[String]) -> impl Iterator<Item = String> {
    without.iter().map(|it| format!("nothing of `{it}`"))
}

fn warning(warning: raddle_front_c::Warning) -> Note {
    if warning.is_for_want_of_havoc {
        Note::new(warning.diagnostic, Remedy::LetReturnAnything)
    } else {
        warning.diagnostic.into()
    }
}

/// What nobody but the program can do anything about.
pub(crate) fn notes(diagnostics: Vec<Diagnostic>) -> Vec<Note> {
    diagnostics.into_iter().map(Note::from).collect()
}

/// The syntax trees of units in C, one node a line with its place.
///
/// # Errors
///
/// If some file is not C, or what is wrong with it.
pub fn syntax_text(sources: &SourceMap) -> Result<String, Vec<Note>> {
    raddle_front_c::on_large_stack(|| syntax_text_here(sources)).map_err(notes)
}

fn syntax_text_here(sources: &SourceMap) -> Result<String, Vec<Diagnostic>> {
    let mut text = String::new();
    let mut problems = Vec::new();
    for (id, file) in sources.files() {
        if !file.is_preprocessed() {
            problems.push(
                Diagnostic::error("language", format!("`{}` is not C", file.name))
                    .help("`raddle dump ir` prints models in `.rad` as they were understood"),
            );
            continue;
        }
        let parsed = raddle_c_syntax::parse(id, file.bytes());
        if parsed
            .diagnostics
            .iter()
            .any(|it| it.severity == Severity::Error)
        {
            problems.extend(parsed.diagnostics);
        }
        let place = |span| {
            let place = sources.place(span);
            format!("{}:{}", place.line, place.column)
        };
        text.push_str(&raddle_c_syntax::dump::dump(&parsed.unit, &place));
    }
    if problems.is_empty() {
        Ok(text)
    } else {
        Err(problems)
    }
}

fn contradiction(asked: DataModel, said: DataModel, files: &[(FileId, &str)]) -> Note {
    let diagnostic = Diagnostic::error(
        "usage",
        format!(
            "the data model `{}` contradicts `model {}` in the program",
            asked.name(),
            said.name()
        ),
    );
    let diagnostic = match raddle_front_rad::model_item(files) {
        Some(span) => diagnostic.at(span, "the program says it here"),
        None => diagnostic,
    };
    Note::new(diagnostic, Remedy::WithoutDataModel)
}

/// What the system says, in our style: lower case, without the error number.
pub(crate) fn plain(error: &std::io::Error) -> String {
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
