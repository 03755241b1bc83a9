//! What `raddle bench --json` prints, on programs of the repository.

use std::fs;

use raddle_testkit::{binary, schema, walk};
use serde_json::Value;

#[test]
fn the_report_of_bench_keeps_to_its_schema_and_finds_nothing_wrong() {
    let root = walk::repository_root();
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let schema: Value = serde_json::from_str(&read("docs/bench.schema.json")).unwrap();
    for timing in [&[][..], &["--no-timing"]] {
        let mut arguments = vec!["bench", "--json", "--every", "4", "tests", "examples"];
        arguments.extend(timing);
        let report: Value =
            serde_json::from_str(&binary::output_of(&root, &arguments).unwrap()).unwrap();
        let problems = schema::problems(&schema, &report);
        assert!(problems.is_empty(), "{problems:#?}");
        assert_eq!(report["wrong"].as_array().map(Vec::len), Some(0));
        assert_eq!(report["total"]["crashed"], 0);
        assert_eq!(report["total"]["error"], 0);
        assert_eq!(report["is_complete"], true);
        let has_seconds = report["rows"][0].get("seconds").is_some();
        assert_eq!(has_seconds, timing.is_empty());
    }
}
