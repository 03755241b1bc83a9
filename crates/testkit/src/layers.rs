//! Who may depend on whom (docs/ARCHITECTURE.md).

use serde_json::Value;

/// Who may depend on whom. A new edge is a design change: alter this table in
/// the same commit and say why in the commit message.
pub const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("diag", &["base"]),
    ("logic", &["base"]),
    ("ic3", &["base", "logic"]),
    ("bdd", &["base"]),
    ("wpds", &["base", "bdd"]),
    ("ir", &["base", "diag"]),
    ("stepper", &["base", "ir"]),
    ("front_rad", &["base", "diag", "ir"]),
    ("c_syntax", &["base", "diag"]),
    ("front_c", &["base", "diag", "ir", "c_syntax"]),
    // What builds know of a program in C: the driver reads it, the stand-in for compilers writes it.
    ("project", &["base", "c_syntax", "front_c"]),
    ("analysis", &["base", "diag", "ir"]),
    ("reduce", &["base", "diag", "ir", "stepper", "analysis"]),
    ("engine", &["base", "diag", "ir"]),
    (
        "certify",
        &["base", "diag", "ir", "stepper", "engine", "logic"],
    ),
    (
        "encode",
        &[
            "base", "diag", "ir", "engine", "reduce", "analysis", "logic",
        ],
    ),
    // The meaning of edges is that of `encode`; here loops stay loops.
    (
        "flat",
        &["base", "ir", "engine", "reduce", "logic", "encode"],
    ),
    (
        "engine_reference",
        &["base", "diag", "ir", "stepper", "engine"],
    ),
    ("engine_sample", &["base", "ir", "stepper", "engine"]),
    (
        "engine_explicit",
        &[
            "base", "diag", "ir", "stepper", "engine", "reduce", "analysis",
        ],
    ),
    (
        "engine_bmc",
        &[
            "base", "diag", "ir", "stepper", "engine", "reduce", "analysis", "logic", "encode",
        ],
    ),
    (
        "engine_ic3",
        &[
            "base", "ir", "stepper", "engine", "certify", "logic", "flat", "ic3",
        ],
    ),
    (
        "engine_mat",
        &[
            "base", "diag", "ir", "stepper", "engine", "reduce", "analysis", "logic", "encode",
        ],
    ),
    (
        "engine_static",
        &["base", "diag", "ir", "engine", "analysis"],
    ),
    (
        "engine_wpds",
        &[
            "base", "diag", "ir", "stepper", "engine", "analysis", "bdd", "wpds",
        ],
    ),
    // Knows traces and how programs step; what it makes of a trace is certified like any other.
    ("minimise", &["base", "ir", "stepper", "engine"]),
    ("witness", &["base", "diag", "ir", "engine"]),
    (
        "driver",
        &[
            "base",
            "diag",
            "ir",
            "stepper",
            "front_rad",
            "c_syntax",
            "front_c",
            "project",
            "engine",
            "engine_reference",
            "engine_sample",
            "engine_explicit",
            "engine_bmc",
            "engine_ic3",
            "engine_mat",
            "engine_static",
            "engine_wpds",
            "flat",
            "certify",
            "minimise",
            "witness",
        ],
    ),
    (
        "report",
        &["base", "diag", "ir", "engine", "witness", "driver"],
    ),
    (
        "movers",
        &[
            "base",
            "diag",
            "ir",
            "engine",
            "engine_explicit",
            "engine_mat",
            "reduce",
            "driver",
        ],
    ),
    ("tasks", &["base", "diag", "ir"]),
    ("bench", &["diag", "ir", "report", "tasks"]),
    (
        "cli",
        &[
            "base", "diag", "driver", "report", "movers", "tasks", "bench", "project",
        ],
    ),
    ("generate", &["base", "diag", "ir"]),
    (
        "testkit",
        &[
            "base",
            "diag",
            "ir",
            "stepper",
            "front_rad",
            "c_syntax",
            "front_c",
            "reduce",
            "bdd",
            "engine",
            "engine_bmc",
            "engine_explicit",
            "engine_wpds",
            "certify",
            "minimise",
            "witness",
            "driver",
            "report",
            "tasks",
            "cli",
            "generate",
        ],
    ),
    (
        "xtask",
        &[
            "base",
            "diag",
            "ir",
            "front_rad",
            "c_syntax",
            "front_c",
            "engine_wpds",
            "driver",
            "tasks",
            "cli",
            "generate",
            "testkit",
        ],
    ),
];

pub fn is_allowed(from: &str, to: &str) -> bool {
    LAYERS
        .iter()
        .find(|(name, _)| *name == from)
        .is_some_and(|(_, may)| may.contains(&to))
}

/// What breaks the table, in the output of `cargo metadata --no-deps`. Tests may use what they like.
pub fn problems(metadata: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let empty = Vec::new();
    for package in metadata["packages"].as_array().unwrap_or(&empty) {
        let from = crate_name(package["name"].as_str().unwrap_or_default());
        if !LAYERS.iter().any(|(name, _)| *name == from) {
            found.push(format!(
                "crate `{from}` is not in the table LAYERS; say there what it may use"
            ));
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap_or(&empty) {
            // Dependencies of the project itself have a path.
            if dependency["path"].is_null() || dependency["kind"] == "dev" {
                continue;
            }
            let to = crate_name(dependency["name"].as_str().unwrap_or_default());
            if !is_allowed(&from, &to) {
                found.push(format!("`{from}` may not depend on `{to}`"));
            }
        }
    }
    found
}

/// The name of the folder: `raddle-engine-reference` lies in `engine_reference`, `raddle` itself in `cli`.
fn crate_name(package: &str) -> String {
    match package {
        "raddle" => "cli".into(),
        _ => package
            .strip_prefix("raddle-")
            .unwrap_or(package)
            .replace('-', "_"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arrows_go_up_the_table_only() {
        for (index, (name, may)) in LAYERS.iter().enumerate() {
            for other in *may {
                let at = LAYERS.iter().position(|(it, _)| it == other);
                assert!(at.is_some_and(|at| at < index), "`{name}` uses `{other}`");
            }
        }
    }

    #[test]
    fn engines_do_not_know_one_another_and_certify_knows_none() {
        let is_engine = |name: &str| name.starts_with("engine_");
        for (name, may) in LAYERS {
            if is_engine(name) || *name == "certify" {
                assert!(!may.iter().any(|it| is_engine(it)), "{name}");
                assert!(!may.iter().any(|it| it.starts_with("front_")), "{name}");
            }
        }
    }

    #[test]
    fn a_forbidden_edge_and_an_unknown_crate_are_reported() {
        let metadata = json!({ "packages": [
            { "name": "raddle-ir", "dependencies": [
                { "name": "raddle-base", "path": "x", "kind": null },
                { "name": "raddle-driver", "path": "x", "kind": "dev" },
                { "name": "serde", "path": null, "kind": null },
                { "name": "raddle-engine-reference", "path": "x", "kind": null } ] },
            { "name": "raddle-quick", "dependencies": [] }
        ] });
        assert_eq!(
            problems(&metadata),
            [
                "`ir` may not depend on `engine_reference`",
                "crate `quick` is not in the table LAYERS; say there what it may use",
            ]
        );
    }
}
