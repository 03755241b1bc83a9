//! Wrong input and usage: a message with place and remedy, status 2, never a panic.

mod support;

use support::{SAFE, file, run, run_with_input};

#[test]
fn a_missing_file() {
    run(&["check", "no-such-file.rad"])
        .is_refused_with(&["error[input]: cannot read `no-such-file.rad`", "= help:"]);
}

#[test]
fn a_directory() {
    std::fs::create_dir_all(support::folder().join("a-folder.rad")).unwrap();
    run(&["check", "a-folder.rad"]).is_refused_with(&["`a-folder.rad` is a directory", "= help:"]);
}

#[test]
fn a_binary_file() {
    let name = file("binary.rad", [0x7f, b'E', b'L', b'F', 0, 0, 1]);
    run(&["check", &name]).is_refused_with(&["`binary.rad` is a binary file", "= help:"]);
}

#[test]
fn text_that_is_not_utf8() {
    let name = file("latin1.rad", b"// caf\xe9\n");
    run(&["check", &name]).is_refused_with(&["`latin1.rad` is not valid UTF-8: byte 6", "= help:"]);
}

#[test]
fn ten_megabytes_of_brackets() {
    for bracket in ["(", "[", "{", "!", "-", "*"] {
        let text = format!("fn main() {{ let a = {}", bracket.repeat(10_000_000));
        let name = file("brackets.rad", text);
        let it = run(&["check", &name]);
        it.is_refused_with(&["brackets.rad:1:", "error["]);
        assert!(it.stderr.len() < 20_000, "the message is short");
    }
}

#[test]
fn ten_megabytes_of_open_blocks() {
    let text = format!("fn main() {{ {}", "if true {\n".repeat(1_000_000));
    let name = file("blocks.rad", text);
    run(&["check", &name]).is_refused_with(&["blocks.rad:", "error["]);
}

#[test]
fn an_empty_file_says_that_there_is_nothing_to_run() {
    let name = file("empty.rad", "");
    let it = run(&["check", &name]);
    assert!(matches!(it.code, Some(0 | 2)), "{it:?}");
}

#[test]
fn a_syntax_error_has_a_place() {
    let name = file("syntax.rad", "var x: u8\nthread t { x = = 1 }\n");
    run(&["check", &name]).is_refused_with(&["error[", "syntax.rad:2:"]);
}

#[test]
fn a_name_that_does_not_exist_has_a_place() {
    let name = file("name.rad", "thread t { y = 1 }\n");
    run(&["check", &name]).is_refused_with(&["error[", "name.rad:1:", "`y`"]);
}

#[test]
fn a_file_of_unknown_language() {
    let name = file("program.txt", SAFE);
    run(&["check", &name])
        .is_refused_with(&["the language of `program.txt` is unknown", "--language rad"]);
    assert_eq!(run(&["check", "--language", "rad", &name]).code, Some(0));
}

#[test]
fn standard_input_without_its_language() {
    run_with_input(&["check", "-"], b"").is_refused_with(&["--language rad"]);
}

#[test]
fn the_same_file_twice() {
    let name = file("twice.rad", SAFE);
    run(&["check", &name, &name]).is_refused_with(&["`twice.rad` is given more than once"]);
}

#[test]
fn unknown_and_contradictory_flags() {
    run(&["check", "--no-such-flag", "a.rad"]).is_refused_with(&["--no-such-flag"]);
    run(&["check", "-q", "-v", "a.rad"]).is_refused_with(&["--quiet", "--verbose"]);
    run(&["check"]).is_refused_with(&["<FILE>"]);
    run(&["chekc", "a.rad"]).is_refused_with(&["check"]);
}

#[test]
fn mistyped_values_list_the_valid_ones_and_the_nearest() {
    run(&["check", "--property", "dedlock", "a.rad"]).is_refused_with(&[
        "dedlock",
        "similar value exists: 'deadlock'",
        "lock-misuse",
    ]);
    run(&["check", "--engine", "ic4", "a.rad"]).is_refused_with(&[
        "similar value exists: 'ic3'",
        "auto, reference, explicit, bmc, static",
    ]);
    run(&["check", "--reduction", "phased", "a.rad"])
        .is_refused_with(&["similar value exists: 'phase'", "optimistic"]);
    run(&["check", "--timeout", "-1", "a.rad"]).is_refused_with(&["--timeout"]);
    run(&["check", "--timeout", "soon", "a.rad"]).is_refused_with(&["a number of seconds"]);
    run(&["check", "--max-threads", "0", "a.rad"]).is_refused_with(&["at least 1"]);
    run(&["check", "--jobs", "0", "a.rad"]).is_refused_with(&["--jobs"]);
    run(&["check", "--color", "red", "a.rad"]).is_refused_with(&["auto, always, never"]);
}

