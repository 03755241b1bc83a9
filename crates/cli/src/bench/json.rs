//! The report as machines read it, `docs/bench.schema.json`.

use raddle::Timing;
use serde_json::{Value, json};

use super::Notes;
use super::pool::Setup;
use super::row::{Row, truth_word};
use super::summary::{Counts, Summary};

/// A change that a reader of an older version would misunderstand raises it.
const VERSION: u32 = 1;

pub(crate) fn render(
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

fn all(rows: &[Row], timing: Timing) -> Vec<Value> {
    rows.iter().map(|it| row(it, timing)).collect()
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
