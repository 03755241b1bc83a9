//! What `raddle compare --format json` prints is what its schema says.

use std::fs;

use raddle_testkit::{binary, schema, walk};
use serde_json::Value;

#[test]
fn comparisons_fit_their_schema() {
    let root = walk::repository_root();
    let text = fs::read_to_string(root.join("docs/comparison.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    for arguments in [
        vec!["examples/bank.rad"],
        vec!["--no-timing", "examples/papers/sc-barrier.rad"],
        vec![
            "--property",
            "atomic-sets",
            "examples/papers/as-listing1-stack.rad",
        ],
    ] {
        let mut all = vec!["compare", "--format", "json"];
        all.extend(&arguments);
        let said = binary::output_of(&root, &all).unwrap();
        let comparison: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(
            schema::problems(&schema, &comparison),
            Vec::<String>::new(),
            "{arguments:?}"
        );
    }
}
