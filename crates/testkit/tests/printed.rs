//! What the binary prints for machines keeps to its schemas, and no field vanishes unnoticed.

use raddle_testkit::{printed, walk};

#[test]
fn what_the_binary_prints_for_machines_keeps_to_its_schema_and_its_fields() {
    let root = walk::repository_root();
    for printed in printed::all(&root).unwrap() {
        assert_eq!(
            printed.schema_problems(&root).unwrap(),
            Vec::<String>::new()
        );
        assert_eq!(
            printed.fields().problems(&root).unwrap(),
            Vec::<String>::new()
        );
        if printed.name == "bench" {
            let report = &printed.outputs[0];
            assert_eq!(report["wrong"].as_array().map(Vec::len), Some(0));
            assert_eq!(report["total"]["crashed"], 0);
            assert_eq!(report["total"]["error"], 0);
            assert_eq!(report["is_complete"], true);
        }
    }
}
