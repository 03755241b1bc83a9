//! From what can be done about something, which is data, to words.

use raddle_diag::Diagnostic;
use raddle_driver::{Misuse, Outcome, PropertyReport, Report};
use raddle_engine::{Note, Remedy, Verdict};

/// How the users of a front end are told what to do: it alone knows how they change settings.
pub trait Words {
    /// A sentence without its end, as in: raise the limit of time.
    fn remedy(&self, remedy: &Remedy) -> String;

    fn misuse(&self, misuse: &Misuse) -> Diagnostic;
}

/// An error or a warning with its help.
pub fn worded(note: &Note, words: &dyn Words) -> Diagnostic {
    let diagnostic = note.diagnostic.clone();
    let helps = note.remedies.iter().map(|it| words.remedy(it));
    helps.fold(diagnostic, Diagnostic::help)
}

/// The same of each.
pub fn all_worded(notes: &[Note], words: &dyn Words) -> Vec<Diagnostic> {
    notes.iter().map(|it| worded(it, words)).collect()
}

/// What is wrong, or stands in the way, at its places and with its help.
pub fn diagnostic(report: &PropertyReport, words: &dyn Words) -> Option<Diagnostic> {
    let diagnostic = worded(report.note.as_ref()?, words);
    Some(match report.audited.verdict() {
        Verdict::Unknown(reason) => {
            let remedy = reason.remedy_for(report.audited.property());
            diagnostic.help(words.remedy(&remedy))
        }
        Verdict::Safe(_) | Verdict::Unsafe(_) => diagnostic,
    })
}

/// Everything that is said with places in the sources; warnings first.
pub fn diagnostics(report: &Report, words: &dyn Words) -> Vec<Diagnostic> {
    let mut all = warnings(report, words);
    for diagnostic in said(report, words) {
        if !all.contains(&diagnostic) {
            all.push(diagnostic);
        }
    }
    all
}

/// What readers, compilers and engines warn of, but for what the reason of an unknown verdict says of the same place: that
/// one has their help too.
pub fn warnings(report: &Report, words: &dyn Words) -> Vec<Diagnostic> {
    let warnings = report.warnings.iter();
    warnings
        .map(|it| worded(it, words))
        .filter(|it| !unsupported(report).any(|reason| is_of_same_place(it, reason)))
        .collect()
}

/// What is said of the properties, or of what is wrong, at its places; each once.
pub fn said(report: &Report, words: &dyn Words) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    match &report.outcome {
        Outcome::Checked(checked) => {
            let said = checked.properties.iter().flat_map(|it| {
                let more = it.more.iter().map(|it| worded(&it.note, words));
                diagnostic(it, words).into_iter().chain(more)
            });
            for mut diagnostic in said {
                if diagnostic.code == UNSUPPORTED {
                    for note in &report.warnings {
                        if is_of_same_place(&note.diagnostic, &diagnostic) {
                            let helps = worded(note, words).helps.into_iter();
                            diagnostic = helps.fold(diagnostic, Diagnostic::help);
                        }
                    }
                }
                if !all.contains(&diagnostic) {
                    all.push(diagnostic);
                }
            }
        }
        Outcome::InputError(notes) => all.extend(all_worded(notes, words)),
        Outcome::Misuse(misuse) => all.push(words.misuse(misuse)),
        Outcome::InternalError(_) => {}
    }
    all
}

/// The code of the reason that something is not modelled.
const UNSUPPORTED: &str = "unsupported";

/// Reasons of unknown verdicts: something that is not modelled is reached.
fn unsupported(report: &Report) -> impl Iterator<Item = &Diagnostic> {
    let properties = match &report.outcome {
        Outcome::Checked(checked) => checked.properties.as_slice(),
        Outcome::InputError(_) | Outcome::Misuse(_) | Outcome::InternalError(_) => &[],
    };
    let diagnostics = properties
        .iter()
        .filter_map(|it| Some(&it.note.as_ref()?.diagnostic));
    diagnostics.filter(|it| it.code == UNSUPPORTED)
}

fn is_of_same_place(one: &Diagnostic, other: &Diagnostic) -> bool {
    match (one.labels.first(), other.labels.first()) {
        (Some(one), Some(other)) => one.span == other.span,
        (None, _) | (_, None) => false,
    }
}
