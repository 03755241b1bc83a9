//! The program: its files, its language, and how C is read.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use raddle::{
    Beginning, COptions, DataModel, DefaultSets, Language, Options, ProjectOptions, Surroundings,
};

use super::value_name;

/// The program.
#[derive(Args, Clone, Debug)]
pub(crate) struct Input {
    /// Files that make up the program together; `-` is standard input
    ///
    /// `PROGRAM.raddle` is a program that was built with `raddle cc`.
    #[arg(required_unless_present = "project", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Folder of a build with `compile_commands.json`, which says what the program is made of and how each file is compiled
    ///
    /// The program begins in the files that are named, in that of `--main`, or in the only one with a `main`; what it uses
    /// comes from the other files of the build. Files are compiled with the options that the list has for them, where the list
    /// says, by the compiler that it names or that the environment variable `CC` does.
    #[arg(short = 'p', long = "project", value_name = "BUILD")]
    pub(crate) project: Option<PathBuf>,
    /// File of the build that the program begins in, by its name or the end of its path
    #[arg(long, value_name = "FILE", requires = "project")]
    pub(crate) main: Option<String>,
    /// Part of a build or of PROGRAM.raddle that is not read: a file, or a folder of what is made of files; may be repeated
    ///
    /// Verdicts are then for the program without it, and say so.
    #[arg(long, value_name = "PART")]
    pub(crate) without: Vec<String>,
    /// Units with tests begin, if no file is named.
    #[arg(skip)]
    pub(crate) begins_at_tests: bool,
    /// Language of the files [default: by the ending of their names; needed for `-`]
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) language: Option<LanguageName>,
    /// Sizes of pointers and integers [default: what the program says, or else lp64]
    #[arg(long, value_name = "MODEL")]
    pub(crate) data_model: Option<DataModelName>,
    /// Atomic sets besides those that the program declares; decides `atomic-sets`
    ///
    /// If the program marks no unit of work, every function that takes a lock is one, on all sets.
    #[arg(long, value_name = "SETS")]
    pub(crate) atomic_sets: Option<DefaultSetsName>,
    #[command(flatten)]
    pub(crate) c: CArguments,
}

/// Where the options for C stand in the help.
const FOR_C: &str = "Options for C";

/// How C is read.
#[derive(Args, Clone, Debug, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag on the command line"
)]
pub(crate) struct CArguments {
    /// Look for headers in this folder; may be repeated
    #[arg(help_heading = FOR_C, short = 'I', value_name = "DIR")]
    pub(crate) include_folders: Vec<String>,
    /// Define a macro; may be repeated
    #[arg(help_heading = FOR_C, short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) defines: Vec<String>,
    /// Leave a macro undefined, whoever defines it; may be repeated
    #[arg(help_heading = FOR_C, short = 'U', value_name = "NAME")]
    pub(crate) undefines: Vec<String>,
    /// Read this file before the program; may be repeated
    #[arg(help_heading = FOR_C, long = "include", value_name = "FILE")]
    pub(crate) includes: Vec<String>,
    /// Standard of the language, as in `c11` or `gnu17`
    #[arg(help_heading = FOR_C, long = "std", value_name = "STANDARD")]
    pub(crate) standard: Option<String>,
    /// `malloc` and the like may return a null pointer
    #[arg(help_heading = FOR_C, long)]
    pub(crate) malloc_may_fail: bool,
    /// Functions without a definition may return anything; else reaching one makes the verdict unknown
    #[arg(help_heading = FOR_C, long)]
    pub(crate) extern_havoc: bool,
    /// What an access to a `volatile` object is: a plain one, which races, or atomic if it is of a word at most [default: plain]
    ///
    /// C gives volatile objects no order between threads. Compilers and processors access a word at once all the same, and
    /// old programs count on it; with `atomic`, verdicts hold for machines that also keep the order of such accesses.
    #[arg(help_heading = FOR_C, long, value_name = "MEANING")]
    pub(crate) volatile: Option<VolatileName>,
    /// Size of the stack of a thread; more violates `memory` [default: 8388608]
    #[arg(help_heading = FOR_C, long = "stack", value_name = "BYTES")]
    pub(crate) stack: Option<u64>,
    /// What `main` is given behind `argv[0]`, which is `program`; a word that begins with `-` as in `--args=-n` [default: none]
    ///
    /// Verdicts are then for these arguments, and say so.
    #[arg(help_heading = FOR_C, long = "args", value_name = "WORD", num_args = 1..)]
    pub(crate) arguments: Vec<String>,
    /// A variable of the environment; may be given several times [default: an empty environment]
    #[arg(help_heading = FOR_C, long = "env", value_name = "NAME=VALUE", value_parser = variable)]
    pub(crate) environment: Vec<String>,
    /// `main` is given any number of arguments; whoever looks at one, or at the environment, makes the verdict unknown
    #[arg(help_heading = FOR_C, long, conflicts_with_all = ["arguments", "environment"])]
    pub(crate) args_any: bool,
    /// Processors that `sysconf` and `get_nprocs` tell of [default: 2]
    #[arg(help_heading = FOR_C, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) cpus: Option<u32>,
    /// How often clocks may leap ahead by some days; between two leaps they stand still [default: 2]
    ///
    /// A leap may come at each look at a clock. An execution in which clocks would leap more often ends there.
    #[arg(help_heading = FOR_C, long, value_name = "N")]
    pub(crate) leaps: Option<u32>,
    /// Take nothing for granted of what the program runs in: arguments, environment, processors and clocks are anything
    #[arg(help_heading = FOR_C, long, conflicts_with_all = ["arguments", "environment", "cpus", "leaps"])]
    pub(crate) assume_nothing: bool,
    /// A new thread may run before `pthread_create` has stored its id, as POSIX allows; glibc stores it first
    #[arg(help_heading = FOR_C, long)]
    pub(crate) posix_create: bool,
    /// A wait on a condition variable ends by a signal or a time-out only
    #[arg(help_heading = FOR_C, long)]
    pub(crate) no_spurious: bool,
    /// Begin at this test, `RADDLE_TEST(NAME)` of `raddle.h`, instead of at `main`
    #[arg(help_heading = FOR_C, long, value_name = "NAME")]
    pub(crate) test: Option<String>,
    /// Other options for the C compiler, which is `cc` or what the environment variable `CC` names
    #[arg(last = true, value_name = "COMPILER OPTIONS")]
    pub(crate) rest: Vec<String>,
}

