//! C programs with a few changes.

use raddle_base::SourceMap;
use raddle_generate::Random;
use raddle_ir::DataModel;

use super::mutate::mutated;
use crate::against_gcc::ours;
use crate::panics::caught;

/// One of the programs, changed, with its data model.
///
/// # Panics
///
/// If there are no programs.
pub fn mutant(seed: u64, texts: &[(DataModel, Vec<u8>)]) -> (DataModel, Vec<u8>) {
    let mut random = Random::new(seed);
    let (model, text) = random.pick(texts);
    let (_, other) = random.pick(texts);
    let (text, other) = (
        String::from_utf8_lossy(text),
        String::from_utf8_lossy(other),
    );
    (*model, mutated(&mut random, &text, &other))
}

/// Whether the front end accepts a text.
///
/// # Errors
///
/// What the panic said.
pub fn read(text: &[u8], model: DataModel) -> Result<bool, String> {
    caught(|| {
        let mut sources = SourceMap::new();
        let file = sources.add("mutant.i", text);
        raddle_front_c::read(&[(file, text)], &ours::options(model)).is_ok()
    })
}
