//! What the documents show is what the tool prints.

use raddle_testkit::{console, walk};

#[test]
fn documents_show_what_the_tool_prints() {
    let root = walk::repository_root();
    let mut commands = 0;
    for (name, text) in console::documents(&root).unwrap() {
        let runner = console::Runner::new(&root, &text).unwrap();
        let now = console::rewritten(&text, |command| {
            commands += 1;
            runner.output_of(command)
        });
        match now {
            Ok(now) => assert_eq!(
                now, text,
                "`{name}`; `cargo xtask bless {name}` rewrites it"
            ),
            Err(problem) => panic!("`{name}`: {problem}"),
        }
    }
    assert!(commands > 5, "the README and the tutorial show runs");
}