#[test]
fn a_reduction_that_the_engine_does_not_have() {
    for engine in ["reference", "static"] {
        let arguments = ["check", "--engine", engine, "--reduction", "phase", "a.rad"];
        run(&arguments).is_refused_with(&[
            &format!("the engine `{engine}` has no reduction `phase`; it has `none`"),
            "`--engine explicit`",
        ]);
    }
}

#[test]
fn the_fewest_switches_of_an_engine_that_does_not_count_them() {
    for engine in ["reference", "static"] {
        run(&["check", "--shortest", "--engine", engine, "a.rad"]).is_refused_with(&[
            &format!("the engine `{engine}` does not look for the fewest switches of thread"),
            "leave out `--shortest`, or use `--engine auto` or `--engine explicit`",
        ]);
    }
}

#[test]
fn a_trace_that_cannot_be_written() {
    let name = file("untraceable.rad", support::RACE);
    let it = run(&["check", "--trace", "no/such/folder/t.json", &name]);
    assert_eq!(it.code, Some(2), "{it:?}");
    assert!(it.stderr.contains("cannot write the trace"), "{it:?}");
}

#[test]
fn a_trace_that_would_overwrite_the_program() {
    let name = file("own-trace.rad", SAFE);
    run(&["check", "--trace", &name, &name])
        .is_refused_with(&["would overwrite the program `own-trace.rad`", "= help:"]);
    let text = std::fs::read_to_string(support::folder().join(&name)).unwrap();
    assert_eq!(text, SAFE);
}

#[test]
fn a_trace_in_no_folder_is_noticed_before_the_search() {
    let name = file("nowhere.rad", support::ENDLESS);
    run(&[
        "check",
        "--timeout",
        "0",
        "--trace",
        "no-folder/t.json",
        &name,
    ])
    .is_refused_with(&["cannot write the trace to `no-folder/t.json`", "= help:"]);
}

#[test]
fn a_trace_to_standard_output() {
    let name = file("to-stdout.rad", SAFE);
    run(&["check", "--trace", "-", &name]).is_refused_with(&["cannot be written", "= help:"]);
}

#[test]
fn a_trace_to_a_pipe_that_nobody_reads() {
    let name = file("to-pipe.rad", support::RACE);
    let pipe = support::folder().join("to-pipe.fifo");
    let _ = std::fs::remove_file(&pipe);
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    run(&["check", "--trace", "to-pipe.fifo", &name])
        .is_refused_with(&["`to-pipe.fifo` is a pipe", "= help:"]);
}

#[test]
fn a_time_out_longer_than_the_clock_can_count() {
    let name = file("for-ever.rad", SAFE);
    for command in ["check", "compare"] {
        let it = run(&[command, "--timeout", "18446744073709549568", &name]);
        assert_eq!(it.code, Some(0), "{it:?}");
    }
}

#[test]
fn a_file_without_end() {
    if std::path::Path::new("/dev/zero").exists() {
        run(&["check", "--language", "rad", "/dev/zero"])
            .is_refused_with(&["`/dev/zero` is larger than 256 MiB", "= help:"]);
    }
}

#[test]
fn a_trace_that_fails_at_the_end_gives_report_and_process_one_exit_code() {
    if std::path::Path::new("/dev/full").exists() {
        let name = file("full.rad", support::RACE);
        let it = run(&["check", "--format", "json", "--trace", "/dev/full", &name]);
        assert_eq!(it.code, Some(2), "{it:?}");
        assert!(it.stdout.contains("\"exit_code\": 2"), "{it:?}");
        assert!(it.stderr.contains("cannot write the trace"), "{it:?}");
    }
}

#[test]
fn a_data_model_that_contradicts_the_program() {
    let name = file("model.rad", format!("{SAFE}model ilp32\n"));
    run(&["check", "--data-model", "lp64", &name]).is_refused_with(&[
        "the data model `lp64` contradicts `model ilp32`",
        "model.rad:9:1",
        "= help: leave out `--data-model`, or the line in the program",
    ]);
    for arguments in [&["check"][..], &["check", "--data-model", "ilp32"]] {
        let mut arguments = arguments.to_vec();
        arguments.push(&name);
        assert_eq!(run(&arguments).code, Some(0));
    }
}
