//! Runs of engines, one after the other, with their evidence audited.

use std::time::Instant;

use raddle_base::{Budget, SourceMap};
use raddle_engine::{Events, Task, decide};
use raddle_engine_wpds::given::resolve::Given;
use raddle_ir::interpret::Property;

use crate::EngineChoice;
use crate::Options;
use crate::audit::Auditor;
use crate::conditions::Terms;
use crate::ledger::Ledger;
use crate::plan::{Decider, EngineRun};
use crate::profile::RunProfile;

/// What is to be decided, and where it is noted.
pub(crate) struct Job<'a> {
    /// With all properties.
    pub(crate) task: Task<'a>,
    pub(crate) sources: &'a SourceMap,
    pub(crate) options: &'a Options,
    /// Those that the options name.
    pub(crate) automata: &'a [Given],
    pub(crate) ledger: &'a Ledger,
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
            ledger: self.ledger,
            terms: self.terms(),
            budget,
            caller,
            profile: None,
        }
    }

    /// Which conditions verdicts may rest on.
    fn terms(&self) -> Terms {
        Terms::new(self.options.is_strict, &self.task.semantics.properties)
    }

    /// Runs the parts, each on those of its properties that are open when it begins.
    pub(crate) fn run_all(&self, parts: Vec<EngineRun>, budget: &Budget, caller: &mut dyn Events) {
        for EngineRun {
            decider,
            properties,
        } in parts
        {
            let open: Vec<Property> = properties
                .into_iter()
                .filter(|it| self.ledger.is_open(*it))
                .collect();
            if open.is_empty() || self.ledger.rejected().is_some() {
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
            self.ledger.record_profile(profile);
            // What has been decided is not lost if a later run must end early.
            auditor.answered(&answer);
        }
    }
}
