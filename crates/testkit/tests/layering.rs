//! The direction of dependencies between the crates, and the order inside them.

use std::process::Command;

use raddle_testkit::{definition, flags, layers, modules, walk};

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        .current_dir(walk::repository_root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata failed");
    let metadata = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(layers::problems(&metadata), Vec::<String>::new());
}

#[test]
fn modules_form_no_cycle_and_types_have_names_of_their_own() {
    let crates = layers::LAYERS.iter().map(|it| it.0);
    let problems = modules::problems(crates.filter(|it| *it != "xtask")).unwrap();
    assert_eq!(problems, Vec::<String>::new());
}

#[test]
fn options_are_named_by_the_command_line_alone() {
    let crates = layers::LAYERS.iter().map(|it| it.0);
    assert_eq!(flags::problems(crates).unwrap(), Vec::<String>::new());
}

#[test]
fn the_definition_of_meaning_is_small_enough_to_be_read() {
    assert_eq!(definition::problems().unwrap(), Vec::<String>::new());
}
