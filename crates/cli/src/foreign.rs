//! Words that belong to other tools: options of C compilers, which are handed on, and of other verifiers, which get an answer.
//!
//! People paste `$CFLAGS`. What begins with one `-` and is none of our own short options is the compiler's, and goes where
//! its options go, behind `--`; there it is judged like any other: obeyed, ignored, or refused because it changes what the
//! program means.

use std::ffi::OsString;

/// The commands, and whether they read C.
const COMMANDS: [(&str, bool); 12] = [
    // All of its words are the compiler's.
    ("cc", false),
    ("check", true),
    ("test", true),
    ("run", true),
    ("compare", true),
    ("movers", true),
    ("dump", true),
    ("replay", false),
    ("bench", false),
    ("explain", false),
    ("completions", false),
    ("man", false),
];

/// Our own options of one letter; those that take a value may have it behind them.
const OWN: [char; 7] = ['I', 'D', 'U', 'q', 'v', 'h', 'V'];

/// Options of compilers whose value is the next word.
const WITH_VALUE: [&str; 13] = [
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "-iprefix",
    "-x",
    "-L",
    "-MF",
    "-MT",
    "-MQ",
    "-Xpreprocessor",
];

/// Options of compilers that only say what is made of the program.
const OF_OUTPUT: [&str; 4] = ["-c", "-o", "-S", "-E"];

/// The arguments with the compiler's options behind `--`.
pub(crate) fn handed_on(arguments: Vec<OsString>) -> Vec<OsString> {
    let command = |word: &OsString| COMMANDS.iter().find(|(name, _)| word == name);
    let found = arguments
        .iter()
        .enumerate()
        .skip(1)
        .find_map(|(at, word)| Some((at, command(word)?)));
    let Some((command, (_, true))) = found else {
        return arguments;
    };
    let mut own = Vec::new();
    let mut theirs: Vec<OsString> = Vec::new();
    let mut rest = Vec::new();
    let mut words = arguments.into_iter().enumerate();
    while let Some((at, word)) = words.next() {
        if at <= command {
            own.push(word);
        } else if word == "--" {
            rest.extend(words.map(|(_, it)| it));
            break;
        } else if !is_of_compiler(&word) {
            own.push(word);
        } else if word == "-o" {
            // Nothing is written.
            words.next();
        } else if !OF_OUTPUT.iter().any(|it| word == *it) {
            let has_value = WITH_VALUE.iter().any(|it| word == *it);
            theirs.push(word);
            if has_value {
                theirs.extend(words.next().map(|(_, it)| it));
            }
        }
    }
    theirs.extend(rest);
    if !theirs.is_empty() {
        own.push("--".into());
        own.extend(theirs);
    }
    own
}

fn is_of_compiler(word: &OsString) -> bool {
    let Some(text) = word.to_str() else {
        return false;
    };
    let mut characters = text.chars();
    let is_short = characters.next() == Some('-');
    // Of `-p` and its kin, compilers have `-pthread`, `-pipe` and `-pedantic`.
    if text == "-p" {
        return false;
    }
    let letter = characters.next();
    is_short && letter.is_some_and(|it| it.is_ascii_alphabetic() && !OWN.contains(&it))
}

/// What to say to somebody who comes from another tool, in one line.
pub(crate) fn answer(option: &str) -> Option<&'static str> {
    let name = option.split('=').next().unwrap_or(option);
    let rows = ANSWERS.iter();
    rows.filter(|(names, _)| names.contains(&name))
        .map(|(_, answer)| *answer)
        .next()
}

const ANSWERS: [(&[&str], &str); 9] = [
    (
        &[
            "--unwind",
            "--unwindset",
            "--unroll",
            "--depth",
            "--unwinding-assertions",
            "--no-unwinding-assertions",
            "--partial-loops",
        ],
        "loops need no bound here: leave it out, and bound the run by `--timeout` and `--memory`",
    ),
    (
        &[
            "--bounds-check",
            "--pointer-check",
            "--memory-safety",
            "--memcheck",
        ],
        "this is the property `memory`, which is checked by default; `--property memory` checks nothing else",
    ),
    (
        &["--memory-leak-check", "--memory-cleanup-check"],
        "say `--property memory` for lost memory, `--property leak` for what is not freed at the end",
    ),
    (
        &[
            "--signed-overflow-check",
            "--overflow-check",
            "--no-overflow",
        ],
        "say `--property overflow`",
    ),
    (
        &["--data-races-check", "--race-detection", "--check-races"],
        "this is the property `race`, which is checked by default; `--property race` checks nothing else",
    ),
    (
        &["--deadlock-check", "--check-liveness"],
        "this is the property `deadlock`, which is checked by default; `--property deadlock` checks nothing else",
    ),
    (
        &[
            "--rc11", "--imm", "--sc", "--tso", "--pso", "--ra", "--lkmm", "--mm",
        ],
        "executions are sequentially consistent; where the program writes a weaker order, `race` says what follows from that",
    ),
    (
        &[
            "--z3",
            "--smt2",
            "--boolector",
            "--bitwuzla",
            "--cvc4",
            "--cvc5",
            "--minisat2",
        ],
        "a solver is built in: say `--engine bmc`, and `--dump-smt FILE` for the last question",
    ),
    (
        &["--function", "--entry"],
        "the program begins at `main`; write one that calls the function, in a file of its own",
    ),
];

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn handed(text: &str) -> String {
        let words = text.split_whitespace().map(OsString::from).collect();
        let words: Vec<String> = handed_on(words)
            .into_iter()
            .map(|it| it.to_string_lossy().into_owned())
            .collect();
        words.join(" ")
    }

    #[test]
    fn options_of_compilers_are_handed_on_with_their_values() {
        for (typed, handed_over) in [
            (
                "raddle check -Wall -pthread -O2 -std=c11 -include f.h a.c",
                "raddle check a.c -- -Wall -pthread -O2 -std=c11 -include f.h",
            ),
            (
                "raddle check -I inc -Iother -DX=1 -q a.c",
                "raddle check -I inc -Iother -DX=1 -q a.c",
            ),
            (
                "raddle -q check a.c -g -- -ansi",
                "raddle -q check a.c -- -g -ansi",
            ),
            ("raddle check -c -o a.o a.c -lm", "raddle check a.c -- -lm"),
            ("raddle check --language c -", "raddle check --language c -"),
            (
                "raddle check --timeout -5 a.rad",
                "raddle check --timeout -5 a.rad",
            ),
            ("raddle explain -Wall", "raddle explain -Wall"),
            (
                "raddle bench tests -- --engine bmc",
                "raddle bench tests -- --engine bmc",
            ),
            ("raddle check a.c --", "raddle check a.c"),
            (
                "raddle check -pthread -p build -pipe --main a.c",
                "raddle check -p build --main a.c -- -pthread -pipe",
            ),
            ("raddle cc -c a.c -Wall", "raddle cc -c a.c -Wall"),
        ] {
            assert_eq!(handed(typed), handed_over);
        }
    }

    #[test]
    fn options_of_other_verifiers_are_answered_and_none_of_them_is_ours() {
        assert!(answer("--unwind").is_some_and(|it| it.contains("no bound")));
        assert_eq!(answer("--unroll=3"), answer("--unwind"));
        assert_eq!(answer("--timeout"), None);
        let ours = crate::command_line::Arguments::command();
        for command in ours.get_subcommands() {
            for argument in command.get_arguments() {
                let Some(name) = argument.get_long() else {
                    continue;
                };
                assert_eq!(answer(&format!("--{name}")), None);
            }
        }
    }
}
