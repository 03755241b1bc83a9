//! The units of a program that a list of commands names, and which of them make it up.

use std::path::{Path, PathBuf};

use raddle_base::{Budget, SourceMap};
use raddle_diag::Diagnostic;
use raddle_engine::{Note, Remedy};
use raddle_front_c::{Beginning, on_large_stack};
use raddle_project::{
    Ambiguous, Candidate, Closure, DATABASE, Entry, Symbols, closure, is_named, read_database,
    shown_from, symbols,
};

use super::{are_all_known, is_left_out};
use crate::Options;
use crate::header::add_header_of;
use crate::load::{DEFAULT_MODEL, decode, read_file, without_zeros};
use crate::options::{COptions, ProjectOptions};
use crate::preprocess::{Failure, Unprocessed, here, judge, text_of};
use crate::sources::{Input, Sources, add_originals};

/// A unit that may belong to the program.
struct Unit {
    /// As reports call it.
    name: String,
    folder: PathBuf,
    /// Seen from the folder.
    file: PathBuf,
    output: Option<String>,
    compiler: Vec<String>,
    words: Vec<String>,
    /// The user names it.
    is_named: bool,
}

impl Unit {
    fn new(entry: Entry, here: &Path) -> Self {
        Self {
            name: shown_from(here, &here.join(&entry.folder), &entry.file),
            folder: entry.folder,
            file: entry.file.into(),
            output: entry.output,
            compiler: entry.compiler,
            words: entry.words,
            is_named: false,
        }
    }

    fn parts(&self) -> Vec<&str> {
        let output = self.output.as_deref();
        [self.name.as_str()].into_iter().chain(output).collect()
    }

    /// What it is called where there may be another one of the same file.
    fn told(&self) -> String {
        match &self.output {
            Some(output) => format!("`{}`, which becomes `{output}`", self.name),
            None => format!("`{}`", self.name),
        }
    }
}

/// A unit after the preprocessor.
struct Ready {
    unit: Unit,
    text: Vec<u8>,
    warnings: Vec<Diagnostic>,
    symbols: Symbols,
    /// What is wrong with its options, if it belongs to the program.
    judged: Result<(), Failure>,
}

/// Reads the program that begins in the inputs, in the unit that is called the main one, or in the only one that has a `main`.
pub(crate) fn read_project(
    project: &ProjectOptions,
    inputs: &[Input],
    options: &Options,
    budget: &Budget,
    sources: &mut Sources,
) -> Result<(), Failure> {
    let mut units = listed(project, sources)?;
    let without = &options.c.without;
    let parts: Vec<Vec<&str>> = units.iter().map(Unit::parts).collect();
    are_all_known(without, &parts)?;
    units.retain(|it| !is_left_out(without, &it.parts()));
    name_roots(&mut units, project, inputs)?;
    let ready = all_ready(units, options, budget, sources)?;
    let is_root = roots(&ready, &options.c.beginning, project)?;
    let candidates: Vec<Candidate<'_>> = (ready.iter().zip(&is_root))
        .map(|(it, &is_root)| Candidate {
            symbols: &it.symbols,
            is_root,
        })
        .collect();
    let closure = closure(&candidates).map_err(|it| ambiguous(&it, &ready))?;
    take(closure, ready, sources)
}

