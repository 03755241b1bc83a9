//! `raddle movers`: how the steps of a program move and why, what protects its variables, where transactions begin,
//! commit and end.
//!
//! - `data`: the report; `names`: what locks and variables are called; `why`: the reason for each step;
//! - `variables`: what keeps the accesses to each variable apart; `pairs`: between which accesses a token has to go;
//! - `listing`: the report as people read it.
//!
//! Prints nothing.
#![warn(clippy::wildcard_enum_match_arm)]

mod data;
mod listing;
mod names;
mod pairs;
mod variables;
mod why;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use raddle_base::{Budget, SourceMap, Span};
use raddle_diag::PlaceData;
use raddle_driver::{Options, Sources, load};
use raddle_engine::{Events, Facts, Note, Reason, Reduction, Remedy, Task};
use raddle_engine_explicit::ExplicitEngine;
use raddle_engine_explicit::survey::{Class, Conduct, Mark, Survey};
use raddle_ir::interpret::Property;
use raddle_ir::{Function, FunctionId, Program};

pub use data::{
    FunctionData, Line, MOVERS_VERSION, MoversData, StepClass, VariableData, VariableStatus,
};
use data::{IncompleteData, StepData};
pub use listing::listing;
use names::Names;
pub use pairs::{
    ConflictData, MatData, PAIRS_VERSION, PairsData, PassData, TokenPairs, token_pairs,
};

/// The report, with the sources that it speaks of.
#[derive(Clone, Debug)]
pub struct Movers {
    pub data: MoversData,
    pub sources: SourceMap,
    pub warnings: Vec<Note>,
}

/// How the caller says what to try next.
pub type Help<'a> = &'a dyn Fn(&Remedy) -> String;

/// What is wrong with the input, and where it lies.
pub type WrongInput = (Vec<Note>, SourceMap);

/// Explores the program with a reduction and says what that shows of its steps.
///
/// # Errors
///
/// If the program cannot be read.
pub fn movers(
    sources: impl Into<Sources>,
    options: &Options,
    reduction: Reduction,
    budget: &Budget,
    events: &mut dyn Events,
    help: Help<'_>,
) -> Result<Movers, WrongInput> {
    let Sources {
        map: sources,
        warnings,
    } = sources.into();
    let mut warnings: Vec<Note> = warnings.into_iter().map(Note::from).collect();
    let loaded = match load(&sources, options) {
        Ok(loaded) => loaded,
        Err(diagnostics) => return Err((diagnostics, sources)),
    };
    warnings.extend(loaded.warnings.iter().cloned());
    let program = &loaded.program;
    // What invariants look at does not move while they are checked, if that can be known.
    let mut properties = vec![Property::Assert];
    let is_watched = reduction.keeps(Property::Invariant, &Facts::of(program));
    if is_watched && !program.invariants.is_empty() {
        properties.push(Property::Invariant);
    }
    let task = Task {
        program,
        semantics: loaded.semantics(options, properties),
        seed: options.seed,
        jobs: options.jobs.map_or(1, NonZeroUsize::get),
    };
    let survey = ExplicitEngine::new(reduction).survey(&task, budget, events);
    let data = report(program, &sources, &survey, reduction, help);
    Ok(Movers {
        data,
        sources,
        warnings,
    })
}

fn report(
    program: &Program,
    sources: &SourceMap,
    survey: &Survey,
    reduction: Reduction,
    help: Help<'_>,
) -> MoversData {
    let names = Names::new(program, sources, survey, reduction);
    let mut functions: Vec<FunctionData> = program
        .functions
        .iter()
        .filter_map(|(id, function)| function_data(id, function, sources, survey, &names))
        .collect();
    functions.sort_by(|one, other| {
        let key = |it: &FunctionData| (it.place.file.clone(), it.place.line, it.place.column);
        key(one).cmp(&key(other))
    });
    let exit_code = if survey.unfinished.is_some() { 3 } else { 0 };
    MoversData {
        version: MOVERS_VERSION,
        reduction: reduction.to_string(),
        exit_code,
        incomplete: survey
            .unfinished
            .as_ref()
            .map(|it| incomplete(it, sources, help)),
        functions,
        variables: variables::variables(sources, survey, &names),
        counters: survey
            .counters
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect(),
    }
}

