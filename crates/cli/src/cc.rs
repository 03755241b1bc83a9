//! `raddle cc`: stands in for the compiler of a build.
//!
//! The real compiler does what it is told, so that the build is the same as without. Beside, each unit in C is preprocessed as
//! Raddle reads it, and kept in a section of its object file; linkers put the sections together, so that a program has exactly the
//! units that were linked, and what `ar` and `ld -r` do needs no care. When a program is linked, its units are written to
//! `PROGRAM.raddle`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use clap::Args;
use raddle_driver::{HEADER, HeaderFolder, LINKED, Recorded, record};
use raddle_project::{
    CommandPart, CompilerCommand, Foreign, PartKind, SECTION, Stage, Unit, lacks_section,
    read_records, section, without_wrappers, write_link, write_unit,
};

use crate::output;

/// The variable that names the real compiler.
const COMPILER: &str = "RADDLE_CC";

#[derive(Args, Clone, Debug)]
#[command(
    disable_help_flag = true,
    after_help = "\
Everything that compilers understand is understood, and the compiler runs just as it is told:
it is `cc`, or what the environment variable RADDLE_CC names, as in RADDLE_CC=clang. When a program
is linked, what was compiled for it is written to PROGRAM.raddle.

A part that is not in C, or was compiled otherwise, is named when PROGRAM.raddle is checked.
`objcopy` has to be there, which comes with the compiler's binutils. `raddle-cc` as another name
of raddle does the same, where a build wants a compiler of one word.

Exit status:
    that of the compiler
    1  what was compiled cannot be kept

Examples:
  make CC=\"raddle cc\" && raddle check ./server.raddle
  ./configure CC=\"raddle cc\" && make && raddle check tests/pool.raddle
  CC=\"raddle cc\" cmake -B build . && cmake --build build && raddle check build/pool.raddle
  CC=\"raddle cc\" meson setup build && ninja -C build && raddle test build/tests.raddle"
)]
pub(crate) struct CcArguments {
    /// What the compiler is told
    #[arg(
        value_name = "COMPILER OPTIONS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<String>,
}

/// `raddle-cc` is `raddle cc`.
pub(crate) fn as_command(mut words: Vec<OsString>) -> Vec<OsString> {
    let name = words.first().and_then(|it| Path::new(it).file_name());
    if name.is_some_and(|it| it == "raddle-cc") {
        words.insert(1, "cc".into());
    }
    words
}

/// The words for the compiler, if it is to run; who asks what this is gets an answer of ours.
pub(crate) fn own_words(words: &[OsString]) -> Option<&[OsString]> {
    match words {
        [_, command, own @ ..] if command == "cc" => match own {
            [] => None,
            [one] if one == "--help" || one == "-h" => None,
            _ => Some(own),
        },
        _ => None,
    }
}

/// Why what was compiled cannot be kept.
struct Unkept(String);

/// Runs the compiler, and keeps what it compiled; the exit code.
pub(crate) fn compile(words: &[OsString]) -> u8 {
    let compiler = compiler();
    let text: Option<Vec<String>> = words
        .iter()
        .map(|it| it.to_str().map(str::to_owned))
        .collect();
    let command = text.map(|it| CompilerCommand::new(&it));
    let Some(command) = command.filter(|it| it.stage != Stage::Text) else {
        return run(&compiler, words, &[]);
    };
    let taken = match Taken::new(&command, &compiler) {
        Ok(taken) => taken,
        Err(unkept) => return complain(&unkept),
    };
    let mut added = Vec::new();
    if let Some(header) = &taken.header {
        added.extend(["-idirafter".into(), header.path().as_os_str().to_owned()]);
    }
    if command.words.iter().any(|it| it.starts_with("-flto")) {
        // Its linker drops sections that it does not know.
        added.push("-fno-lto".into());
    }
    let code = run(&compiler, words, &added);
    if code != 0 {
        return code;
    }
    match keep(&command, taken) {
        Ok(()) => 0,
        Err(unkept) => complain(&unkept),
    }
}

fn complain(unkept: &Unkept) -> u8 {
    output::to_stderr(&format!("raddle cc: error: {}\n", unkept.0));
    1
}

/// The real one.
fn compiler() -> Vec<String> {
    let named = std::env::var(COMPILER).unwrap_or_default();
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    // Who names ourselves would wait for ever.
    let (own, _) = without_wrappers(&words);
    if own.is_empty() {
        vec!["cc".to_owned()]
    } else {
        words
    }
}

fn run(compiler: &[String], words: &[OsString], added: &[OsString]) -> u8 {
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).args(words).args(added);
    match command.status() {
        Ok(status) => code_of(status),
        Err(error) => {
            let name = &compiler[0];
            output::to_stderr(&format!(
                "raddle cc: error: cannot run `{name}`: {error}\n  = help: install a C compiler, or name yours, as in {COMPILER}=clang\n"
            ));
            1
        }
    }
}

