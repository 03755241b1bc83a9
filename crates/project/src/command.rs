//! What a command of a compiler does, word by word.
//!
//! What is not understood stays among the words: whoever reads the program judges each of them.

use std::path::Path;

use raddle_front_c::gnu::options::takes_argument;

/// How far a command goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It writes text, tells something, or does nothing.
    Text,
    /// It writes object files.
    Object,
    /// It links a program.
    Program,
    /// It links a library or an object that is to be linked again.
    Library,
}

/// What an input is, by its name and the options before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    C,
    /// C after the preprocessor.
    PreprocessedC,
    /// The source of another language.
    Other,
    /// A shared library that is named by its file.
    SharedLibrary,
    /// Something else for the linker: an object file, an archive.
    Object,
}

/// An input of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandPart {
    pub name: String,
    pub kind: PartKind,
}

/// A command without the name of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerCommand {
    pub stage: Stage,
    pub parts: Vec<CommandPart>,
    pub output: Option<String>,
    /// What else is said, but for what is written where and what depends on what.
    pub words: Vec<String>,
}

/// Options that only say what files are written besides, or which; their values follow.
const OF_FILES_WITH_VALUE: [&str; 7] = [
    "-MF",
    "-MT",
    "-MQ",
    "-dumpbase",
    "-dumpdir",
    "-aux-info",
    "-dumpbase-ext",
];
/// Those without a value.
const OF_FILES: [&str; 5] = ["-MD", "-MMD", "-MP", "-MG", "-save-temps"];
/// Options after which nothing is compiled.
const OF_TEXT: [&str; 5] = ["-E", "-S", "-M", "-MM", "-fsyntax-only"];
/// Options of clang and of linkers with values that the list of gcc's does not have.
const WITH_VALUE: [&str; 8] = [
    "-Xlinker",
    "-Xpreprocessor",
    "-Xclang",
    "-T",
    "-e",
    "-target",
    "-arch",
    "-wrapper",
];

impl CompilerCommand {
    pub fn new(words: &[String]) -> Self {
        let mut command = Self {
            stage: Stage::Program,
            parts: Vec::new(),
            output: None,
            words: Vec::new(),
        };
        let mut language: Option<String> = None;
        let (mut is_object, mut is_text, mut is_library) = (false, false, false);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let text = word.as_str();
            if !text.starts_with('-') || text == "-" {
                let kind = kind(text, language.as_deref());
                command.parts.push(CommandPart {
                    name: text.to_owned(),
                    kind,
                });
            } else if text == "-o" || text == "--output" {
                command.output = words.next().cloned();
            } else if let Some(name) = text
                .strip_prefix("-o")
                .filter(|_| !text.starts_with("-object"))
            {
                command.output = Some(name.to_owned());
            } else if text == "-x" {
                language = words.next().cloned();
            } else if let Some(name) = text.strip_prefix("-x") {
                language = Some(name.to_owned());
            } else if text == "-c" {
                is_object = true;
            } else if OF_TEXT.contains(&text) {
                is_text = true;
            } else if OF_FILES_WITH_VALUE.contains(&text) {
                words.next();
            } else if !is_of_files(text) {
                is_library |= ["-shared", "-r", "-dynamiclib", "-bundle"].contains(&text);
                command.words.push(word.clone());
                if takes_argument(text) || WITH_VALUE.contains(&text) {
                    command.words.extend(words.next().cloned());
                }
            }
        }
        command.stage = match () {
            () if is_text || command.parts.is_empty() => Stage::Text,
            () if is_object => Stage::Object,
            () if is_library => Stage::Library,
            () => Stage::Program,
        };
        command
    }

    /// The libraries that are named by `-l`, and the folders where they are looked for.
    pub fn libraries(&self) -> (Vec<&str>, Vec<&str>) {
        let values = |option: &str| {
            let mut found = Vec::new();
            let mut words = self.words.iter();
            while let Some(word) = words.next() {
                match word.strip_prefix(option) {
                    Some("") => found.extend(words.next().map(String::as_str)),
                    Some(value) => found.push(value),
                    None if takes_argument(word) => drop(words.next()),
                    None => {}
                }
            }
            found
        };
        (values("-l"), values("-L"))
    }

    /// What the preprocessor need not be told.
    pub fn words_of_text(&self) -> Vec<String> {
        let mut kept = Vec::new();
        let mut words = self.words.iter();
        while let Some(word) = words.next() {
            let is_linkers = ["-l", "-L", "-Wl,"].iter().any(|it| word.starts_with(it))
                || ["-Xlinker", "-T", "-e", "-u", "-z", "-r"].contains(&word.as_str());
            let value = (takes_argument(word) || WITH_VALUE.contains(&word.as_str()))
                .then(|| words.next())
                .flatten();
            if !is_linkers {
                kept.push(word.clone());
                kept.extend(value.cloned());
            }
        }
        kept
    }

    /// The file that an input becomes, if the command does not name it.
    pub fn output_of(&self, part: &CommandPart) -> Option<String> {
        match (self.stage, &self.output) {
            (Stage::Text, _) => None,
            (_, Some(output)) => Some(output.clone()),
            (Stage::Object, None) => {
                let stem = Path::new(&part.name).file_stem()?.to_str()?;
                Some(format!("{stem}.o"))
            }
            (Stage::Program | Stage::Library, None) => Some("a.out".to_owned()),
        }
    }
}

