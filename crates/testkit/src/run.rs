//! Runs a test program and compares what the tool says with what its header says.

use std::collections::BTreeMap;

use raddle::{
    Budget, DefaultSets, EngineChoice, Language, Options, Outcome, Report, SourceMap, Surroundings,
    Verdict,
};
use raddle_driver::{Input, Unread};
use raddle_engine::{Counters, Note};
use raddle_ir::interpret::{Property, Semantics};
use raddle_ir::{DataModel, Program};

use crate::against_gcc::compiler;
use crate::header::{Expected, Header, REDUCING_ENGINE, REFERENCE, admit};
use crate::options;

/// What one engine said about a program.
#[derive(Clone, Debug)]
pub struct Observed {
    pub engine: String,
    pub reduction: String,
    pub verdicts: BTreeMap<Property, Expected>,
    /// Why a property is unknown.
    pub reasons: BTreeMap<Property, String>,
    /// With which the program was checked.
    pub semantics: Semantics,
    pub counters: BTreeMap<String, u64>,
    pub report: Report,
}

/// The options that the header asks for, with this engine.
///
/// # Errors
///
/// If the header or the tool does not know the engine or an option.
pub fn options_of(header: &Header, engine: &str) -> Result<Options, String> {
    let asked = options::parse(&header.options)?;
    let mut options = Options {
        properties: asked.properties,
        engine: EngineChoice::ALL
            .into_iter()
            .find(|it| it.name() == engine)
            .ok_or_else(|| format!("the tool has no engine `{engine}`"))?,
        ..Options::default()
    };
    options.data_model = asked.data_model;
    options.has_spurious_wakeups = asked.has_spurious_wakeups;
    options.has_recycling = !asked.has_no_recycling;
    options.is_strict = asked.is_strict;
    if let Some(name) = asked.language {
        let language = Language::ALL.into_iter().find(|it| it.name() == name);
        options.language = Some(language.ok_or_else(|| format!("`{name}` is no language"))?);
    }
    if let Some(name) = asked.atomic_sets {
        let sets = DefaultSets::from_name(&name);
        options.atomic_sets = Some(sets.ok_or_else(|| format!("`{name}` are no atomic sets"))?);
    }
    options.c.stack_bytes = asked.stack;
    options.c.stores_ids_late = asked.stores_ids_late;
    options.c.has_no_spurious_wakeups = asked.has_no_spurious_wakeups;
    options.c.surroundings = if asked.assumes_nothing {
        Surroundings::ANYTHING
    } else {
        let usual = Surroundings::default();
        Surroundings {
            arguments: (!asked.has_any_arguments).then_some(asked.arguments),
            processors: asked.processors.or(usual.processors),
            leaps: asked.leaps.or(usual.leaps),
        }
    };
    options.c.volatile_is_atomic = asked.volatile_is_atomic;
    if let Some(limit) = asked.max_threads {
        options.max_threads = limit;
    }
    Ok(options)
}

/// With what a program is checked if its header says this.
///
/// # Errors
///
/// If the tool does not know an option.
pub fn semantics_of(header: &Header, is_c: bool) -> Result<Semantics, String> {
    let options = options_of(header, REFERENCE)?;
    Ok(Semantics {
        properties: header.truth.keys().copied().collect(),
        max_threads: options.max_threads,
        has_spurious_wakeups: options.wakes_spuriously(is_c),
        has_recycling: options.has_recycling,
        ..Semantics::default()
    })
}

/// Whether there is a compiler to preprocess programs in C with.
pub fn has_compiler() -> bool {
    compiler::models_for_tests().contains(&DataModel::Lp64)
}

/// Counters by owned names.
pub(crate) fn owned(counters: &Counters) -> BTreeMap<String, u64> {
    let counters = counters.iter();
    counters
        .map(|(name, value)| ((*name).to_owned(), *value))
        .collect()
}

/// The engines whose reports show every field: where one run cannot decide all properties there are others.
pub fn reporting_engines(header: &Header) -> Vec<&'static str> {
    let mut engines = vec![REFERENCE];
    if header.truth.contains_key(&Property::Leak) && header.truth.len() > 1 {
        engines.push(REDUCING_ENGINE);
    }
    engines
}

/// Runs one engine on a program.
///
/// # Errors
///
/// If there are no verdicts: the input is wrong, or the tool is.
pub fn observe(source: &str, header: &Header, engine: &str) -> Result<Observed, String> {
    let report = raddle::check(source, &options_of(header, engine)?);
    let checked = match &report.outcome {
        Outcome::Checked(checked) => checked,
        Outcome::InputError(notes) => {
            let why = rendered(notes, &report.sources);
            return Err(format!("the program is refused\n{why}"));
        }
        Outcome::Misuse(misuse) => return Err(format!("the options are refused: {misuse:?}")),
        Outcome::InternalError(message) => return Err(format!("internal error: {message}")),
    };
    let mut verdicts = BTreeMap::new();
    let mut reasons = BTreeMap::new();
    for property in &checked.properties {
        let verdict = match property.audited.verdict() {
            Verdict::Safe(_) => Expected::Safe,
            Verdict::Unsafe(_) => Expected::Unsafe,
            Verdict::Unknown(reason) => {
                reasons.insert(property.audited.property(), reason.to_string());
                Expected::Unknown
            }
        };
        verdicts.insert(property.audited.property(), verdict);
    }
    Ok(Observed {
        engine: checked.engine.name().to_owned(),
        reduction: checked.reduction.to_string(),
        verdicts,
        reasons,
        semantics: checked.semantics.clone(),
        counters: owned(&checked.counters),
        report,
    })
}

