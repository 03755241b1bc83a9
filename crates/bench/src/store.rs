//! The CSV file. Rows are written as they come, all of a program at once, so that a run that is killed loses at
//! most what was running; a resumed run begins by removing what it left half done.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use raddle_tasks::Task;

use crate::row::{COLUMNS, Row};

pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Begins a file; what was in it is gone.
    pub fn create(path: &Path) -> io::Result<Store> {
        let mut file = File::create(path)?;
        file.write_all(heading().as_bytes())?;
        Ok(Store {
            path: path.to_owned(),
            file,
        })
    }

    /// Goes on with a file, or begins it. With the rows that need not be found again: of tasks all of whose
    /// properties are there, with the same expected verdicts. Rows of other programs stay in the file.
    pub fn resume(path: &Path, tasks: &[Task]) -> Result<(Store, Vec<Row>), String> {
        let rows = match read(path) {
            Ok(rows) => rows,
            Err(ReadError::System(error)) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error.to_string()),
        };
        let mut of_program: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &rows {
            of_program.entry(&row.program).or_default().push(row);
        }
        let mut finished = BTreeSet::new();
        let mut unfinished = BTreeSet::new();
        for task in tasks {
            match of_program.get(task.name.as_str()) {
                Some(rows) if is_finished(task, rows) => finished.insert(task.name.as_str()),
                Some(_) => unfinished.insert(task.name.as_str()),
                None => continue,
            };
        }
        let kept = sorted(
            rows.iter()
                .filter(|it| !unfinished.contains(it.program.as_str()))
                .cloned()
                .collect(),
        );
        let open = || -> io::Result<File> {
            replace(path, &kept)?;
            OpenOptions::new().append(true).open(path)
        };
        let file = open().map_err(|error| error.to_string())?;
        let known = kept
            .into_iter()
            .filter(|it| finished.contains(it.program.as_str()))
            .collect();
        Ok((
            Store {
                path: path.to_owned(),
                file,
            },
            known,
        ))
    }

    /// Adds the rows of one program.
    pub fn append(&mut self, rows: &[Row]) -> io::Result<()> {
        let text: String = rows.iter().map(Row::to_line).collect();
        self.file.write_all(text.as_bytes())
    }

    /// Puts the rows in order; they came as the processes ended.
    pub fn finish(self) -> Result<(), String> {
        let is_file = self.file.metadata().is_ok_and(|it| it.is_file());
        drop(self.file);
        if is_file {
            let rows = read(&self.path).map_err(|error| error.to_string())?;
            replace(&self.path, &sorted(rows)).map_err(|error| error.to_string())?;
        }
        Ok(())
    }
}

/// Why a file gives no rows.
#[derive(Debug)]
pub enum ReadError {
    System(io::Error),
    /// From 1.
    Line(usize, String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::System(error) => error.fmt(f),
            ReadError::Line(line, message) => write!(f, "line {line}: {message}"),
        }
    }
}

/// All whole rows of a file; a last line without its end was torn when the writer died.
pub fn read(path: &Path) -> Result<Vec<Row>, ReadError> {
    let bytes = fs::read(path).map_err(ReadError::System)?;
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut rows = Vec::new();
    for (index, line) in whole.lines().enumerate() {
        if index == 0 {
            let older = &COLUMNS[..COLUMNS.len() - 1];
            if line != COLUMNS.join(",") && line != older.join(",") {
                return Err(ReadError::Line(
                    1,
                    format!("expected the columns {}", COLUMNS.join(",")),
                ));
            }
            continue;
        }
        rows.push(Row::from_line(line).map_err(|it| ReadError::Line(index + 1, it))?);
    }
    Ok(rows)
}

fn is_finished(task: &Task, rows: &[&Row]) -> bool {
    match &task.definition {
        Ok(definition) => definition.truth.iter().all(|(property, truth)| {
            rows.iter()
                .any(|it| it.property == property.name() && it.expected == Some(*truth))
        }),
        Err(_) => rows.iter().any(|it| it.property.is_empty()),
    }
}

/// In the order of names, the last of equal ones.
fn sorted(rows: Vec<Row>) -> Vec<Row> {
    let mut last: BTreeMap<(String, usize, String), Row> = BTreeMap::new();
    for row in rows {
        let (program, order, property) = row.sort_key();
        last.insert((program.to_owned(), order, property.to_owned()), row);
    }
    last.into_values().collect()
}

/// Writes the whole file anew, in one step for whoever reads it or kills us.
fn replace(path: &Path, rows: &[Row]) -> io::Result<()> {
    let mut text = heading();
    text.extend(rows.iter().map(Row::to_line));
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let new = PathBuf::from(name);
    fs::write(&new, text)?;
    fs::rename(&new, path)
}

fn heading() -> String {
    COLUMNS.join(",") + "\n"
}
