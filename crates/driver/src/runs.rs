//! Runs of engines, one after the other, with their evidence audited.

use std::time::Instant;

use raddle_base::{Budget, SourceMap};
use raddle_engine::{Counters, Events, Task, decide};
use raddle_engine_wpds::given::resolve::Given;
use raddle_ir::interpret::Property;

use crate::EngineChoice;
use crate::Options;
use crate::findings::{Auditor, Findings};
use crate::plan::{Decider, Part};
use crate::profile::RunProfile;

/// What is to be decided, and where it is noted.
pub(crate) struct Job<'a> {
    /// With all properties.
    pub(crate) task: Task<'a>,
    pub(crate) sources: &'a SourceMap,
    pub(crate) options: &'a Options,
    /// Those that the options name.
    pub(crate) automata: &'a [Given],
    pub(crate) findings: &'a Findings,
}

/// What a run leaves besides its verdicts.
pub(crate) struct Ran {
    pub(crate) decider: Decider,
    pub(crate) counters: Counters,
    pub(crate) observes_layout: bool,
}

impl Job<'_> {
    /// Notes what an engine finds.
    pub(crate) fn auditor<'b>(
        &'b self,
        decider: Decider,
        budget: &'b Budget,
        caller: &'b mut dyn Events,
    ) -> Auditor<'b> {
        Auditor {
            program: self.task.program,
            sources: self.sources,
            semantics: &self.task.semantics,
            decider,
            findings: self.findings,
            budget,
            caller,
            profile: None,
        }
    }

    /// Runs the parts, each on those of its properties that are open when it begins.
    pub(crate) fn run_all(
        &self,
        parts: Vec<Part>,
        budget: &Budget,
        caller: &mut dyn Events,
    ) -> Vec<Ran> {
        let mut runs = Vec::new();
        for Part {
            decider,
            properties,
        } in parts
        {
            let open: Vec<Property> = properties
                .into_iter()
                .filter(|it| !self.findings.is_decided(*it))
                .collect();
            if open.is_empty() || self.findings.rejected().is_some() {
                continue;
            }
            let mut task = self.task.clone();
            // Engines side by side have one core each, and one that is alone takes more if it is told to.
            task.jobs = match (self.options.engine, self.options.jobs) {
                (EngineChoice::Auto, _) | (_, None) => 1,
                (_, Some(jobs)) => jobs.get(),
            };
            task.semantics.properties = open;
            let mut auditor = self.auditor(decider, budget, caller);
            let mut engine = decider.engine(self.options, self.automata);
            let begin = Instant::now();
            let answer = decide(engine.as_mut(), &task, budget, &mut auditor);
            let profile = RunProfile {
                counters: answer.counters.clone(),
                inside: auditor.profile.take(),
                ..RunProfile::new(decider, begin.elapsed())
            };
            self.findings.record_profile(profile);
            // What has been decided is not lost if a later run must end early.
            auditor.audit_all(answer.verdicts);
            self.findings.record_counters(decider, &answer.counters);
            self.findings.record_notes(answer.notes);
            runs.push(Ran {
                decider,
                counters: answer.counters,
                observes_layout: answer.observes_layout,
            });
        }
        runs
    }
}
