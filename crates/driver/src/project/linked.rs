//! A program that `raddle cc` has put together: units after the preprocessor, as they were linked.

use raddle_diag::Diagnostic;
use raddle_engine::{Note, Remedy};
use raddle_ir::DataModel;
use raddle_project::{Unit, read_records, rebased, shown_from};

use super::{are_all_known, is_left_out};
use crate::Options;
use crate::header::add_header_of;
use crate::load::{DEFAULT_MODEL, without_zeros};
use crate::options::COptions;
use crate::preprocess::{Failure, here, judge_words};
use crate::sources::{Sources, add_originals};

/// How the name of a linked program ends.
pub const LINKED: &str = ".raddle";

/// Reads the units that were linked.
pub(crate) fn read_linked(
    name: &str,
    bytes: &[u8],
    options: &Options,
    sources: &mut Sources,
) -> Result<(), Failure> {
    takes_no_options(name, &options.c)?;
    let linked = read_records(bytes).map_err(|error| {
        Diagnostic::error("input", format!("`{name}` is no linked program: {error}"))
            .help("build it again with this version, as in `make clean all CC=\"raddle cc\"`")
    })?;
    let here = here();
    let units: Vec<(String, Unit)> = (linked.units.into_iter())
        .map(|it| (shown_from(&here, it.folder.as_ref(), &it.file), it))
        .collect();
    let without = &options.c.without;
    let of_units = units.iter().map(|(name, _)| vec![name.as_str()]);
    let of_others = linked.foreign.iter().map(|it| vec![it.name.as_str()]);
    are_all_known(without, &of_units.chain(of_others).collect::<Vec<_>>())?;
    let mut problems: Vec<Note> = (linked.foreign.iter())
        .filter(|it| !is_left_out(without, &[&it.name]))
        .map(|it| {
            let message = format!("a part of `{name}` is not there to be read: `{}`", it.name);
            Note::new(
                Diagnostic::error("project", message).note(it.why.clone()),
                Remedy::LeaveOut(it.name.clone()),
            )
        })
        .collect();
    let model = options.data_model.unwrap_or(DEFAULT_MODEL);
    problems.extend(refused(judge_words(&linked.words, model, None)));
    warn_of_changes(name, &units, sources);
    for (name, unit) in units {
        if is_left_out(without, &[&name]) {
            continue;
        }
        let judged = judge_words(&unit.words, model, Some(&name));
        problems.extend(refused(judged.and(has_model(&name, &unit, model))));
        add(name, &unit, sources)?;
    }
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Failure::Wrong(problems))
    }
}

/// What is newer than the linked program: it may be another one by now.
fn warn_of_changes(linked: &str, units: &[(String, Unit)], sources: &mut Sources) {
    let time = |name: &str| std::fs::metadata(name).and_then(|it| it.modified()).ok();
    let Some(built) = time(linked) else { return };
    let program = linked.strip_suffix(LINKED).unwrap_or(linked);
    let files = [program]
        .into_iter()
        .chain(units.iter().map(|(name, _)| name.as_str()));
    let changed: Vec<&str> = files
        .filter(|it| time(it).is_some_and(|it| it > built))
        .collect();
    if let Some(first) = changed.first() {
        let message = format!("`{first}` has changed since `{linked}` was linked");
        sources.warnings.push(
            Diagnostic::warning("project", message)
                .note("the verdicts are for the program as it was then")
                .help("build it again, with `raddle cc`"),
        );
    }
}

fn refused(judged: Result<(), Failure>) -> Vec<Note> {
    match judged {
        Ok(()) | Err(Failure::Stopped(_)) => Vec::new(),
        Err(Failure::Wrong(notes)) => notes,
    }
}

/// What is said to the preprocessor comes too late.
fn takes_no_options(name: &str, options: &COptions) -> Result<(), Diagnostic> {
    match options.words().first() {
        None if options.rest.is_empty() => Ok(()),
        first => {
            let word = first.or(options.rest.first()).map_or("", String::as_str);
            let message =
                format!("`{word}` changes nothing of `{name}`, which was compiled before");
            Err(Diagnostic::error("usage", message)
                .help("give the option to the build, and build again"))
        }
    }
}

/// That the compiler was not asked for pointers of 32 bits is said here; that it was, by who judges options.
fn has_model(name: &str, unit: &Unit, model: DataModel) -> Result<(), Failure> {
    let last = unit.words.iter().rfind(|it| *it == "-m32" || *it == "-m64");
    if model == DataModel::Lp64 || last.is_some_and(|it| it == "-m32") {
        return Ok(());
    }
    let message = format!("`{name}` was compiled for pointers of 64 bits");
    let diagnostic = Diagnostic::error("project", message);
    Err(Failure::Wrong(vec![Note::new(
        diagnostic,
        Remedy::UseDataModel(DataModel::Lp64),
    )]))
}

fn add(name: String, unit: &Unit, sources: &mut Sources) -> Result<(), Diagnostic> {
    let here = here();
    let text = rebased(&unit.text, &|it| {
        shown_from(&here, unit.folder.as_ref(), it)
    });
    let text = without_zeros(&name, text)?;
    let file = sources.map.add_preprocessed(name, text);
    add_header_of(file, &mut sources.map);
    add_originals(file, &mut sources.map);
    Ok(())
}
