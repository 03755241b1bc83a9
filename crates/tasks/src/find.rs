//! Finds tasks in folders and lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use crate::{Definition, Task, header, list, svcomp};

/// The tasks that folders, lists and single files name: in the order of names below a folder, each once.
///
/// # Errors
///
/// If a file or folder cannot be read, or a list names nothing.
pub fn find(paths: &[String]) -> io::Result<Vec<Task>> {
    let mut found = Finder::default();
    for path in paths {
        found.add(path, Origin::Asked)?;
    }
    Ok(found.tasks)
}

/// Every `every`th task of each folder, beginning with the first.
pub fn sample(tasks: Vec<Task>, every: usize) -> Vec<Task> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    tasks
        .into_iter()
        .filter(|task| {
            let before = seen.entry(task.folder().to_owned()).or_default();
            *before += 1;
            (*before - 1).is_multiple_of(every.max(1))
        })
        .collect()
}

/// Who named a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// The user, or a list: it must be a task.
    Asked,
    /// It lies in a folder: it may be something else.
    Seen,
}

#[derive(Default)]
struct Finder {
    tasks: Vec<Task>,
    names: BTreeSet<String>,
}

impl Finder {
    fn add(&mut self, path: &str, origin: Origin) -> io::Result<()> {
        let is_folder = fs::metadata(path)
            .map_err(|error| cannot_read(path, &error))?
            .is_dir();
        if is_folder {
            return self.add_folder(path.trim_end_matches('/'));
        }
        let ending = Path::new(path).extension().and_then(|it| it.to_str());
        match (ending, origin) {
            (Some("rad"), _) | (Some("c" | "i"), Origin::Asked) => {
                let text = read(path)?;
                self.push(path, own(path, &text));
            }
            // Without a truth in its header it belongs to a task definition, or to another test.
            (Some("c" | "i"), Origin::Seen) => {
                if let Ok(bytes) = fs::read(path) {
                    let text = String::from_utf8_lossy(&bytes);
                    let mut header = text.lines().take_while(|line| line.starts_with("//@"));
                    if header.any(|line| line.contains("truth:")) {
                        self.push(path, own(path, &text));
                    }
                }
            }
            (Some("yml" | "yaml"), _) => {
                let text = read(path)?;
                if origin == Origin::Asked || svcomp::is_definition(&text) {
                    self.push(path, svcomp::parse(path, &text));
                }
            }
            (_, Origin::Asked) => {
                for inner in list::paths(path, &read(path)?)? {
                    // A list that names a list, or itself, could go on for ever.
                    let is_task = fs::metadata(&inner).is_ok_and(|it| it.is_dir())
                        || ["rad", "c", "i", "yml", "yaml"]
                            .iter()
                            .any(|it| Path::new(&inner).extension().is_some_and(|e| e == *it));
                    if !is_task {
                        return Err(io::Error::other(format!(
                            "`{path}` names `{inner}`, which is neither a folder nor a program nor a task definition"
                        )));
                    }
                    self.add(&inner, Origin::Asked)?;
                }
            }
            (_, Origin::Seen) => {}
        }
        Ok(())
    }

    /// In the order of names: first the files, so that the tasks of one folder stand together, then the folders.
    /// Hidden entries and links to folders are passed over.
    fn add_folder(&mut self, folder: &str) -> io::Result<()> {
        let shown = if folder.is_empty() { "/" } else { folder };
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(shown).map_err(|error| cannot_read(shown, &error))? {
            let entry = entry.map_err(|error| cannot_read(shown, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry
                .file_type()
                .map_err(|error| cannot_read(&name, &error))?;
            if name.starts_with('.') || kind.is_symlink() && entry.path().is_dir() {
                continue;
            }
            let path = format!("{folder}/{name}");
            if kind.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
        files.sort();
        folders.sort();
        for file in files {
            self.add(&file, Origin::Seen)?;
        }
        for folder in folders {
            self.add_folder(&folder)?;
        }
        Ok(())
    }

    fn push(&mut self, path: &str, definition: Result<Definition, String>) {
        if self.names.insert(path.to_owned()) {
            self.tasks.push(Task {
                name: path.to_owned(),
                definition,
            });
        }
    }
}

/// The task that a program with a header makes.
fn own(path: &str, text: &str) -> Result<Definition, String> {
    let header = header::parse(text).map_err(|error| error.to_string())?;
    Ok(Definition {
        files: vec![path.to_owned()],
        truth: header.truth,
        options: header.options,
        left_out: Vec::new(),
    })
}

/// Bytes that are no text are the checker's to complain about.
fn read(path: &str) -> io::Result<String> {
    fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|error| cannot_read(path, &error))
}

fn cannot_read(path: &str, error: &io::Error) -> io::Error {
    io::Error::other(format!("cannot read `{path}`: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(name: &str) -> Task {
        Task {
            name: name.to_owned(),
            definition: Err(String::new()),
        }
    }

    #[test]
    fn samples_are_even_within_each_folder() {
        let tasks = ["a/1", "a/2", "b/1", "a/3", "b/2", "c"].map(task);
        let names = |every| {
            sample(tasks.to_vec(), every)
                .into_iter()
                .map(|it| it.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(2), ["a/1", "b/1", "a/3", "c"]);
        assert_eq!(names(9), ["a/1", "b/1", "c"]);
        assert_eq!(names(1).len(), 6);
        assert_eq!(names(0).len(), 6);
    }
}
