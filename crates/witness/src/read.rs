//! From the file form of a trace back to the trace.

use raddle_base::{Id, SourceMap};
use raddle_engine::Trace;
use raddle_ir::interpret::{
    Property, Semantics, Step, StepPart, ThreadNumber, Violation, ViolationLabel,
};
use raddle_ir::{EdgeId, FunctionId, Program};
use serde::Deserialize;

use crate::ReadError;
use crate::data::{
    OptionsData, PartData, SourceData, StepData, TraceData, TraceFile, VERSION, ViolationData,
};

impl TraceFile {
    /// # Errors
    ///
    /// If the text is no trace file of this version.
    pub fn from_json(text: &str) -> Result<Self, ReadError> {
        /// Read first, so that a file of another version is named as such.
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let Version { version } = serde_json::from_str(text).map_err(ReadError::NotJson)?;
        if version != VERSION {
            return Err(ReadError::OtherVersion { found: version });
        }
        serde_json::from_str(text).map_err(ReadError::NotJson)
    }

    /// # Errors
    ///
    /// If the sources are not those that the trace was recorded from.
    pub fn check_sources(&self, sources: &SourceMap) -> Result<(), ReadError> {
        let given = SourceData::all(sources);
        for (index, recorded) in self.sources.iter().enumerate() {
            let is_same = given
                .get(index)
                .is_some_and(|it| it.fingerprint == recorded.fingerprint);
            if !is_same {
                return Err(ReadError::OtherSource {
                    name: recorded.name.clone(),
                });
            }
        }
        Ok(())
    }
}

impl OptionsData {
    /// What the interpreter was asked when the trace was found.
    ///
    /// # Errors
    ///
    /// If a property is unknown, or the limits are none that a run can have had.
    pub fn to_semantics(&self) -> Result<Semantics, ReadError> {
        if self.max_choices > Semantics::default().max_choices {
            return Err(ReadError::TooManyChoices {
                found: self.max_choices,
            });
        }
        Ok(Semantics {
            properties: self
                .properties
                .iter()
                .map(|name| property(name))
                .collect::<Result<_, _>>()?,
            max_threads: self.max_threads,
            max_choices: self.max_choices,
            has_spurious_wakeups: self.has_spurious_wakeups,
            has_recycling: self.has_recycling,
        })
    }
}

impl TraceData {
    /// # Errors
    ///
    /// If it names something that the program does not have. Whether it replays is the certifier's to say.
    pub fn to_trace(&self, program: &Program) -> Result<Trace, ReadError> {
        Ok(Trace {
            initial: self.initial,
            steps: self
                .steps
                .iter()
                .map(|step| to_step(step, program))
                .collect::<Result<_, _>>()?,
            transactions: self.transactions.clone(),
            violation: to_violation(&self.violation, program)?,
        })
    }
}

fn to_step(step: &StepData, program: &Program) -> Result<Step, ReadError> {
    Ok(Step {
        thread: ThreadNumber(step.thread),
        parts: step
            .parts
            .iter()
            .map(|part| to_part(part, program))
            .collect::<Result<_, _>>()?,
    })
}

fn to_part(part: &PartData, program: &Program) -> Result<StepPart, ReadError> {
    let (function, edge) = edge(program, &part.function, part.edge)?;
    let choice = match &part.choice {
        None => None,
        Some(text) => Some(
            text.parse()
                .map_err(|_| ReadError::BadChoice { text: text.clone() })?,
        ),
    };
    Ok(StepPart {
        function,
        edge,
        choice,
    })
}

fn to_violation(violation: &ViolationData, program: &Program) -> Result<Violation, ReadError> {
    let labels = violation
        .labels
        .iter()
        .map(|label| {
            let (function, edge) = edge(program, &label.function, label.edge)?;
            Ok(ViolationLabel {
                thread: ThreadNumber(label.thread),
                function,
                edge,
                step: label.step,
                text: label.text.clone(),
            })
        })
        .collect::<Result<_, ReadError>>()?;
    Ok(Violation {
        property: property(&violation.property)?,
        message: violation.message.clone(),
        labels,
        span: None,
    })
}

fn property(name: &str) -> Result<Property, ReadError> {
    Property::from_name(name).ok_or_else(|| ReadError::UnknownProperty {
        name: name.to_owned(),
    })
}

fn edge(program: &Program, name: &str, edge: usize) -> Result<(FunctionId, EdgeId), ReadError> {
    let function = program
        .function_named(name)
        .ok_or_else(|| ReadError::UnknownFunction {
            name: name.to_owned(),
        })?;
    if edge >= program.functions[function].edges.len() {
        return Err(ReadError::UnknownEdge {
            function: name.to_owned(),
            edge,
        });
    }
    Ok((function, EdgeId::from_index(edge)))
}
