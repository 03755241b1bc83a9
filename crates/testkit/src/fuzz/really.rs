//! Programs in C against what gcc makes of them.

use std::path::Path;
use std::time::Duration;

use raddle_ir::DataModel;

use super::Looked;
use crate::against_gcc::{Outcome, Request, compare, compiler, sequential};
use crate::real::{self, Draft, Scratch};

/// How long an engine may look at a program with threads.
const TIME: Duration = Duration::from_millis(600);

/// How long a program without threads may take, and how long we may take for it.
const THEIR_TIME: Duration = Duration::from_secs(5);
const OUR_TIME: Duration = Duration::from_secs(20);

pub(super) fn threads(seed: u64) -> Draft {
    real::generate(seed)
}

pub(super) fn sequential(seed: u64) -> String {
    sequential::program(seed)
}

pub(super) fn look_at_threads(draft: &Draft, seed: u64) -> Looked {
    match real::look(draft, seed, TIME) {
        Ok(looked) => {
            if let Some(refuted) = looked.asked.refuted {
                return Looked::wrong(refuted.problem);
            }
            match looked.asked.refused {
                Some(refused) => Looked::wrong(format!("refused: {refused}")),
                None => Looked::fine(looked.asked.is_found),
            }
        }
        // A program with a part cut out need not compile.
        Err(_) => Looked::fine(false),
    }
}

pub(super) fn look_at_sequential(text: &str) -> Looked {
    let Ok(folder) = Scratch::new() else {
        return Looked::fine(false);
    };
    let source = folder.path().join("sequential.c");
    if std::fs::write(&source, text).is_err() {
        return Looked::fine(false);
    }
    match differences(&source, folder.path()) {
        Some(problem) => Looked::wrong(problem),
        None => Looked::fine(true),
    }
}

/// Where we and gcc part, in any data model, unless the program does something undefined.
fn differences(source: &Path, folder: &Path) -> Option<String> {
    let outcomes = [DataModel::Ilp32, DataModel::Lp64]
        .into_iter()
        .filter(|it| compiler::models().contains(it))
        .map(|model| {
            let request = Request {
                source,
                model,
                options: Vec::new(),
                their_limit: THEIR_TIME,
                our_limit: OUR_TIME,
            };
            compare(&request, folder)
        });
    let wrong = outcomes.into_iter().find(|outcome| match outcome {
        Outcome::Equal | Outcome::TimeLimit | Outcome::NotCompiled(_) | Outcome::LeftOut(_) => {
            false
        }
        Outcome::Unsupported(_)
        | Outcome::Refused(_)
        | Outcome::Different(_)
        | Outcome::Undefined(_) => true,
    })?;
    let is_defined = sequential::is_defined(source, folder) == Some(true);
    is_defined.then(|| {
        format!(
            "sequential: {}: {}",
            wrong.word(),
            wrong.reason().unwrap_or("")
        )
    })
}
