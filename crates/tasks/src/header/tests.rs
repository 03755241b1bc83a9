use super::*;

const DEFAULT: &str =
    "//@ truth: assert=safe race=unsafe deadlock=safe memory=safe lock-misuse=safe\n";
const WHY: &str = "//@ why: because\n";

/// The message for a header, or `accepted`.
fn answer(header: &str) -> String {
    parse(header).map_or_else(|error| error.to_string(), |_| "accepted".into())
}

fn with_default(line: &str) -> String {
    format!("{DEFAULT}{line}\n{WHY}var x: u8\n")
}

#[test]
fn a_whole_header_is_read() {
    let text = "//@ truth:    assert=safe race=unsafe deadlock=safe\n\
                //@ truth:    memory=safe lock-misuse=safe invariant=safe\n\
                //@ expect:   reference race=unknown\n\
                //@ counters: reference.none.states=106 reference.none.transitions=7\n\
                //@ options:  --data-model ilp32\n\
                //@ why:      one\n\
                //@ why:      two\n\
                var x: u8\n";
    let header = parse(text).unwrap();
    // The two that are safe unless somebody says otherwise are there, too.
    assert_eq!(header.truth.len(), 8);
    assert_eq!(
        header.expected("reference", Property::Race),
        Some(Expected::Unknown)
    );
    assert_eq!(
        header.expected("reference", Property::Assert),
        Some(Expected::Safe)
    );
    assert_eq!(header.expected("reference", Property::Leak), None);
    assert_eq!(header.counters[0].value, 106);
    assert_eq!(header.counters[1].counter, "transitions");
    assert_eq!(header.options, ["--data-model", "ilp32"]);
    assert_eq!(header.why, ["one", "two"]);
}

#[test]
fn an_unknown_key_is_an_error() {
    assert_eq!(
        answer(&with_default("//@ thruth: race=safe")),
        "line 2: `thruth` is no key; the keys are truth, expect, counters, options, why"
    );
    assert_eq!(
        answer(&with_default("//@ truth")),
        "line 2: a header line has the form `//@ key: value`"
    );
    assert_eq!(
        answer(&with_default("//@ expect:")),
        "line 2: `expect` says nothing"
    );
}

#[test]
fn a_header_line_below_the_header_is_an_error() {
    assert_eq!(
        answer(&format!(
            "{DEFAULT}{WHY}\n//@ expect: reference race=unknown\n"
        )),
        "line 4: a `//@` line stands below the header; move it to the top"
    );
}

#[test]
fn a_wrong_verdict_cannot_be_expected() {
    assert_eq!(
        answer(&with_default("//@ expect: reference race=safe")),
        "line 2: `reference` expects a missed violation for race"
    );
    assert_eq!(
        answer(&with_default("//@ expect: reference assert=unsafe")),
        "line 2: `reference` expects a false alarm for assert"
    );
    for truth in [Truth::Safe, Truth::Unsafe] {
        assert_eq!(admit(truth, Expected::Unknown), Ok(()));
        assert_eq!(admit(truth, truth.into()), Ok(()));
    }
}

#[test]
fn every_property_checked_by_default_needs_a_truth() {
    assert_eq!(
        answer(&format!(
            "//@ truth: assert=safe race=safe deadlock=safe memory=safe\n{WHY}"
        )),
        "line 1: `truth` says nothing about lock-misuse"
    );
    assert_eq!(
        answer(WHY),
        "the program has no `//@ truth:` line; say what is true of it"
    );
    assert_eq!(
        answer(DEFAULT),
        "the program has no `//@ why:` line; say why the truth holds"
    );
}

#[test]
fn with_a_property_option_truth_speaks_of_what_is_asked() {
    let asks = |truth: &str| {
        format!("//@ truth: {truth}\n//@ options: --property leak --property memory\n{WHY}")
    };
    assert_eq!(answer(&asks("leak=unsafe memory=safe")), "accepted");
    assert_eq!(
        answer(&asks("leak=unsafe")),
        "line 1: `truth` says nothing about memory"
    );
    assert_eq!(
        answer(&asks("leak=unsafe memory=safe race=safe")),
        "line 1: `truth` speaks of race, which `options` does not ask"
    );
}

