//! The reports as machines read them, `docs/bench.schema.json` and `docs/bench-diff.schema.json`.

use std::path::Path;

use raddle_report::Timing;
use serde_json::{Map, Value, json};

use crate::Notes;
use crate::difference::Difference;
use crate::pool::Setup;
use crate::row::{Row, truth_word};
use crate::summary::{Counts, Summary};

/// A change that a reader of an older version would misunderstand raises it.
const VERSION: u32 = 1;
const DIFFERENCE_VERSION: u32 = 1;

pub fn render(
    summary: &Summary,
    rows: &[Row],
    setup: &Setup,
    notes: &Notes,
    timing: Timing,
) -> String {
    let groups: Vec<Value> = summary
        .groups
        .iter()
        .map(|group| {
            json!({
                "folder": group.folder,
                "property": name(&group.property),
                "counts": counts(&group.counts, timing),
            })
        })
        .collect();
    let left_out: Vec<Value> = notes
        .left_out
        .iter()
        .map(|(what, count)| json!({ "what": what, "count": count }))
        .collect();
    let report = json!({
        "version": VERSION,
        "settings": {
            "timeout_seconds": setup.timeout.as_secs_f64(),
            "memory_mb": setup.memory_mb,
            "jobs": setup.jobs,
            "options": setup.options,
        },
        "is_complete": notes.missing == 0,
        "programs": summary.programs,
        "total": counts(&summary.total, timing),
        "groups": groups,
        "wrong": all(&summary.wrong, timing),
        "left_out": left_out,
        "rows": all(rows, timing),
    });
    format!("{report:#}\n")
}

/// How two runs differ.
pub fn difference(
    difference: &Difference<'_>,
    before: &Path,
    after: &Path,
    timing: Timing,
) -> String {
    let changed: Vec<Value> = difference
        .changed
        .iter()
        .map(|(old, new)| json!({ "before": row(old, timing), "after": row(new, timing) }))
        .collect();
    let counts: Map<String, Value> = difference
        .counts()
        .into_iter()
        .map(|(name, old, new)| (name.to_owned(), json!({ "before": old, "after": new })))
        .collect();
    let mut report = json!({
        "version": DIFFERENCE_VERSION,
        "before": before.display().to_string(),
        "after": after.display().to_string(),
        "compared": difference.common.len(),
        "wrong": all(difference.wrong.iter().copied(), timing),
        "changed": changed,
        "only_before": all(difference.only_before.iter().copied(), timing),
        "only_after": all(difference.only_after.iter().copied(), timing),
        "counts": counts,
    });
    if timing == Timing::Shown {
        let (old, new) = difference.seconds;
        report["seconds"] = json!({ "before": old, "after": new });
        report["slower_or_faster"] = difference
            .notable
            .iter()
            .map(|(program, old, new)| json!({ "program": program, "before": old, "after": new }))
            .collect();
    }
    format!("{report:#}\n")
}

fn all<'a>(rows: impl IntoIterator<Item = &'a Row>, timing: Timing) -> Vec<Value> {
    rows.into_iter().map(|it| row(it, timing)).collect()
}

fn row(row: &Row, timing: Timing) -> Value {
    let mut value = json!({
        "program": row.program,
        "property": name(&row.property),
        "expected": row.expected.map(truth_word),
        "verdict": row.answer.word(),
        "reason": name(&row.reason),
        "certified": row.certified,
        "states": row.states,
        "answered_by": name(&row.answered_by),
    });
    if timing == Timing::Shown {
        value["seconds"] = json!(row.seconds);
        value["peak_memory_mb"] = json!(row.peak_memory_mb);
    }
    value
}

fn counts(counts: &Counts, timing: Timing) -> Value {
    let reasons = |of: &[(&str, usize)]| -> Vec<Value> {
        of.iter()
            .map(|(reason, count)| json!({ "reason": reason, "count": count }))
            .collect()
    };
    let mut value = json!({
        "right_true": counts.right_true,
        "right_false": counts.right_false,
        "wrong": counts.wrong,
        "unknown": counts.unknown,
        "crashed": counts.crashed,
        "error": counts.error,
        "unknown_reasons": reasons(&counts.unknown_reasons()),
        "error_reasons": reasons(&counts.error_reasons()),
    });
    if timing == Timing::Shown {
        value["seconds"] = json!(counts.seconds);
    }
    value
}

/// Nothing instead of an empty text.
fn name(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}
