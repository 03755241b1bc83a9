//! The last pass as a transition system.

use std::collections::BTreeMap;

use raddle_base::{Id, Span};
use raddle_encode::hazard::Hazard;
use raddle_encode::names::ThreadIndex;
use raddle_engine::{Property, Reason};
use raddle_ir::{EdgeId, FunctionId};
use raddle_logic::{StateVariable, Substitution, Target, TermId, TransitionSystem, VariableId};

use crate::build::Builder;
use crate::coding::{Coding, Writer};
use crate::meaning::Meaning;
use crate::pass::{Occasion, Pass, What};
use crate::slot::{self, Field, Slot};

/// The parts of a transition system.
pub(crate) struct Assembled {
    pub(crate) system: TransitionSystem,
    pub(crate) meanings: Vec<Meaning>,
    /// What goes wrong where a target is reached.
    pub(crate) occasions: Vec<Vec<Occasion>>,
    /// The slot of each state variable.
    pub(crate) slots: Vec<(Slot, Coding)>,
    /// What a first state says of cells that begin with any value.
    pub(crate) begun: Vec<(VariableId, TermId)>,
    /// What state variables begin with.
    pub(crate) first: Vec<TermId>,
}

/// How executions begin.
struct Beginnings {
    initial: TermId,
    begun: Vec<(VariableId, TermId)>,
    first: Vec<TermId>,
}

/// Targets, what they mean and when they are reached.
#[derive(Default)]
struct Targets {
    of_system: Vec<Target>,
    meanings: Vec<Meaning>,
    occasions: Vec<Vec<Occasion>>,
}

