//! What a build knows of a program in C: which files it is made of, and how each of them is compiled. Runs nothing and prints
//! nothing.
//!
//! - `command`: what a command of a compiler does, word by word; `shell`: the words of a line;
//! - `database`: `compile_commands.json`, which lists the commands of a build;
//! - `closure`: the units that make up one program of a build that makes several;
//! - `record`: units after the preprocessor, as `raddle cc` leaves them; `object`: where they lie in what a compiler writes;
//! - `markers`: places in preprocessed text, seen from another folder.

mod closure;
mod command;
mod database;
mod markers;
mod object;
mod record;
mod shell;

pub use closure::{Ambiguous, Candidate, Closure, Symbols, closure, symbols};
pub use command::{CommandPart, CompilerCommand, PartKind, Stage, without_wrappers};
pub use database::{DATABASE, Entry, read_database};
pub use markers::{rebased, shown_from};
pub use object::{SECTION, lacks_section, section};
pub use record::{Foreign, Linked, RecordError, Unit, read_records, write_link, write_unit};
pub use shell::split;

/// Whether a path is meant by what a user calls it: its components stand next to each other in the path.
pub fn is_named(path: &str, name: &str) -> bool {
    let components = |text: &str| -> Vec<String> {
        text.split('/')
            .filter(|it| !it.is_empty() && *it != ".")
            .map(str::to_owned)
            .collect()
    };
    let (path, name) = (components(path), components(name));
    !name.is_empty() && path.windows(name.len()).any(|it| it == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_named_by_some_of_its_components() {
        assert!(is_named("/home/me/src/a.c", "a.c"));
        assert!(is_named("/home/me/src/a.c", "./src/a.c"));
        assert!(is_named("CMakeFiles/shared.dir/a.c.o", "shared.dir"));
        assert!(!is_named("/home/me/src/aa.c", "a.c"));
        assert!(!is_named("src/a.c", ""));
    }
}
