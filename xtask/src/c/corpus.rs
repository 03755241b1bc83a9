//! A list of programs, compared by several threads at a time.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use raddle_ir::DataModel;
use raddle_testkit::against_gcc::{Outcome, Request, Tally, compare, compiler, header};
use raddle_testkit::panics;

use super::options::Options;

/// A program in one data model.
pub(crate) struct Item {
    path: PathBuf,
    model: DataModel,
    options: Vec<String>,
}

impl Item {
    pub(crate) fn in_both_models(path: &Path, options: Vec<String>) -> impl Iterator<Item = Item> {
        let path = path.to_owned();
        let models = [DataModel::Ilp32, DataModel::Lp64];
        models.into_iter().map(move |model| Item {
            path: path.clone(),
            model,
            options: options.clone(),
        })
    }

    fn name(&self) -> String {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy();
        let bits = match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        };
        format!("{stem}/{bits}")
    }
}

pub(crate) struct Corpus {
    items: Vec<Item>,
}

impl Corpus {
    pub(crate) fn new(items: Vec<Item>) -> Self {
        Self { items }
    }

    /// The programs below a folder whose names contain the filter, each in the models that it is for.
    pub(crate) fn of_folder(folder: &Path, filter: &str) -> Result<Self, Vec<String>> {
        let mut paths = Vec::new();
        collect(folder, &mut paths)
            .map_err(|error| vec![format!("`{}`: {error}", folder.display())])?;
        paths.sort();
        let mut items = Vec::new();
        for path in paths {
            if !path.to_string_lossy().contains(filter) {
                continue;
            }
            let bytes = std::fs::read(&path).map_err(|error| vec![error.to_string()])?;
            let text = String::from_utf8_lossy(&bytes);
            let models = header::models(&text);
            items.extend(
                Item::in_both_models(&path, header::options(&text))
                    .filter(|item| models.contains(&item.model)),
            );
        }
        Ok(Self { items })
    }

    /// Compares all and prints the table. `are_defined` says that no program does anything undefined.
    ///
    /// # Errors
    ///
    /// How many programs differ.
    pub(crate) fn run(
        self,
        are_defined: bool,
        options: &Options,
        folder: &Path,
    ) -> Result<(), Vec<String>> {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            if !compiler::models().contains(&model) {
                return Err(vec![format!(
                    "gcc makes no programs of {model:?} that run here; install gcc-multilib"
                )]);
            }
        }
        panics::note_instead_of_printing();
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for job in 0..options.jobs.max(1) {
                let (next, done, items) = (&next, &done, &self.items);
                let folder = folder.join(job.to_string());
                scope.spawn(move || {
                    // A folder that cannot be made shows as programs that cannot be compiled.
                    let _ = std::fs::create_dir_all(&folder);
                    while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let outcome = look(item, options, &folder);
                        // At once: a long run may be cut short.
                        if matches!(outcome, Outcome::Different(_) | Outcome::Undefined(_)) {
                            eprintln!("{}: {outcome:?}", item.name());
                        }
                        let mut done = done.lock().expect("nobody panics while holding it");
                        done.push((item.name(), outcome));
                        if done.len().is_multiple_of(100) {
                            eprintln!("{} of {}", done.len(), items.len());
                        }
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("nobody panics while holding it");
        done.sort();
        let mut tally = Tally::default();
        for (name, outcome) in done {
            tally.add(name, outcome);
        }
        print!("{}", tally.table(options.names));
        let undefined = if are_defined {
            tally.count("undefined")
        } else {
            0
        };
        match tally.count("different") + undefined {
            0 => Ok(()),
            count => Err(vec![format!("{count} programs differ from gcc's")]),
        }
    }
}

fn look(item: &Item, options: &Options, folder: &Path) -> Outcome {
    let request = Request {
        source: &item.path,
        model: item.model,
        options: item.options.clone(),
        their_limit: Duration::from_millis(options.their_milliseconds),
        our_limit: Duration::from_secs(options.our_seconds),
    };
    compare(&request, folder)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|it| it == "c") {
            paths.push(path);
        }
    }
    Ok(())
}