impl CArguments {
    fn options(&self) -> COptions {
        COptions {
            compiler: compiler(),
            include_folders: self.include_folders.clone(),
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            includes: self.includes.clone(),
            standard: self.standard.clone(),
            rest: self.rest.clone(),
            malloc_may_fail: self.malloc_may_fail,
            extern_havoc: self.extern_havoc,
            stack_bytes: self.stack,
            volatile_is_atomic: self.volatile == Some(VolatileName::Atomic),
            surroundings: self.surroundings(),
            stores_ids_late: self.posix_create,
            has_no_spurious_wakeups: self.no_spurious,
            beginning: self.test.clone().map_or(Beginning::Main, Beginning::Test),
            project: None,
            without: Vec::new(),
        }
    }

    fn surroundings(&self) -> Surroundings {
        if self.assume_nothing {
            return Surroundings::ANYTHING;
        }
        let usual = Surroundings::default();
        Surroundings {
            arguments: (!self.args_any).then(|| self.arguments.clone()),
            environment: self.environment.clone(),
            processors: self.cpus.or(usual.processors),
            leaps: self.leaps.or(usual.leaps),
        }
    }

    /// The arguments that say the same, without the rest.
    fn words(&self) -> Vec<OsString> {
        let mut words: Vec<String> = Vec::new();
        let mut flags = |name: &str, values: &[String]| {
            for value in values {
                words.extend([name.to_owned(), value.clone()]);
            }
        };
        flags("-I", &self.include_folders);
        flags("-D", &self.defines);
        flags("-U", &self.undefines);
        flags("--include", &self.includes);
        flags("--std", self.standard.as_slice());
        if self.malloc_may_fail {
            words.push("--malloc-may-fail".to_owned());
        }
        if self.extern_havoc {
            words.push("--extern-havoc".to_owned());
        }
        if let Some(meaning) = &self.volatile {
            words.extend(["--volatile".to_owned(), value_name(meaning)]);
        }
        if let Some(test) = &self.test {
            words.extend(["--test".to_owned(), test.clone()]);
        }
        if let Some(bytes) = self.stack {
            words.extend(["--stack".to_owned(), bytes.to_string()]);
        }
        words.extend(self.arguments.iter().map(|it| format!("--args={it}")));
        words.extend(self.environment.iter().map(|it| format!("--env={it}")));
        for (name, number) in [("--cpus", self.cpus), ("--leaps", self.leaps)] {
            if let Some(number) = number {
                words.extend([name.to_owned(), number.to_string()]);
            }
        }
        for (name, is_set) in [
            ("--args-any", self.args_any),
            ("--assume-nothing", self.assume_nothing),
            ("--posix-create", self.posix_create),
            ("--no-spurious", self.no_spurious),
        ] {
            if is_set {
                words.push(name.to_owned());
            }
        }
        words.into_iter().map(OsString::from).collect()
    }
}

