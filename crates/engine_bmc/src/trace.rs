//! A model of the formula as an execution of the program.

use raddle_encode::trace::InModel;
use raddle_encode::{Hazard, Met};
use raddle_engine::{Property, Trace};
use raddle_ir::interpret::{Interpreter, State};
use raddle_logic::Model;

use crate::unroll::Unrolling;

impl Unrolling<'_> {
    /// The execution that comes to a hazard in a model; `None` if the interpreter does not go the same way.
    pub(crate) fn trace(
        &self,
        interpreter: &Interpreter<'_>,
        initial: &[State],
        model: &mut Model,
        (met, property): (&Met, Property),
    ) -> Option<Trace> {
        let encoder = &self.encoder;
        let mut walk = encoder.walk(
            interpreter,
            initial,
            &mut InModel {
                terms: &encoder.terms,
                model,
            },
        )?;
        let is_overflow = met.hazard == Hazard::Violation(Property::Overflow);
        let mut runner = None;
        let mut block = None;
        for (at, record) in encoder.records.iter().enumerate() {
            if at >= met.after && (!is_overflow || (at > met.after && !walk.is_in_section())) {
                break;
            }
            if !model.holds(&encoder.terms, record.condition) {
                continue;
            }
            runner = Some(record.thread);
            if block.replace(record.step) != Some(record.step) {
                walk.begin_block();
            }
            encoder.follow(
                &mut walk,
                &mut InModel {
                    terms: &encoder.terms,
                    model,
                },
                record,
            )?;
        }
        // Most overflows wrap, so that the edge was taken.
        let was_taken = is_overflow
            && encoder
                .records
                .get(met.after)
                .is_some_and(|record| model.holds(&encoder.terms, record.condition));
        if let Some(place) = met.place
            && !walk.has_stopped()
            && !was_taken
        {
            // The edge that goes wrong was not taken.
            let last = self.runners.last()?;
            let thread = last
                .iter()
                .find(|(_, runs)| model.holds(&encoder.terms, **runs))
                .map(|(thread, _)| thread)
                .or(runner)?;
            if block != Some(self.runners.len() - 1) {
                walk.begin_block();
            }
            walk.fail(thread, place)?;
        }
        walk.trace(property, met.place.is_none())
    }
}
