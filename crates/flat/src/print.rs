//! A flat program for people.

use std::fmt::Write as _;

use raddle_base::Id;
use raddle_encode::names::ObjectName;
use raddle_encode::names::ThreadIndex;
use raddle_ir::print::print_action;
use raddle_logic::StateVariableId;
use raddle_reduce::dynamic::At;

use crate::coding::Coding;
use crate::slot::{self, Slot};
use crate::{Flat, Meaning};

impl Flat<'_> {
    /// What the values of a state variable mean.
    pub fn explain(&self, variable: StateVariableId) -> String {
        let (slot, coding) = &self.slots[variable.index()];
        if let Slot::At(thread) = slot {
            let stops = &self.threads[thread.index()].stops;
            return format!("nowhere, or one of {} places", stops.len());
        }
        match coding {
            Coding::Constant(value) => format!("always {value}"),
            Coding::Number(bits) => format!("a number of {bits} bits"),
            Coding::Index(values) => {
                let values: Vec<String> = values.iter().map(|it| self.value(*it)).collect();
                format!("one of {}", values.join(", "))
            }
            Coding::Address(addresses) => {
                let names = addresses.objects.iter().map(|it| it.in_terms().to_string());
                let names: Vec<String> = names.collect();
                let step = 1_u64 << addresses.shift;
                let residue = addresses.residue;
                format!(
                    "in one of the objects {}, at multiples of {step} plus {residue}",
                    names.join(", ")
                )
            }
        }
    }

    fn value(&self, value: u128) -> String {
        let model = self.encoder.program.model;
        let threads = self.encoder.instances.iter();
        let mut named = threads.filter(|(_, it)| it.number == value && value > 0);
        if let Some((thread, _)) = named.next() {
            return format!("thread {}", thread.index());
        }
        let (object, offset) = ObjectName::split(value, model);
        if object == ObjectName::NONE {
            return value.to_string();
        }
        format!("object {}+{offset}", object.in_terms())
    }

    /// The number of places that all threads together have.
    pub fn place_count(&self) -> usize {
        self.threads.iter().map(|it| it.stops.len()).sum()
    }

    /// The whole of it, one line for each variable, target and way from place to place.
    pub fn print(&self) -> String {
        let mut text = String::new();
        let system = &self.system;
        let terms = &system.terms;
        let result = (|| {
            writeln!(
                text,
                "flat program: {} threads, {} places, {} bits of state, {} targets",
                self.threads.len(),
                self.place_count(),
                system.state_bits(),
                system.targets.len()
            )?;
            writeln!(text, "\nstate:")?;
            for (at, variable) in system.state.iter().enumerate() {
                let name = terms.variable_name(variable.variable);
                let bits = terms.width(variable.current);
                let meaning = self.explain(StateVariableId::from_index(at));
                writeln!(text, "  {name}: {bits} bits, {meaning}")?;
            }
            writeln!(text, "\ninputs:")?;
            for input in &system.inputs {
                let bits = terms.width(terms.variable_term(*input));
                writeln!(text, "  {}: {bits} bits", terms.variable_name(*input))?;
            }
            writeln!(text, "\ntargets:")?;
            for (target, meaning) in system.targets.iter().zip(&self.meanings) {
                let at = match meaning {
                    Meaning::Violation { place, .. } => {
                        let (function, edge) = *place;
                        let program = self.encoder.program;
                        let action = &program.edge(function, edge).action;
                        let name = &program.functions[function].name;
                        format!(
                            " at `{}` in {name}",
                            print_action(program, function, action)
                        )
                    }
                    Meaning::Hazard { .. } => String::new(),
                };
                writeln!(text, "  {}{at}", target.name)?;
            }
            self.print_threads(&mut text)
        })();
        result.expect("text can be written to");
        text
    }

    fn print_threads(&self, text: &mut String) -> std::fmt::Result {
        let program = self.encoder.program;
        for (index, stops) in self.threads.iter().enumerate() {
            let thread = ThreadIndex::from_index(index);
            let name = &program.functions[self.encoder.instances[thread].function].name;
            writeln!(text, "\nthread {index} ({name}):")?;
            for (at, stop) in stops.stops.iter().enumerate() {
                let frames: Vec<String> = slot::frames(&stop.place)
                    .iter()
                    .map(|(_, function, at)| {
                        let name = &program.functions[*function].name;
                        match at {
                            At::Location(location) => format!("{name} l{}", location.index()),
                            At::Call(edge) => format!("{name} e{}", edge.index()),
                        }
                    })
                    .collect();
                writeln!(text, "  {}: {}", at + 1, frames.join(" > "))?;
                let moves = self.moves.iter();
                for it in moves.filter(|it| it.thread == thread && it.from == at + 1) {
                    let (function, edge) = it.edge;
                    let action = &program.edge(function, edge).action;
                    let action = print_action(program, function, action);
                    writeln!(text, "    -> {}: {action}", it.to)?;
                }
            }
        }
        Ok(())
    }
}