fn incomplete(reason: &Reason, sources: &SourceMap, help: Help<'_>) -> IncompleteData {
    IncompleteData {
        code: reason.code().to_owned(),
        message: reason.to_string(),
        help: help(&reason.remedy()),
        place: reason.span().and_then(|span| place(sources, span)),
    }
}

fn place(sources: &SourceMap, span: Span) -> Option<PlaceData> {
    sources.knows(span).then(|| PlaceData::new(span, sources))
}

/// `None` for functions that no source shows.
fn function_data(
    id: FunctionId,
    function: &Function,
    sources: &SourceMap,
    survey: &Survey,
    names: &Names<'_>,
) -> Option<FunctionData> {
    let mut steps = Vec::new();
    let mut shown: BTreeMap<u32, String> = BTreeMap::new();
    for (edge_id, edge) in function.edges.iter() {
        let Some(span) = edge.span else {
            continue;
        };
        let Some(place) = place(sources, span) else {
            continue;
        };
        shown.insert(place.line, sources.line_text(span).to_owned());
        let conduct = survey.steps.get(&(id, edge_id));
        steps.push(StepData {
            class: class(conduct),
            why: conduct.map_or_else(String::new, |it| why::why(&edge.action, it, survey, names)),
            begins: conduct.is_some_and(|it| it.has(Mark::Begins)),
            commits: conduct.is_some_and(|it| it.has(Mark::Commits)),
            ends: conduct.is_some_and(|it| it.has(Mark::Ends)),
            place,
        });
    }
    let first = steps.first()?.place.clone();
    let head = function.span.and_then(|it| place(sources, it));
    let head = head.filter(|it| it.file == first.file);
    let span = function
        .span
        .into_iter()
        .chain(function.edges.values().filter_map(|it| it.span))
        .find(|it| sources.knows(*it))?;
    Some(FunctionData {
        name: function.name.clone(),
        is_reached: survey.transactions.contains_key(&id),
        transactions: survey.transactions.get(&id).copied().flatten(),
        lines: lines(sources, span, head.as_ref(), &first.file, &steps, &shown),
        place: head.unwrap_or(first),
        steps,
    })
}

/// The lines from the head of the function to its last step, as far as the file is at hand.
fn lines(
    sources: &SourceMap,
    span: Span,
    head: Option<&PlaceData>,
    file: &str,
    steps: &[StepData],
    shown: &BTreeMap<u32, String>,
) -> Vec<Line> {
    let in_file = || steps.iter().filter(|it| it.place.file == file);
    let first = head
        .map(|it| it.line)
        .into_iter()
        .chain(in_file().map(|it| it.place.line))
        .min()
        .unwrap_or(1);
    let last = in_file().map(|it| it.place.end_line).max().unwrap_or(first);
    let source = sources.file(sources.shown(span).file);
    let text = if source.is_preprocessed() {
        String::new()
    } else {
        String::from_utf8_lossy(source.bytes()).into_owned()
    };
    let known: Vec<&str> = text.lines().collect();
    (first..=last)
        .filter_map(|number| {
            let text = shown
                .get(&number)
                .map(String::as_str)
                .or_else(|| known.get(number as usize - 1).copied())?;
            Some(Line {
                number,
                text: text.to_owned(),
            })
        })
        .collect()
}

fn class(conduct: Option<&Conduct>) -> StepClass {
    let Some(conduct) = conduct else {
        return StepClass::Unreached;
    };
    // While nobody else is there everything moves, which says little about a step that is also taken later.
    let mut classes = if conduct.moves.is_empty() {
        conduct.moves_alone.iter()
    } else {
        conduct.moves.iter()
    };
    match (classes.next(), classes.next()) {
        (None, _) => StepClass::Unreached,
        (Some(Class::Both), None) => StepClass::Both,
        (Some(Class::Right), None) => StepClass::Right,
        (Some(Class::Left), None) => StepClass::Left,
        (Some(Class::Neither), None) => StepClass::Neither,
        (Some(_), Some(_)) => StepClass::Mixed,
    }
}
