//! What a proof says nothing about: assertions and threads that no execution comes to.
//!
//! # Definitions
//!
//! - A *goal* is a place of the sources that somebody wrote to be come to: an assertion, or the start of a thread. An assertion
//!   of C is a branch to where it fails, so that its goal is where the branch is decided; what fails without a condition, as
//!   `assert(!"never")` does, is meant never to be reached, and is no goal.
//! - A program is *vacuous* if none of its assertions is ever come to. A test is vacuous if one of the assertions or starts of
//!   threads that its own text has is not, or none of those in functions that it may come to; if there are none at all, if its end
//!   is not.
//!
//! # Invariants
//!
//! - **(V1)** Vacuous is said only if an engine has proved it: of the program that fails where a goal is come to, `assert` is
//!   safe. An execution of the program that comes to the goal is one of that program, up to there.
//! - **(V2)** It is asked only if every property is safe, under no condition but that executions are sequentially consistent, so
//!   that nothing ends executions before; under that condition, what is said is said under it too.
//! - **(V3)** Nothing is said of what is not proved in the time that the run has taken so far.
//!
//! # Tested by
//!
//! `crates/cli/tests/tests.rs`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use raddle_base::{Budget, Span};
use raddle_diag::Diagnostic;
use raddle_engine::{Condition, Silent, Task, Verdict};
use raddle_front_c::Beginning;
use raddle_ir::interpret::Property;
use raddle_ir::program::{Edge, EdgeId, Function, FunctionId, Location, LocationId};
use raddle_ir::{Action, Callee, Expression, Program, validate};

use crate::decide::decide;
use crate::execute::{ExecuteOptions, ExecutedEnd, execute};
use crate::portfolio::Job;
use crate::{Ledger, Loaded, Options};

/// The functions that start threads for whoever calls them.
const STARTERS: [&str; 3] = ["raddle_thread", "pthread_create", "thrd_create"];

/// Executions that are tried before anything is proved: most goals are come to in the first.
const TRIES: u64 = 4;
const MOST_STEPS: u64 = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GoalKind {
    Assertion,
    Start,
    End,
}

#[derive(Clone, Debug)]
struct Goal {
    kind: GoalKind,
    function: FunctionId,
    /// Whoever arrives at one of them has come to the goal.
    locations: Vec<LocationId>,
    span: Option<Span>,
}

/// What to warn of if everything was proved.
pub(crate) fn warnings(job: &Job<'_>, budget: &Budget, spent: Duration) -> Vec<Diagnostic> {
    let properties = &job.task.semantics.properties;
    let is_harmless = |it: &Condition| *it == Condition::SequentiallyConsistent;
    let conditions = match job.ledger.proved_under(properties) {
        Some(conditions) if conditions.iter().all(is_harmless) => conditions,
        Some(_) | None => return Vec::new(),
    };
    if !properties.contains(&Property::Assert) {
        return Vec::new();
    }
    let look = Look {
        job,
        budget,
        patience: spent + Duration::from_secs(1),
        is_sequential: !conditions.is_empty(),
    };
    match &job.options.c.beginning {
        Beginning::Main => look.of_program(job.task.program),
        Beginning::Test(name) => look.of_test(job.task.program, name),
    }
}

struct Look<'a> {
    job: &'a Job<'a>,
    budget: &'a Budget,
    patience: Duration,
    /// The proofs speak about sequentially consistent executions, and so does what is said here.
    is_sequential: bool,
}