fn is_of_files(word: &str) -> bool {
    OF_FILES.contains(&word)
        || ["-MF", "-MT", "-MQ", "-Wp,-MD,", "-Wp,-MMD,", "-save-temps="]
            .iter()
            .any(|it| word.starts_with(it))
}

fn kind(name: &str, language: Option<&str>) -> PartKind {
    match language {
        Some("c") => return PartKind::C,
        Some("cpp-output") => return PartKind::PreprocessedC,
        Some("none") | None => {}
        Some(_) => return PartKind::Other,
    }
    let file = Path::new(name).file_name().and_then(|it| it.to_str());
    let ending = Path::new(name).extension().and_then(|it| it.to_str());
    match ending {
        Some("c") => PartKind::C,
        Some("i") => PartKind::PreprocessedC,
        Some("so" | "dylib") => PartKind::SharedLibrary,
        _ if file.is_some_and(|it| it.contains(".so.")) => PartKind::SharedLibrary,
        Some(
            "s" | "S" | "sx" | "asm" | "cpp" | "cc" | "cxx" | "c++" | "C" | "cp" | "CPP" | "ii"
            | "m" | "mm" | "M" | "f" | "for" | "F" | "f90" | "F90" | "ads" | "adb" | "d" | "go"
            | "rs",
        ) => PartKind::Other,
        _ => PartKind::Object,
    }
}

/// Tools that stand before a compiler and run it.
const WRAPPERS: [&str; 6] = [
    "ccache",
    "sccache",
    "distcc",
    "icecc",
    "colorgcc",
    "buildcache",
];

/// A command split into the compiler, with what has to stand before its other words, and these. A wrapper is left out, and so
/// is `raddle cc`, which stands for the usual compiler: there are no words then.
pub fn without_wrappers(command: &[String]) -> (Vec<String>, &[String]) {
    let name = |word: &String| {
        let file = Path::new(word).file_name();
        file.map_or_else(String::new, |it| it.to_string_lossy().into_owned())
    };
    let mut rest = command;
    while let [first, second, ..] = rest
        && WRAPPERS.contains(&name(first).as_str())
        && !second.starts_with('-')
    {
        rest = &rest[1..];
    }
    match rest {
        [] => (Vec::new(), rest),
        [first, second, ..] if name(first) == "raddle" && second == "cc" => {
            (Vec::new(), &rest[2..])
        }
        [first, ..] if name(first) == "raddle-cc" => (Vec::new(), &rest[1..]),
        [first, ..] => (vec![first.clone()], &rest[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn command(text: &str) -> CompilerCommand {
        CompilerCommand::new(&words(text))
    }

    #[test]
    fn inputs_outputs_and_other_words_are_told_apart() {
        let it =
            command("-DX -I inc -c -o out/a.o src/a.c -MD -MF a.d -MT a.o -Wp,-MMD,x -std=c11");
        assert_eq!(it.stage, Stage::Object);
        assert_eq!(it.output.as_deref(), Some("out/a.o"));
        assert_eq!(it.words, words("-DX -I inc -std=c11"));
        assert_eq!(
            it.parts,
            [CommandPart {
                name: "src/a.c".to_owned(),
                kind: PartKind::C
            }]
        );
    }

    #[test]
    fn the_stage_is_the_last_that_is_reached() {
        for (text, stage) in [
            ("a.c", Stage::Program),
            ("a.o -o a", Stage::Program),
            ("-c a.c", Stage::Object),
            ("-shared a.o -o a.so", Stage::Library),
            ("-r a.o b.o -o c.o", Stage::Library),
            ("-E a.c", Stage::Text),
            ("-S a.c", Stage::Text),
            ("-c -E a.c", Stage::Text),
            ("--version", Stage::Text),
            ("-MM a.c", Stage::Text),
        ] {
            assert_eq!(command(text).stage, stage, "{text}");
        }
    }

    #[test]
    fn names_and_languages_tell_what_inputs_are() {
        let it = command("a.c b.S c.o d.a e.so f.so.1 -x c g.h -x none h.cpp -xassembler i.x -");
        let kinds: Vec<PartKind> = it.parts.iter().map(|it| it.kind).collect();
        assert_eq!(
            kinds,
            [
                PartKind::C,
                PartKind::Other,
                PartKind::Object,
                PartKind::Object,
                PartKind::SharedLibrary,
                PartKind::SharedLibrary,
                PartKind::C,
                PartKind::Other,
                PartKind::Other,
                PartKind::Other,
            ]
        );
    }

    #[test]
    fn what_the_linker_is_told_is_kept_apart_from_the_text() {
        let it = command("-DX -L lib -lm -l pthread -Wl,--wrap=f -include a.h a.c -funsigned-char");
        assert_eq!(it.libraries(), (vec!["m", "pthread"], vec!["lib"]));
        assert_eq!(
            it.words_of_text(),
            words("-DX -include a.h -funsigned-char")
        );
    }

    #[test]
    fn wrappers_are_no_compilers() {
        for (text, compiler, rest) in [
            ("gcc -c a.c", "gcc", "-c a.c"),
            ("ccache /usr/bin/gcc -c a.c", "/usr/bin/gcc", "-c a.c"),
            ("/opt/bin/raddle cc -c a.c", "", "-c a.c"),
            ("raddle-cc -c a.c", "", "-c a.c"),
            ("", "", ""),
        ] {
            let all = words(text);
            let (found, left) = without_wrappers(&all);
            assert_eq!(
                (found, left),
                (words(compiler), words(rest).as_slice()),
                "{text}"
            );
        }
    }
}