/// All units of the list.
fn listed(project: &ProjectOptions, sources: &mut Sources) -> Result<Vec<Unit>, Failure> {
    let path = if project.path.is_dir() {
        project.path.join(DATABASE)
    } else {
        project.path.clone()
    };
    let name = path.display().to_string();
    let bytes = read_file(&path).map_err(|mut diagnostic| {
        diagnostic.helps = vec![
            format!("`{DATABASE}` is written by `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, by meson, and by `bear -- make`"),
            "or build with `make CC=\"raddle cc\"`, and check `PROGRAM.raddle`".to_owned(),
        ];
        diagnostic
    })?;
    let text = decode(&name, bytes)?;
    let folder = here().join(path.parent().unwrap_or(Path::new("")));
    let (entries, others) = read_database(&text, &folder).map_err(|error| {
        let message = format!("`{name}` is no list of commands: {error}");
        Diagnostic::error("input", message).help("let the build write it again")
    })?;
    if entries.is_empty() {
        return Err(
            Diagnostic::error("input", format!("`{name}` has no unit in C"))
                .help("name the folder of a build that compiles C")
                .into(),
        );
    }
    if !others.is_empty() {
        let told = others.iter().take(3).map(|it| format!("`{it}`"));
        let message = format!(
            "{} of the build are not in C, and are not read",
            if others.len() == 1 {
                "1 unit".to_owned()
            } else {
                format!("{} units", others.len())
            }
        );
        let names = told.collect::<Vec<_>>().join(", ");
        sources
            .warnings
            .push(Diagnostic::warning("project", message).note(format!("such as {names}")));
    }
    let here = here();
    Ok(entries.into_iter().map(|it| Unit::new(it, &here)).collect())
}

/// Marks the units that the user names; those that the list does not have are added, with no options of their own.
fn name_roots(
    units: &mut Vec<Unit>,
    project: &ProjectOptions,
    inputs: &[Input],
) -> Result<(), Failure> {
    if let Some(main) = &project.main {
        let mut found = false;
        for unit in units.iter_mut().filter(|it| is_named(&it.name, main)) {
            unit.is_named = true;
            found = true;
        }
        if !found {
            let message = format!("no unit of the build is called `{main}`");
            return Err(Diagnostic::error("usage", message)
                .help("name a file of the build")
                .into());
        }
    }
    for input in inputs {
        let Input::File(path) = input else {
            return Err(
                Diagnostic::error("usage", "standard input is no unit of a build")
                    .help("write it to a file, and name that")
                    .into(),
            );
        };
        let place = |path: &Path| std::fs::canonicalize(path).ok();
        let own = place(path);
        let mut found = false;
        for unit in units.iter_mut() {
            if own.is_some() && place(&unit.folder.join(&unit.file)) == own {
                unit.is_named = true;
                found = true;
            }
        }
        if !found {
            // To be told of now, and not by a compiler.
            read_file(path)?;
            units.push(Unit {
                name: path.display().to_string(),
                folder: here(),
                file: path.clone(),
                output: None,
                compiler: Vec::new(),
                words: Vec::new(),
                is_named: true,
            });
        }
    }
    Ok(())
}