impl Look<'_> {
    fn of_program(&self, program: &Program) -> Vec<Diagnostic> {
        let assertions: Vec<Goal> = program
            .functions
            .ids()
            .flat_map(|it| goals(program, it))
            .filter(|it| it.kind == GoalKind::Assertion)
            .collect();
        let none = "no assertion of the program is ever reached";
        self.none_of(&assertions, none).into_iter().collect()
    }

    fn of_test(&self, program: &Program, name: &str) -> Vec<Diagnostic> {
        let Some(body) = program.function_named(&format!("raddle_body_{name}")) else {
            return Vec::new();
        };
        let own = goals(program, body);
        let mut found: Vec<Diagnostic> = own.iter().filter_map(|it| self.never(it)).collect();
        if !found.is_empty() {
            return found;
        }
        let others: Vec<Goal> = (within(program, body).into_iter())
            .filter(|it| *it != body)
            .flat_map(|it| goals(program, it))
            .filter(|it| it.kind == GoalKind::Assertion)
            .collect();
        let has_own = own.iter().any(|it| it.kind == GoalKind::Assertion);
        if !has_own {
            found.extend(self.none_of(&others, "no assertion of the test is ever reached"));
        }
        if own.is_empty() && others.is_empty() {
            let function = &program.functions[body];
            found.extend(self.never(&Goal {
                kind: GoalKind::End,
                function: body,
                locations: ends(function),
                span: function.span,
            }));
        }
        found
    }

    /// The warning, if the goal is proved to be out of reach.
    fn never(&self, goal: &Goal) -> Option<Diagnostic> {
        let message = match goal.kind {
            GoalKind::Assertion => "an assertion is never reached",
            GoalKind::Start => "a thread is never started",
            GoalKind::End => "the end of the test is never reached",
        };
        self.none_of(std::slice::from_ref(goal), message)
    }

    /// The warning, if there are goals and all are proved to be out of reach.
    fn none_of(&self, goals: &[Goal], message: &str) -> Option<Diagnostic> {
        let first = goals.first()?;
        let failing = failing_at(self.job.task.program, goals)?;
        if is_come_to(&failing, self.job.task.seed) || !self.is_safe(failing) {
            return None;
        }
        let diagnostic = Diagnostic::warning("vacuous", message);
        let diagnostic = match first.span {
            Some(span) if self.is_sequential => {
                diagnostic.at(span, "in no sequentially consistent execution")
            }
            Some(span) => diagnostic.at(span, "in no execution"),
            None => diagnostic,
        };
        Some(diagnostic.note("what is proved says nothing about it").help(
            "look for an assumption or a condition that leaves nothing over, or remove what is never reached",
        ))
    }

    /// Whether `assert` is proved.
    fn is_safe(&self, program: Program) -> bool {
        let left = self.budget.time_left().unwrap_or(self.patience);
        let budget = self.budget.part().with_timeout(left.min(self.patience));
        let mut options: Options = self.job.options.clone();
        options.properties = Some(vec![Property::Assert]);
        options.explicit.checkpoint = None;
        options.measures = false;
        let mut semantics = self.job.task.semantics.clone();
        semantics.properties = vec![Property::Assert];
        let ledger = Ledger::default();
        let loaded = Loaded {
            program,
            warnings: Vec::new(),
            is_c: true,
            assumptions: Vec::new(),
            stubs: String::new(),
        };
        ledger.begin_run(&options, &loaded, &semantics, Duration::ZERO);
        let job = Job {
            task: Task {
                program: &loaded.program,
                semantics,
                seed: self.job.task.seed,
                jobs: self.job.task.jobs,
            },
            sources: self.job.sources,
            options: &options,
            automata: &[],
            ledger: &ledger,
        };
        decide(&job, &budget, &mut Silent);
        let is_safe = |it: &Verdict| matches!(it, Verdict::Safe(_));
        ledger.is_without_conditions(Property::Assert, is_safe)
    }
}

/// Whether one of a few executions fails an assertion, which is one of ours where all others are proved.
fn is_come_to(program: &Program, seed: u64) -> bool {
    (0..TRIES).any(|number| {
        let options = ExecuteOptions {
            seed: seed.wrapping_add(number),
            max_steps: MOST_STEPS,
        };
        let end = execute(program, options, &mut |_| {}).end;
        matches!(end, ExecutedEnd::Violation(Property::Assert, _))
    })
}

/// The program that fails where one of the goals is come to.
fn failing_at(program: &Program, goals: &[Goal]) -> Option<Program> {
    // Formulas speak of locations as they are.
    if !program.invariants.is_empty() || !program.exclusives.is_empty() {
        return None;
    }
    let mut draft = program.clone().into_draft();
    let places: BTreeSet<(FunctionId, LocationId)> = goals
        .iter()
        .flat_map(|goal| goal.locations.iter().map(|it| (goal.function, *it)))
        .collect();
    for (function, location) in places {
        let function = &mut draft.functions[function];
        let after = function.locations.push(Location::default());
        for edge in function.edges.values_mut() {
            if edge.from == location {
                edge.from = after;
            }
        }
        let action = Action::Assert {
            condition: Expression::bool(false),
            message: None,
        };
        function.edges.push(Edge {
            from: location,
            action,
            to: after,
            span: None,
        });
    }
    validate(draft).ok()
}

