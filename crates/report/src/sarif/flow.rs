//! An interleaving as a code flow: one thread flow a thread, the order of the steps in `executionOrder`.

use std::collections::BTreeMap;

use raddle_diag::PlaceData;
use raddle_witness::{StepData, TraceData, ViolationLabelData};

use super::log::{CodeFlow, Text, ThreadFlow, ThreadFlowLocation};
use super::place::{location, message};

/// Threads in the order of their first step; at the end of each, what it does in the violation, unless a step does it.
pub(super) fn code_flow(trace: &TraceData, fallback: &PlaceData) -> Option<CodeFlow> {
    let mut flows: BTreeMap<u64, ThreadFlow> = BTreeMap::new();
    let mut order: Vec<u64> = Vec::new();
    let mut previous = None;
    for (index, step) in trace.steps.iter().enumerate() {
        if !order.contains(&step.thread) {
            order.push(step.thread);
        }
        let is_switch = previous.is_some_and(|thread| thread != step.thread);
        previous = Some(step.thread);
        let name = format!("thread `{}`", step.thread_name);
        flow_of(&mut flows, step.thread, &name)
            .locations
            .push(step_location(index, step, is_switch, trace, fallback));
    }
    let of_end = |label: &&ViolationLabelData| label.step.is_none();
    for label in trace.violation.labels.iter().filter(of_end) {
        if !order.contains(&label.thread) {
            order.push(label.thread);
        }
        let name = format!("a thread in `{}` before its first step", label.function);
        flow_of(&mut flows, label.thread, &name)
            .locations
            .push(label_location(trace.steps.len() + 1, label, fallback));
    }
    let thread_flows: Vec<ThreadFlow> = order
        .iter()
        .filter_map(|thread| flows.remove(thread))
        .collect();
    // The standard wants at least one.
    if thread_flows.is_empty() {
        return None;
    }
    let switches = trace.switches();
    Some(CodeFlow {
        message: message(&format!(
            "interleaving of {} {} with {switches} {} of thread{}",
            trace.steps.len(),
            if trace.steps.len() == 1 {
                "step"
            } else {
                "steps"
            },
            if switches == 1 { "switch" } else { "switches" },
            trace.found.map_or_else(String::new, |found| {
                format!(", cut from {} and {}", found.steps, found.switches)
            }),
        )),
        thread_flows,
    })
}

fn flow_of<'a>(
    flows: &'a mut BTreeMap<u64, ThreadFlow>,
    thread: u64,
    name: &str,
) -> &'a mut ThreadFlow {
    flows.entry(thread).or_insert_with(|| ThreadFlow {
        // Names may repeat, numbers do not.
        id: thread.to_string(),
        message: message(name),
        locations: Vec::new(),
    })
}

fn step_location(
    index: usize,
    step: &StepData,
    is_switch: bool,
    trace: &TraceData,
    fallback: &PlaceData,
) -> ThreadFlowLocation {
    let number = index + 1;
    let is_marked = trace.is_marked(index);
    let first = step.parts.first();
    let statement = first.map_or("", |part| part.source.as_ref().unwrap_or(&part.action));
    let effect = effect(step);
    let mut text = if effect.is_empty() {
        format!("step {number}, thread `{}`: {statement}", step.thread_name)
    } else {
        format!(
            "step {number}, thread `{}`: {statement} ({effect})",
            step.thread_name
        )
    };
    let labels = trace.violation.labels.iter();
    for label in labels.filter(|it| it.step == Some(index)) {
        text = format!("{text}; {}", label.text);
    }
    ThreadFlowLocation {
        execution_order: number,
        importance: if is_switch || is_marked {
            "essential"
        } else {
            "important"
        },
        kinds: if is_marked {
            vec!["danger"]
        } else {
            Vec::new()
        },
        location: location(
            first
                .and_then(|part| part.place.as_ref())
                .unwrap_or(fallback),
            Some(&text),
        ),
        state: step
            .sets
            .iter()
            .chain(&step.writes)
            .map(|cell| {
                let value = Text {
                    text: cell.value.clone(),
                    markdown: None,
                };
                (cell.name.clone(), value)
            })
            .collect(),
    }
}

fn label_location(
    number: usize,
    label: &ViolationLabelData,
    fallback: &PlaceData,
) -> ThreadFlowLocation {
    ThreadFlowLocation {
        execution_order: number,
        importance: "essential",
        kinds: vec!["danger"],
        location: location(label.place.as_ref().unwrap_or(fallback), Some(&label.text)),
        state: BTreeMap::new(),
    }
}

/// Values read and written, and what else happened.
fn effect(step: &StepData) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cell in &step.reads {
        parts.push(format!("{} is {}", cell.name, cell.value));
    }
    for cell in &step.writes {
        parts.push(format!("{} := {}", cell.name, cell.value));
    }
    parts.extend(step.events.iter().cloned());
    parts.extend(step.output.iter().map(|it| format!("prints {it:?}")));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use raddle_witness::{PartData, ViolationData};

    use super::*;

    fn step(thread: u64) -> StepData {
        StepData {
            thread,
            thread_name: format!("t[{thread}]"),
            parts: vec![PartData {
                function: "f".to_owned(),
                edge: 0,
                choice: None,
                action: "x = 1".to_owned(),
                place: None,
                source: None,
            }],
            reads: Vec::new(),
            writes: Vec::new(),
            sets: Vec::new(),
            events: Vec::new(),
            output: Vec::new(),
        }
    }

    #[test]
    fn a_step_that_is_part_of_the_violation_is_the_danger_itself() {
        let trace = TraceData {
            property: "atomic-sets".to_owned(),
            initial: 0,
            steps: vec![step(0), step(0), step(1)],
            transactions: Vec::new(),
            found: None,
            violation: ViolationData {
                property: "atomic-sets".to_owned(),
                message: "interrupted".to_owned(),
                labels: vec![ViolationLabelData {
                    thread: 0,
                    function: "f".to_owned(),
                    edge: 0,
                    step: Some(1),
                    text: "`x` written in unit 1".to_owned(),
                    place: None,
                }],
                place: None,
            },
        };
        let fallback = PlaceData {
            file: "a.rad".to_owned(),
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
        };
        let flow = code_flow(&trace, &fallback).expect("there are threads");
        let first = &flow.thread_flows[0].locations;
        assert_eq!(first.len(), 2, "no location stands for the end");
        assert_eq!(
            (first[0].importance, first[0].kinds.len()),
            ("important", 0)
        );
        assert_eq!(first[1].importance, "essential");
        assert_eq!(first[1].kinds, ["danger"]);
        let text = first[1]
            .location
            .message
            .as_ref()
            .expect("steps say something");
        assert!(text.text.ends_with("; `x` written in unit 1"), "{text:?}");
    }
}