fn code_of(status: ExitStatus) -> u8 {
    status
        .code()
        .and_then(|it| u8::try_from(it).ok())
        .unwrap_or(1)
}

/// What the inputs of a command are, before the compiler has run.
struct Taken {
    /// Of each source in C, in their order.
    units: Vec<(CommandPart, Unit)>,
    foreign: Vec<Foreign>,
    /// Where the compiler finds the header of tests.
    header: Option<Header>,
}

/// The folder of the header of tests.
enum Header {
    /// It is there for good: what depends on the header can be made again.
    Kept(PathBuf),
    Passing(HeaderFolder),
}

impl Header {
    /// Beside this program, as a release is unpacked; or among what may be made again; or among temporary files.
    fn new() -> std::io::Result<Self> {
        let is_there = |folder: &PathBuf| {
            fs::read(folder.join("raddle.h")).is_ok_and(|it| it == HEADER.as_bytes())
        };
        let own = std::env::current_exe().ok();
        let installed = own.and_then(|it| Some(it.parent()?.parent()?.join("include")));
        if let Some(folder) = installed.filter(is_there) {
            return Ok(Header::Kept(folder));
        }
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
        if let Some(folder) = cache.filter(|it| it.is_absolute()).or_else(home) {
            let folder = folder.join("raddle/include");
            if is_there(&folder) || write_header(&folder).is_ok() {
                return Ok(Header::Kept(folder));
            }
        }
        HeaderFolder::new().map(Header::Passing)
    }

    fn path(&self) -> &Path {
        match self {
            Header::Kept(folder) => folder,
            Header::Passing(folder) => folder.path(),
        }
    }
}

/// In one step: compilers beside this one may read it.
fn write_header(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let passing = folder.join(format!("raddle.h.{}", std::process::id()));
    fs::write(&passing, HEADER)?;
    fs::rename(passing, folder.join("raddle.h"))
}

impl Taken {
    fn new(command: &CompilerCommand, compiler: &[String]) -> Result<Self, Unkept> {
        let mut taken = Self {
            units: Vec::new(),
            foreign: Vec::new(),
            header: None,
        };
        let words = command.words_of_text();
        for part in &command.parts {
            match part.kind {
                PartKind::C | PartKind::PreprocessedC if part.name != "-" => {
                    let is_preprocessed = part.kind == PartKind::PreprocessedC;
                    match record(&part.name, is_preprocessed, &words, compiler) {
                        Recorded::Unit { unit, lacks_header } => {
                            taken.units.push((part.clone(), unit));
                            if lacks_header && taken.header.is_none() {
                                taken.header = Some(Header::new().map_err(|error| {
                                    Unkept(format!(
                                        "no room for `raddle.h` among temporary files: {error}"
                                    ))
                                })?);
                            }
                        }
                        Recorded::Refused(why) => {
                            taken.is_foreign(part, &format!("the preprocessor refuses it: {why}"));
                        }
                    }
                }
                PartKind::C | PartKind::PreprocessedC => {
                    taken.is_foreign(part, "it came from standard input");
                }
                PartKind::Other => taken.is_foreign(part, "it is not in C"),
                PartKind::Object => taken.object(&part.name),
                PartKind::SharedLibrary => {}
            }
        }
        for archive in libraries(command, "a") {
            taken.object(&archive.to_string_lossy());
        }
        Ok(taken)
    }

    /// An object or an archive that is linked: it holds its text, or is foreign. What the linker reads as a script has no code.
    fn object(&mut self, name: &str) {
        let bytes = fs::read(name).unwrap_or_default();
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        if lacks_section(&bytes, &|it| fs::read(folder.join(it)).unwrap_or_default()) {
            self.foreign.push(Foreign {
                name: name.to_owned(),
                why: "it was not compiled with `raddle cc`; `make clean` first?".to_owned(),
            });
        }
    }

    fn is_foreign(&mut self, part: &CommandPart, why: &str) {
        self.foreign.push(Foreign {
            name: part.name.clone(),
            why: why.to_owned(),
        });
    }
}

/// Writes the units into what the compiler has made.
fn keep(command: &CompilerCommand, taken: Taken) -> Result<(), Unkept> {
    match command.stage {
        Stage::Text => Ok(()),
        Stage::Object => {
            let mut foreign = taken.foreign;
            for (part, unit) in taken.units {
                let mut records = Vec::new();
                write_unit(&unit, &mut records);
                if let Some(output) = command.output_of(&part) {
                    add_section(Path::new(&output), &records)?;
                }
            }
            for part in &command.parts {
                let own: Vec<Foreign> = foreign.extract_if(.., |it| it.name == part.name).collect();
                if let Some(output) = command.output_of(part).filter(|_| !own.is_empty()) {
                    let mut records = Vec::new();
                    write_link(&own, &[], &mut records);
                    add_section(Path::new(&output), &records)?;
                }
            }
            Ok(())
        }
        Stage::Program | Stage::Library => link(command, &taken),
    }
}

