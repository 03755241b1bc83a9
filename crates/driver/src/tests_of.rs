//! The tests that a program has.

use raddle_base::SourceMap;
use raddle_front_c::entry::{Test, tests};
use raddle_front_c::on_large_stack;

/// The tests of all files, in the order of the text. What cannot be read has none: whoever checks one of them says why.
pub fn tests_of(sources: &SourceMap) -> Vec<Test> {
    on_large_stack(|| {
        let units = sources.files().filter(|(_, file)| file.is_preprocessed());
        units
            .flat_map(|(id, file)| tests(&raddle_c_syntax::parse(id, file.bytes()).unit))
            .collect()
    })
}