/// The assertions and starts of threads of a function, as far as they have places.
fn goals(program: &Program, id: FunctionId) -> Vec<Goal> {
    let function = &program.functions[id];
    let mut found = Vec::new();
    for (edge_id, edge) in function.edges.iter() {
        if edge.span.is_none() {
            continue;
        }
        let (kind, locations) = if starts(program, &edge.action) {
            (GoalKind::Start, vec![edge.from])
        } else if let Action::Assert { condition, message } = &edge.action {
            let locations = if *condition == Expression::bool(false) {
                match message {
                    Some(message) if has_condition(message) => decisions(function, edge_id),
                    Some(_) | None => Vec::new(),
                }
            } else {
                vec![edge.from]
            };
            (GoalKind::Assertion, locations)
        } else {
            continue;
        };
        if !locations.is_empty() {
            found.push(Goal {
                kind,
                function: id,
                locations,
                span: edge.span,
            });
        }
    }
    found
}

fn starts(program: &Program, action: &Action) -> bool {
    if let Action::Call {
        callee: Callee::Direct(callee),
        ..
    } = action
    {
        return STARTERS.contains(&&*program.functions[*callee].name);
    }
    matches!(action, Action::Spawn { .. })
}

/// Whether what an assertion says when it fails names a condition that may hold: a text with names in it, as `` `x == 1` does
/// not hold ``. Literals never or always hold.
fn has_condition(message: &str) -> bool {
    let Some(text) = message.strip_suffix("` does not hold") else {
        return false;
    };
    let mut in_literal = None;
    let mut before = ' ';
    let mut word = String::new();
    let mut words = Vec::new();
    for letter in text.chars().chain([' ']) {
        match in_literal {
            Some(quote) if letter == quote && before != '\\' => in_literal = None,
            Some(_) => {}
            None if letter == '"' || letter == '\'' => in_literal = Some(letter),
            None if letter.is_alphanumeric() || letter == '_' => word.push(letter),
            None => words.push(std::mem::take(&mut word)),
        }
        before = if before == '\\' { ' ' } else { letter };
    }
    let is_name = |it: &String| it.starts_with(|first: char| first.is_alphabetic() || first == '_');
    words
        .iter()
        .any(|it| is_name(it) && it != "false" && it != "true")
}

/// Where it is decided whether to go to where an assertion fails.
fn decisions(function: &Function, failing: EdgeId) -> Vec<LocationId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![function.edges[failing].from];
    let mut found = Vec::new();
    while let Some(location) = open.pop() {
        if !seen.insert(location) {
            continue;
        }
        for edge in function.edges.values().filter(|it| it.to == location) {
            // On the way to a failure nothing else is done than to prepare it.
            let prepares = matches!(edge.action, Action::Assume { .. } | Action::Assign { .. });
            if let Action::Assume { condition } = &edge.action
                && *condition != Expression::bool(true)
            {
                found.push(edge.from);
            } else if prepares {
                open.push(edge.from);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Where a function is left.
fn ends(function: &Function) -> Vec<LocationId> {
    let mut ends: Vec<LocationId> = function
        .edges
        .values()
        .filter(|it| it.to == function.exit && !matches!(it.action, Action::EndProcess { .. }))
        .map(|it| it.from)
        .collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The functions of the same file that a function names, and those that they name.
fn within(program: &Program, begin: FunctionId) -> BTreeSet<FunctionId> {
    let file = program.functions[begin].span.map(|it| it.file);
    let mut found = BTreeSet::from([begin]);
    let mut open = vec![begin];
    while let Some(function) = open.pop() {
        for edge in program.functions[function].edges.values() {
            let mut named = Vec::new();
            if let Action::Call {
                callee: Callee::Direct(callee),
                ..
            } = &edge.action
            {
                named.push(*callee);
            }
            let pointers = RefCell::new(Vec::new());
            for expression in edge.action.expressions() {
                expression.any(|it| {
                    if let Expression::Function(function) = it {
                        pointers.borrow_mut().push(*function);
                    }
                    false
                });
            }
            named.extend(pointers.into_inner());
            for one in named {
                let is_here = program.functions[one].span.map(|it| it.file) == file;
                if is_here && found.insert(one) {
                    open.push(one);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::has_condition;

    #[test]
    fn literals_are_no_conditions() {
        for text in [
            "0",
            "false",
            "!\"never \\\" here\"",
            "0 && \"x == y\"",
            "'a' == 98",
        ] {
            assert!(!has_condition(&format!("`{text}` does not hold")), "{text}");
        }
        for text in ["x", "a.b == 1", "f(\"text\")", "1 && list_is_empty"] {
            assert!(has_condition(&format!("`{text}` does not hold")), "{text}");
        }
        assert!(!has_condition("`raddle_unreachable` is reached"));
    }
}