/// What was linked: the units of the objects, which lie in the output, those of sources that the same command compiled, and those
/// of shared libraries.
fn link(command: &CompilerCommand, taken: &Taken) -> Result<(), Unkept> {
    let output = PathBuf::from(command.output.as_deref().unwrap_or("a.out"));
    if !output.is_file() {
        // As in: -o /dev/null.
        return Ok(());
    }
    let mut added = Vec::new();
    for (_, unit) in &taken.units {
        write_unit(unit, &mut added);
    }
    write_link(&taken.foreign, &words_of_linker(command), &mut added);
    for library in shared_libraries(command) {
        let bytes = fs::read(&library).unwrap_or_default();
        added.extend(section(&bytes).unwrap_or_default());
    }
    let linked = fs::read(&output).map_err(|error| unread(&output, &error))?;
    let mut records = section(&linked).unwrap_or_default();
    records.extend(added);
    read_records(&records).map_err(|error| Unkept(format!("`{}`: {error}", output.display())))?;
    if command.stage == Stage::Library {
        return add_section(&output, &records);
    }
    let mut name = output.into_os_string();
    name.push(LINKED);
    let kept = PathBuf::from(name);
    fs::write(&kept, records)
        .map_err(|error| Unkept(format!("cannot write `{}`: {error}", kept.display())))
}

/// What it is told that may change what the program does.
fn words_of_linker(command: &CompilerCommand) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = command.words.iter();
    while let Some(word) = words.next() {
        if word.starts_with("-Wl,") {
            kept.push(word.clone());
        } else if word == "-Xlinker" {
            kept.push(word.clone());
            kept.extend(words.next().cloned());
        } else if [
            "-T",
            "-e",
            "-u",
            "-nostdlib",
            "-nostartfiles",
            "-nodefaultlibs",
        ]
        .contains(&word.as_str())
        {
            kept.push(format!("-Wl,{word}"));
        }
    }
    kept
}

/// Shared libraries that are named, and those of `-l` in the folders of `-L`.
fn shared_libraries(command: &CompilerCommand) -> Vec<PathBuf> {
    let named = (command.parts.iter()).filter(|it| it.kind == PartKind::SharedLibrary);
    let named = named.map(|it| PathBuf::from(&it.name));
    named.chain(libraries(command, "so")).collect()
}

/// The files that `-l` means in the folders of `-L` and that end so: a shared library before an archive of the same folder.
fn libraries(command: &CompilerCommand, ending: &str) -> Vec<PathBuf> {
    let (libraries, folders) = command.libraries();
    let is_static = command.words.iter().any(|it| it == "-static");
    let endings: &[&str] = if is_static { &["a"] } else { &["so", "a"] };
    let mut found = Vec::new();
    for library in libraries {
        let files = folders.iter().flat_map(|folder| {
            let file = move |it: &&str| Path::new(folder).join(format!("lib{library}.{it}"));
            endings.iter().map(file)
        });
        let first = files.into_iter().find(|it| it.is_file());
        found.extend(first.filter(|it| it.extension().is_some_and(|it| it == ending)));
    }
    found
}

/// Puts records into a section of a file; those that it has are replaced.
fn add_section(file: &Path, records: &[u8]) -> Result<(), Unkept> {
    if !file.is_file() {
        return Ok(());
    }
    let bytes = fs::read(file).map_err(|error| unread(file, &error))?;
    let option = match section(&bytes) {
        None => "--add-section",
        Some(old) if old == records => return Ok(()),
        Some(_) => "--update-section",
    };
    let mut name = file.as_os_str().to_owned();
    name.push(format!(".{}.records", std::process::id()));
    let kept = PathBuf::from(name);
    fs::write(&kept, records)
        .map_err(|error| Unkept(format!("cannot write `{}`: {error}", kept.display())))?;
    let mut argument = OsString::from(format!("{SECTION}="));
    argument.push(&kept);
    let done = Command::new("objcopy")
        .arg(option)
        .arg(argument)
        .arg(file)
        .output();
    // What is left over disturbs nobody.
    let _ = fs::remove_file(&kept);
    match done {
        Ok(done) if done.status.success() => Ok(()),
        Ok(done) => {
            let complaint = String::from_utf8_lossy(&done.stderr).trim().to_owned();
            Err(Unkept(format!(
                "`objcopy` cannot keep the text of `{}`: {complaint}",
                file.display()
            )))
        }
        Err(error) => Err(Unkept(format!(
            "cannot run `objcopy`, which comes with binutils: {error}"
        ))),
    }
}

fn unread(file: &Path, error: &std::io::Error) -> Unkept {
    Unkept(format!("cannot read `{}`: {error}", file.display()))
}