/// All units after the preprocessor, each text of a file once. Those that it refuses are left out, unless the user names them.
fn all_ready(
    units: Vec<Unit>,
    options: &Options,
    budget: &Budget,
    sources: &mut Sources,
) -> Result<Vec<Ready>, Failure> {
    let mut ready: Vec<Ready> = Vec::new();
    for unit in units {
        let model = options.data_model.unwrap_or(DEFAULT_MODEL);
        let options = of_unit(&options.c, &unit);
        let input = Unprocessed::FileIn(&unit.folder, &unit.file);
        let mut map = SourceMap::new();
        let target = if unit.is_named {
            &mut sources.map
        } else {
            &mut map
        };
        let done = text_of(input, &unit.name, model, &options, budget, target);
        let (text, warnings) = match done {
            Ok(text) => (without_zeros(&unit.name, text.bytes)?, text.warnings),
            Err(Failure::Wrong(notes)) if !unit.is_named => {
                sources.warnings.push(unread(&unit, &notes));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let judged = judge(&options, model, &unit.name);
        let is_same = |it: &&mut Ready| {
            it.unit.name == unit.name && it.text == text && it.judged.is_ok() == judged.is_ok()
        };
        if let Some(same) = ready.iter_mut().find(is_same) {
            same.unit.is_named |= unit.is_named;
            continue;
        }
        let symbols = on_large_stack(|| symbols(&text));
        ready.push(Ready {
            unit,
            text,
            warnings,
            symbols,
            judged,
        });
    }
    Ok(ready)
}

/// The options of one unit, with those of the user behind them.
fn of_unit(common: &COptions, unit: &Unit) -> COptions {
    let mut options = common.clone();
    let here = here();
    let from_here = |path: &str| here.join(path).display().to_string();
    for path in options
        .include_folders
        .iter_mut()
        .chain(&mut options.includes)
    {
        *path = from_here(path);
    }
    if options.compiler.is_empty() {
        options.compiler.clone_from(&unit.compiler);
    }
    let of_paths = ["-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
    let mut is_path = false;
    options.rest.clone_from(&unit.words);
    for word in &common.rest {
        options.rest.push(if is_path {
            from_here(word)
        } else {
            word.clone()
        });
        is_path = of_paths.contains(&word.as_str());
    }
    options
}

fn unread(unit: &Unit, notes: &[Note]) -> Diagnostic {
    let why = notes
        .first()
        .map_or("", |it| it.diagnostic.message.as_str());
    let message = format!(
        "`{}` cannot be read, and is left out of the program",
        unit.name
    );
    Diagnostic::warning("project", message).note(why)
}

/// Where the program begins.
fn roots(
    units: &[Ready],
    beginning: &Beginning,
    project: &ProjectOptions,
) -> Result<Vec<bool>, Failure> {
    if units.iter().any(|it| it.unit.is_named) {
        return Ok(units.iter().map(|it| it.unit.is_named).collect());
    }
    if project.begins_at_tests || *beginning != Beginning::Main {
        return Ok(units.iter().map(|it| it.symbols.has_tests()).collect());
    }
    let mains: Vec<&Ready> = units.iter().filter(|it| it.symbols.has_main()).collect();
    match mains.as_slice() {
        [_] => Ok(units.iter().map(|it| it.symbols.has_main()).collect()),
        [] => Err(
            Diagnostic::error("project", "no unit of the build has a `main`")
                .help("name a file that begins the program, as in `raddle check -p build driver.c`")
                .help("or write tests with `raddle.h`, which `raddle test` decides one by one")
                .into(),
        ),
        several => {
            let names = several.iter().map(|it| it.unit.name.clone()).collect();
            let message = format!("the build makes {} programs", several.len());
            let note = Note::new(
                Diagnostic::error("project", message),
                Remedy::ChooseMain(names),
            );
            Err(Failure::Wrong(vec![note]))
        }
    }
}

fn ambiguous(found: &Ambiguous, units: &[Ready]) -> Failure {
    let units: Vec<&Unit> = found.units.iter().map(|it| &units[*it].unit).collect();
    let message = format!(
        "the program uses `{}`, which several units define",
        found.name
    );
    let mut diagnostic = Diagnostic::error("project", message);
    for unit in &units {
        diagnostic = diagnostic.note(unit.told());
    }
    let part = units.last().map_or_else(String::new, |it| {
        let output = it.output.clone();
        output.unwrap_or_else(|| it.name.clone())
    });
    Failure::Wrong(vec![Note::new(diagnostic, Remedy::LeaveOut(part))])
}

fn take(closure: Closure, ready: Vec<Ready>, sources: &mut Sources) -> Result<(), Failure> {
    for index in &closure.idle_constructors {
        let name = &ready[*index].unit.name;
        let message = format!(
            "`{name}` is left out, because the program uses nothing of it, but it runs something by itself"
        );
        sources.warnings.push(
            Diagnostic::warning("project", message)
                .note("it has a constructor or a destructor")
                .help("if the program is linked with it, name it as a file of the program"),
        );
    }
    let mut taken = closure.units.into_iter().peekable();
    for (index, it) in ready.into_iter().enumerate() {
        if taken.next_if_eq(&index).is_none() {
            continue;
        }
        it.judged?;
        sources.warnings.extend(it.warnings);
        let file = sources.map.add_preprocessed(it.unit.name, it.text);
        add_header_of(file, &mut sources.map);
        add_originals(file, &mut sources.map);
    }
    Ok(())
}
