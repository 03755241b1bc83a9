//! What the stand-in for a compiler keeps of a unit: its text after the preprocessor.

use std::path::Path;

use raddle_base::{Budget, SourceMap};
use raddle_ir::DataModel;
use raddle_project::Unit;

use crate::options::COptions;
use crate::preprocess::{Failure, Unprocessed, here, text_of};

/// What came of it.
pub enum Recorded {
    /// With the word whether the unit includes the header of tests, which the compiler does not find by itself.
    Unit { unit: Unit, lacks_header: bool },
    /// The preprocessor refuses it, because of this.
    Refused(String),
}

/// The unit that a command of a compiler reads, seen from this folder. Its options are recorded as they are: whoever reads the
/// program judges them.
pub fn record(
    file: &str,
    is_preprocessed: bool,
    words: &[String],
    compiler: &[String],
) -> Recorded {
    let folder = here();
    let unit = |text| Unit {
        file: file.to_owned(),
        folder: folder.display().to_string(),
        words: words.to_vec(),
        text,
    };
    if is_preprocessed {
        return match std::fs::read(file) {
            Ok(text) => Recorded::Unit {
                unit: unit(text),
                lacks_header: false,
            },
            Err(error) => Recorded::Refused(error.to_string()),
        };
    }
    let options = COptions {
        compiler: compiler.to_vec(),
        rest: words.to_vec(),
        ..COptions::default()
    };
    let input = Unprocessed::FileIn(&folder, Path::new(file));
    let mut sources = SourceMap::new();
    match text_of(
        input,
        file,
        DataModel::Lp64,
        &options,
        &Budget::unlimited(),
        &mut sources,
    ) {
        Ok(text) => Recorded::Unit {
            unit: unit(text.bytes),
            lacks_header: text.lacks_header,
        },
        Err(Failure::Wrong(notes)) => {
            let first = notes.into_iter().next();
            Recorded::Refused(first.map_or_else(String::new, |it| it.diagnostic.message))
        }
        Err(Failure::Stopped(_)) => Recorded::Refused("it was stopped".to_owned()),
    }
}
