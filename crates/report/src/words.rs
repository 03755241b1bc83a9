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

/// A warning with its help.
pub fn warning(note: &Note, words: &dyn Words) -> Diagnostic {
    let diagnostic = note.diagnostic.clone();
    match &note.remedy {
        Some(remedy) => diagnostic.help(words.remedy(remedy)),
        None => diagnostic,
    }
}

/// What is wrong, or stands in the way, at its places and with its help.
pub fn diagnostic(report: &PropertyReport, words: &dyn Words) -> Option<Diagnostic> {
    let diagnostic = report.diagnostic.clone()?;
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
    let warnings = report.warnings.iter();
    let mut all: Vec<Diagnostic> = warnings.map(|it| warning(it, words)).collect();
    match &report.outcome {
        Outcome::Checked(checked) => {
            let said = checked.properties.iter();
            for diagnostic in said.filter_map(|it| diagnostic(it, words)) {
                if !all.contains(&diagnostic) {
                    all.push(diagnostic);
                }
            }
        }
        Outcome::InputError(diagnostics) => all.extend(diagnostics.iter().cloned()),
        Outcome::Misuse(misuse) => all.push(words.misuse(misuse)),
        Outcome::InternalError(_) => {}
    }
    all
}