/// Makes sure that a variable of the environment has a name.
fn variable(text: &str) -> Result<String, String> {
    match text.split_once('=') {
        Some((name, _)) if !name.is_empty() => Ok(text.to_owned()),
        _ => Err("a variable is given as `NAME=VALUE`".to_owned()),
    }
}

/// What the user wants C to be preprocessed by; nothing if the default will do.
pub(crate) fn compiler() -> Vec<String> {
    std::env::var("CC")
        .map(|words| words.split_whitespace().map(str::to_owned).collect())
        .unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    /// Raddle's modelling language
    Rad,
    /// C
    C,
    /// C after the preprocessor
    I,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VolatileName {
    /// As any other, so that it may race
    Plain,
    /// Sequentially consistent, if it is of a word at most
    Atomic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DataModelName {
    /// Pointers of 32 bits
    Ilp32,
    /// Pointers of 64 bits
    Lp64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DefaultSetsName {
    /// The data of each global object of struct type
    Structs,
    /// Each global variable by itself, an array as a whole
    Cells,
    /// All data of all global variables together
    All,
}

impl DefaultSetsName {
    pub(crate) fn default_sets(self) -> DefaultSets {
        match self {
            DefaultSetsName::Structs => DefaultSets::Structs,
            DefaultSetsName::Cells => DefaultSets::Cells,
            DefaultSetsName::All => DefaultSets::All,
        }
    }
}

impl LanguageName {
    pub(crate) fn language(self) -> Language {
        match self {
            LanguageName::Rad => Language::Rad,
            LanguageName::C => Language::C,
            LanguageName::I => Language::PreprocessedC,
        }
    }
}

impl DataModelName {
    pub(crate) fn data_model(self) -> DataModel {
        match self {
            DataModelName::Ilp32 => DataModel::Ilp32,
            DataModelName::Lp64 => DataModel::Lp64,
        }
    }
}

impl Input {
    /// What the reader needs of the options.
    pub(crate) fn options(&self) -> Options {
        Options {
            data_model: self.data_model.map(DataModelName::data_model),
            atomic_sets: self.atomic_sets.map(DefaultSetsName::default_sets),
            language: self.language.map(LanguageName::language),
            c: COptions {
                project: self.project.clone().map(|path| ProjectOptions {
                    path,
                    main: self.main.clone(),
                    begins_at_tests: self.begins_at_tests,
                }),
                without: self.without.clone(),
                ..self.c.options()
            },
            ..Options::default()
        }
    }

    /// Whether some file has to be preprocessed.
    pub(crate) fn reads_c(&self) -> bool {
        match self.language {
            _ if self.project.is_some() => true,
            Some(language) => language == LanguageName::C,
            None => self
                .files
                .iter()
                .any(|it| Language::of_file(&it.to_string_lossy()) == Some(Language::C)),
        }
    }

    /// The arguments that name the same program; they come last, because nothing may stand behind `--`.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        if let Some(model) = &self.data_model {
            words.extend(["--data-model".into(), value_name(model).into()]);
        }
        if let Some(sets) = &self.atomic_sets {
            words.extend(["--atomic-sets".into(), value_name(sets).into()]);
        }
        if let Some(language) = &self.language {
            words.extend(["--language".into(), value_name(language).into()]);
        }
        if let Some(folder) = &self.project {
            words.extend(["-p".into(), plain_path(folder)]);
        }
        if let Some(main) = &self.main {
            words.push(format!("--main={main}").into());
        }
        words.extend(
            self.without
                .iter()
                .map(|it| format!("--without={it}").into()),
        );
        words.extend(self.c.words());
        words.extend(self.files.iter().map(|file| plain_path(file)));
        if !self.c.rest.is_empty() {
            words.push("--".into());
            words.extend(self.c.rest.iter().map(OsString::from));
        }
        words
    }
}

/// A path that is not taken for an option; `-` alone is standard input.
pub(crate) fn plain_path(path: &Path) -> OsString {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") && path.as_os_str() != "-" {
        Path::new(".").join(path).into()
    } else {
        path.into()
    }
}