#[test]
fn words_that_are_not_known_are_errors() {
    for (line, message) in [
        (
            "//@ expect: spin race=unknown",
            "`spin` is no engine; there are reference, explicit, bmc, token, static, pushdown, sample, ic3",
        ),
        (
            "//@ expect: reference race=maybe",
            "`maybe` is no verdict; say safe, unsafe or unknown",
        ),
        (
            "//@ expect: reference race",
            "`race` must have the form `property=verdict`",
        ),
        (
            "//@ expect: reference leak=unknown",
            "`reference` expects something of leak, which has no truth",
        ),
        (
            "//@ expect: reference",
            "nothing is expected of `reference`",
        ),
        (
            "//@ truth: leak=unknown",
            "`unknown` is no truth; say safe or unsafe",
        ),
        ("//@ truth: race=safe", "`truth` speaks of race twice"),
        (
            "//@ counters: reference.states=1",
            "`reference.states=1` must have the form `engine.reduction.counter=number`",
        ),
        (
            "//@ counters: reference.none.states=many",
            "`reference.none.states=many` must have the form `engine.reduction.counter=number`",
        ),
        (
            "//@ counters: explicit.fast.states=1",
            "`fast` is no reduction of `explicit`; there are none, local, static, phase, optimistic, dynamic",
        ),
        (
            "//@ expect: explicit.fast race=unknown",
            "`fast` is no reduction of `explicit`; there are none, local, static, phase, optimistic, dynamic",
        ),
        (
            "//@ counters: token.local.clauses=1",
            "`local` is no reduction of `token`; there are none",
        ),
        (
            "//@ expect: reference.none race=unknown",
            "`reference` does not reduce; write `reference` alone",
        ),
        (
            "//@ expect: bmc race=safe",
            "`bmc` expects a missed violation for race",
        ),
        (
            "//@ options: --sped 3",
            "`--sped` is no option of a test; there are --property, --data-model, --max-threads, --spurious, --no-recycling, --strict, --language, --atomic-sets, --stack, --args, --args-any, --env, --cpus, --leaps, --assume-nothing, --posix-create, --no-spurious, --volatile",
        ),
    ] {
        assert_eq!(answer(&with_default(line)), format!("line 2: {message}"));
    }
    assert!(answer(&with_default("//@ truth: speed=safe")).contains("`speed` is no property"));
}

#[test]
fn an_engine_that_reduces_is_excused_with_all_reductions_or_with_one() {
    let header = parse(&with_default(
        "//@ expect: explicit assert=unknown\n//@ expect: explicit.phase race=unknown",
    ))
    .unwrap();
    assert!(header.is_excused("local", Property::Assert));
    assert!(header.is_excused("phase", Property::Race));
    assert!(!header.is_excused("local", Property::Race));
}

#[test]
fn every_engine_can_be_held_to_a_line_and_the_reduction_goes_first() {
    for (engine, _) in ENGINES {
        let line = format!("//@ expect: {engine} race=unknown");
        let header = parse(&with_default(&line)).unwrap();
        let demanded = header.demanded(engine, "none", Property::Race);
        assert_eq!(demanded, Some(Expected::Unknown));
        assert_eq!(header.demanded(engine, "none", Property::Assert), None);
    }
    let header = parse(&with_default(
        "//@ expect: bmc assert=unknown\n//@ expect: bmc.local assert=safe",
    ))
    .unwrap();
    let demanded = |reduction| header.demanded("bmc", reduction, Property::Assert);
    assert_eq!(demanded("local"), Some(Expected::Safe));
    assert_eq!(demanded("phase"), Some(Expected::Unknown));
}