impl Builder<'_> {
    /// The transition system of the last pass; `begins` is what the values of cells have to fulfil that begin with any.
    pub(crate) fn assemble(&mut self, mut pass: Pass, begins: TermId) -> Assembled {
        let (next, misfits) = self.next(&mut pass);
        let comes_through = self.encoder.terms.any(&pass.arrived);
        let strays = self.encoder.terms.any(&misfits);
        let strays = self.encoder.terms.and(comes_through, strays);
        let targets = self.targets(&pass, strays);
        let constraint = self.constraint(&pass, comes_through);
        let stops = self.encoder.terms.not(comes_through);
        let ends = self.encoder.terms.or(stops, strays);
        let Beginnings {
            initial,
            begun,
            first,
        } = self.initial(&pass, begins);
        let mut state = Vec::new();
        let mut slots = Vec::new();
        for (slot, coded) in &pass.coded {
            for (at, variable) in coded.variables.iter().enumerate() {
                let mut after = next.get(slot).map_or(*variable, |it| it[at]);
                if *slot == Slot::Ended {
                    after = self.encoder.terms.or(after, ends);
                }
                let id = self.encoder.terms.as_variable(*variable);
                state.push(StateVariable {
                    variable: id.expect("slots are written as variables"),
                    current: *variable,
                    next: after,
                });
                slots.push((slot.clone(), coded.coding.clone()));
            }
        }
        let terms = std::mem::take(&mut self.encoder.terms);
        let mut system = TransitionSystem {
            terms,
            state,
            inputs: Vec::new(),
            initial,
            constraint,
            targets: targets.of_system,
        };
        system.inputs = inputs(&system);
        Assembled {
            system,
            meanings: targets.meanings,
            occasions: targets.occasions,
            slots,
            begun,
            first,
        }
    }

    /// The variables of the slots after a step, and where some slot cannot say what it is to hold.
    fn next(&mut self, pass: &mut Pass) -> (BTreeMap<Slot, Vec<TermId>>, Vec<TermId>) {
        let mut next: BTreeMap<Slot, Vec<TermId>> = BTreeMap::new();
        let mut misfits = Vec::new();
        let mut shared = Vec::new();
        slot::change(&mut pass.after.clone(), &mut |slot, term| {
            shared.push((slot, term));
            term
        });
        for (slot, term) in shared {
            if matches!(slot, Slot::Sync(_, _, Field::HeldOnce)) {
                continue;
            }
            let (variables, misfit) = self.written(pass, &slot, term);
            misfits.push(misfit);
            next.insert(slot, variables);
        }
        for (slot, updates) in std::mem::take(&mut pass.updates) {
            let mut variables = pass.coded[&slot].variables.clone();
            for (guard, term) in updates {
                let (written, misfit) = self.written(pass, &slot, term);
                misfits.push(self.encoder.terms.and(guard, misfit));
                for (variable, new) in variables.iter_mut().zip(written) {
                    *variable = self.encoder.terms.if_then_else(guard, new, *variable);
                }
            }
            next.insert(slot, variables);
        }
        for (slot, guards) in std::mem::take(&mut pass.cleared) {
            let before = pass.coded[&slot].variables.clone();
            let variables = next.entry(slot).or_insert(before);
            let is_cleared = self.encoder.terms.any(&guards);
            for variable in variables {
                let zero = (self.encoder.terms).constant(0, self.encoder.terms.width(*variable));
                *variable = self.encoder.terms.if_then_else(is_cleared, zero, *variable);
            }
        }
        (next, misfits)
    }

    /// A term as a slot writes it, and where the slot cannot say it.
    fn written(&mut self, pass: &Pass, slot: &Slot, term: TermId) -> (Vec<TermId>, TermId) {
        let writer = Writer {
            coding: &pass.coded[slot].coding,
            model: self.encoder.program.model,
            written: &pass.written,
        };
        let terms = &mut self.encoder.terms;
        let (variables, fits) = writer.write(terms, term);
        // Only offsets are written with less than what they may be: of all others the shapes tell what they may be.
        let is_sure = !matches!(writer.coding, Coding::Address(_));
        let misfit = if is_sure {
            terms.truth(false)
        } else {
            terms.not(fits)
        };
        (variables, misfit)
    }

    /// The steps that are possible: those that come to their end, and those that end the execution.
    fn constraint(&mut self, pass: &Pass, comes_through: TermId) -> TermId {
        let ends = |it: &&Occasion| it.what != What::Met(Hazard::Violation(Property::Overflow));
        let ending = pass.occasions.iter().filter(ends).map(|it| it.condition);
        let all: Vec<TermId> = ending.chain([comes_through]).collect();
        self.encoder.terms.any(&all)
    }

    /// What goes wrong, by what it is and where.
    fn targets(&mut self, pass: &Pass, strays: TermId) -> Targets {
        let mut targets = Targets::default();
        let mut known: Vec<(What, (FunctionId, EdgeId))> = Vec::new();
        for occasion in &pass.occasions {
            if self.encoder.terms.is_false(occasion.condition) {
                continue;
            }
            let key = (occasion.what.clone(), occasion.place);
            let at = known.iter().position(|it| *it == key).unwrap_or_else(|| {
                known.push(key);
                let meaning = self.meaning(occasion);
                targets.meanings.push(meaning);
                targets.occasions.push(Vec::new());
                known.len() - 1
            });
            targets.occasions[at].push(occasion.clone());
        }
        for (occasions, meaning) in targets.occasions.iter().zip(&targets.meanings) {
            let conditions: Vec<TermId> = occasions.iter().map(|it| it.condition).collect();
            targets.of_system.push(Target {
                name: meaning.to_string(),
                condition: self.encoder.terms.any(&conditions),
            });
        }
        if !self.encoder.terms.is_false(strays) {
            let what = "a pointer that is far outside of its object".to_owned();
            let meaning = Meaning::Hazard {
                reason: Reason::Unsupported { what, span: None },
                span: None,
            };
            targets.of_system.push(Target {
                name: meaning.to_string(),
                condition: strays,
            });
            targets.meanings.push(meaning);
            targets.occasions.push(Vec::new());
        }
        targets
    }

    fn meaning(&self, occasion: &Occasion) -> Meaning {
        let (function, edge) = occasion.place;
        let span: Option<Span> = self.encoder.program.edge(function, edge).span;
        let limit = self.encoder.semantics.max_threads;
        let reason = match &occasion.what {
            What::Met(Hazard::Violation(property)) => {
                return Meaning::Violation {
                    property: *property,
                    place: occasion.place,
                    span,
                };
            }
            What::Met(Hazard::Unsupported(what)) => Reason::Unsupported {
                what: what.clone(),
                span,
            },
            What::Met(Hazard::ThreadLimit) => Reason::ThreadLimit { limit, span },
            What::Limit(what) => Reason::Unsupported {
                what: (*what).to_owned(),
                span,
            },
        };
        Meaning::Hazard { reason, span }
    }

    /// How executions begin.
    fn initial(&mut self, pass: &Pass, begins: TermId) -> Beginnings {
        let slots: Vec<(Slot, TermId)> = pass
            .coded
            .iter()
            .map(|(slot, coded)| (slot.clone(), coded.current))
            .collect();
        let mut first = self.initial_terms(&slots);
        for (index, (place, local)) in self.roots.clone().into_iter().enumerate() {
            let thread = ThreadIndex::from_index(index);
            let place = self.encoder.places.folded(&place);
            first.extend(self.registers(thread, &place, &local));
            let number = self.threads[index].number(&place).unwrap_or(0) as u128;
            if let Some(at) = pass.current(&Slot::At(thread)) {
                let width = self.encoder.terms.width(at);
                let number = self.encoder.terms.constant(number, width);
                first.insert(Slot::At(thread), number);
            }
        }
        let begun = self.begun(pass);
        let mut replaced = Substitution::new();
        for (variable, term) in &begun {
            replaced.replace(&self.encoder.terms, *variable, *term);
        }
        let mut conditions = vec![self.encoder.terms.substitute(&mut replaced, begins)];
        let mut values = Vec::new();
        for (slot, coded) in &pass.coded {
            let written = match first.get(slot) {
                Some(term) => self.written(pass, slot, *term).0,
                None => coded
                    .variables
                    .iter()
                    .map(|it| {
                        let width = self.encoder.terms.width(*it);
                        self.encoder.terms.constant(0, width)
                    })
                    .collect(),
            };
            for (variable, term) in coded.variables.iter().zip(written) {
                values.push(term);
                let term = self.encoder.terms.substitute(&mut replaced, term);
                conditions.push(self.encoder.terms.equal(*variable, term));
            }
        }
        Beginnings {
            initial: self.encoder.terms.all(&conditions),
            begun,
            first: values,
        }
    }

    /// What a first state says of cells that begin with any value.
    fn begun(&mut self, pass: &Pass) -> Vec<(VariableId, TermId)> {
        let mut begun = Vec::new();
        for cell in self.encoder.undetermined.clone() {
            let object = raddle_encode::names::ObjectName::of_first(cell.object);
            let size = cell.ty.size(self.encoder.program.model);
            let Some(object) = pass.before.memory.objects.get(&object) else {
                continue;
            };
            let word = object.read(&mut self.encoder.terms, cell.offset, size);
            let width = self.encoder.terms.width(cell.value);
            let term = self.encoder.terms.extract(word.bits, 0, width);
            let variable = self.encoder.terms.as_variable(cell.value);
            begun.push((variable.expect("made as one"), term));
        }
        begun
    }
}

/// The variables of a system that are no state.
fn inputs(system: &TransitionSystem) -> Vec<VariableId> {
    let mut roots: Vec<TermId> = system.state.iter().map(|it| it.next).collect();
    roots.extend(system.targets.iter().map(|it| it.condition));
    roots.push(system.constraint);
    let mut is_state = vec![false; system.terms.variable_count()];
    for it in &system.state {
        is_state[it.variable.index()] = true;
    }
    let below = system.terms.below(&roots).into_iter();
    let variables = below.filter_map(|it| system.terms.as_variable(it));
    let mut inputs: Vec<VariableId> = variables.filter(|it| !is_state[it.index()]).collect();
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}
