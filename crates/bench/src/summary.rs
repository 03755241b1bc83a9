//! Counts rows: by folder and property, by property, and in all.

use std::collections::{BTreeMap, BTreeSet};

use crate::row::{Rating, Row, property_order};

/// How many reasons are shown of each kind.
const COMMONEST: usize = 3;

/// What is counted of some rows.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    pub right_true: usize,
    pub right_false: usize,
    pub wrong: usize,
    pub unknown: usize,
    pub crashed: usize,
    pub error: usize,
    pub seconds: f64,
    reasons_of_unknown: BTreeMap<String, usize>,
    reasons_of_error: BTreeMap<String, usize>,
}

impl Counts {
    fn add(&mut self, row: &Row) {
        self.seconds += row.seconds;
        let of_reason = match row.rating() {
            Rating::RightTrue => {
                self.right_true += 1;
                return;
            }
            Rating::RightFalse => {
                self.right_false += 1;
                return;
            }
            Rating::Wrong => {
                self.wrong += 1;
                return;
            }
            Rating::Crashed => {
                self.crashed += 1;
                return;
            }
            Rating::Unknown => {
                self.unknown += 1;
                &mut self.reasons_of_unknown
            }
            Rating::Error => {
                self.error += 1;
                &mut self.reasons_of_error
            }
        };
        *of_reason.entry(row.reason.clone()).or_default() += 1;
    }

    /// The three commonest reasons of unknown verdicts, with how often each is given.
    pub fn unknown_reasons(&self) -> Vec<(&str, usize)> {
        commonest(&self.reasons_of_unknown)
    }

    /// The same of programs that were refused.
    pub fn error_reasons(&self) -> Vec<(&str, usize)> {
        commonest(&self.reasons_of_error)
    }
}

/// The commonest first, equally common ones in the order of their text.
fn commonest(reasons: &BTreeMap<String, usize>) -> Vec<(&str, usize)> {
    let mut all: Vec<(&str, usize)> = reasons
        .iter()
        .map(|(text, n)| (text.as_str(), *n))
        .collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all.truncate(COMMONEST);
    all
}

/// The rows of one folder and property.
#[derive(Clone, Debug)]
pub struct Group {
    pub folder: String,
    /// Empty where the definition of a task is broken.
    pub property: String,
    pub counts: Counts,
}

#[derive(Clone, Debug)]
pub struct Summary {
    /// In the order of folders, then of properties.
    pub groups: Vec<Group>,
    /// By property.
    pub of_property: Vec<(String, Counts)>,
    /// Its seconds count each program once.
    pub total: Counts,
    pub programs: usize,
    /// By who answered; rows without a verdict, and those of older versions, are in none.
    pub of_answerer: Vec<(String, Counts)>,
    pub wrong: Vec<Row>,
    pub crashed: Vec<Row>,
}

impl Summary {
    /// Of rows in order.
    pub fn new(rows: &[Row]) -> Self {
        let mut groups: BTreeMap<(&str, usize, &str), Counts> = BTreeMap::new();
        let mut of_property: BTreeMap<(usize, &str), Counts> = BTreeMap::new();
        let mut of_answerer: BTreeMap<&str, Counts> = BTreeMap::new();
        let mut total = Counts::default();
        for row in rows {
            let property = (property_order(&row.property), row.property.as_str());
            groups
                .entry((row.folder(), property.0, property.1))
                .or_default()
                .add(row);
            of_property.entry(property).or_default().add(row);
            total.add(row);
            if !row.answered_by.is_empty() {
                of_answerer.entry(&row.answered_by).or_default().add(row);
            }
        }
        let of_program: BTreeMap<&str, f64> = rows
            .iter()
            .map(|it| (it.program.as_str(), it.seconds))
            .collect();
        total.seconds = of_program.values().fold(0.0, |sum, it| sum + it);
        let rated = |rating| {
            rows.iter()
                .filter(|it| it.rating() == rating)
                .cloned()
                .collect::<Vec<Row>>()
        };
        Self {
            groups: groups
                .into_iter()
                .map(|((folder, _, property), counts)| Group {
                    folder: folder.to_owned(),
                    property: property.to_owned(),
                    counts,
                })
                .collect(),
            of_property: of_property
                .into_iter()
                .map(|((_, property), counts)| (property.to_owned(), counts))
                .collect(),
            total,
            programs: rows
                .iter()
                .map(|it| it.program.as_str())
                .collect::<BTreeSet<_>>()
                .len(),
            of_answerer: of_answerer
                .into_iter()
                .map(|(name, counts)| (name.to_owned(), counts))
                .collect(),
            wrong: rated(Rating::Wrong),
            crashed: rated(Rating::Crashed),
        }
    }
}