/// Every difference between the header and what was observed.
pub fn differences(header: &Header, observed: &Observed) -> Vec<String> {
    let engine = &observed.engine;
    let mut found = Vec::new();
    for property in Property::ALL {
        let truth = header.truth.get(&property);
        let (truth, said) = match (truth, observed.verdicts.get(&property)) {
            (None, None) => continue,
            (None, Some(_)) => {
                found.push(format!(
                    "{property} is checked, but `truth` says nothing about it"
                ));
                continue;
            }
            (Some(_), None) => {
                found.push(format!(
                    "`truth` speaks of {property}, which is not checked"
                ));
                continue;
            }
            (Some(truth), Some(said)) => (*truth, *said),
        };
        if admit(truth, said).is_err() {
            found.push(format!(
                "WRONG VERDICT: `{engine}` says that {property} is {}, the truth is {}",
                said.word(),
                Expected::from(truth).word()
            ));
            continue;
        }
        let expected = header.expected(engine, property).unwrap_or(truth.into());
        match (expected, said) {
            (Expected::Unknown, Expected::Unknown) => {}
            (Expected::Unknown, _) => found.push(format!(
                "`{engine}` now decides {property} ({}); bless it",
                said.word()
            )),
            (_, Expected::Unknown) => found.push(format!(
                "`{engine}` no longer decides {property}: {}",
                observed.reasons.get(&property).map_or("", |it| it)
            )),
            _ => {}
        }
    }
    found.extend(miscounted(
        header,
        engine,
        &observed.reduction,
        &observed.counters,
    ));
    found
}

/// Every counter that is not as the header says.
pub(crate) fn miscounted(
    header: &Header,
    engine: &str,
    reduction: &str,
    counters: &BTreeMap<String, u64>,
) -> Vec<String> {
    let mut found = Vec::new();
    for line in &header.counters {
        if line.engine != engine || line.reduction != reduction {
            continue;
        }
        match counters.get(&line.counter) {
            Some(value) if *value == line.value => {}
            Some(value) => found.push(format!(
                "{engine}.{reduction}.{} is {value}, expected {}",
                line.counter, line.value
            )),
            None => found.push(format!("`{engine}` has no counter `{}`", line.counter)),
        }
    }
    found
}

/// Reads a program, with the options of its header.
///
/// # Errors
///
/// What is wrong with it.
pub fn load(source: &str, header: &Header) -> Result<Program, String> {
    let options = options_of(header, "reference")?;
    read(source, &options)
}

fn read(source: &str, options: &Options) -> Result<Program, String> {
    let sources = match options.language {
        None | Some(Language::Rad) => {
            let mut sources = SourceMap::new();
            sources.add("program.rad", source);
            sources
        }
        Some(Language::C | Language::PreprocessedC) => {
            let input = Input::Typed(source.as_bytes().to_vec());
            return load_files(&[input], options).map(|(program, _)| program);
        }
    };
    load_sources(&sources, options)
}

/// Reads the program that some files make up together, with its sources.
///
/// # Errors
///
/// What is wrong with them.
pub fn load_files(inputs: &[Input], options: &Options) -> Result<(Program, SourceMap), String> {
    match raddle_driver::read(inputs, options, &Budget::unlimited()) {
        Ok(sources) => Ok((load_sources(&sources.map, options)?, sources.map)),
        Err(unread) => Err(match *unread {
            Unread::Wrong(notes, sources) => rendered(&notes, &sources),
            Unread::Stopped(_) => "reading was stopped".to_owned(),
        }),
    }
}

fn load_sources(sources: &SourceMap, options: &Options) -> Result<Program, String> {
    raddle_driver::load(sources, options)
        .map(|loaded| loaded.program)
        .map_err(|notes| rendered(&notes, sources))
}

fn rendered(notes: &[Note], sources: &SourceMap) -> String {
    let all: Vec<String> = notes
        .iter()
        .map(|it| raddle_diag::render(&it.diagnostic, sources, raddle_diag::Colour::Plain))
        .collect();
    all.join("\n")
}

/// The printed program, read again, is the same program.
///
/// # Errors
///
/// If it is not.
pub fn prints_and_reads_back(program: &Program, header: &Header) -> Result<(), String> {
    let text = raddle_driver::program_text(program);
    let options = Options {
        language: Some(Language::Rad),
        // The text says it.
        data_model: None,
        ..options_of(header, "reference")?
    };
    let again = read(&text, &options)
        .map_err(|problem| format!("what was printed is refused\n{problem}\n{text}"))?;
    if program.is_same_as(&again) {
        Ok(())
    } else {
        Err(format!(
            "what was printed reads as another program\n{text}\nreads as\n{}",
            raddle_driver::program_text(&again)
        ))
    }
}
