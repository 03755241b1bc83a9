//! What to do, in the words of the command line: nobody else names its options.

use raddle_diag::Diagnostic;
use raddle_driver::{EngineChoice, EngineId, Misuse, Property, Reduction, Remedy, Setting};
use raddle_report::Words;

/// Options as they are typed.
#[derive(Clone, Copy, Debug)]
pub struct Flags;

impl Words for Flags {
    fn remedy(&self, remedy: &Remedy) -> String {
        match remedy {
            Remedy::ChangeProgram(text) => (*text).to_owned(),
            Remedy::ChangeProgramOrProperties(text) => {
                format!("{text}, or leave the property out with `--property`")
            }
            Remedy::RaisePreemptionBound => "raise `--preemptions`, or leave it out".to_owned(),
            Remedy::RaiseContextBound => "raise `--context-bound`, or leave it out".to_owned(),
            Remedy::RaiseTimeLimit => {
                "raise the limit with `--timeout SECONDS` (0 is none), or make the program smaller: \
                 fewer threads, shorter loops, fewer possible inputs"
                    .to_owned()
            }
            Remedy::RaiseMemoryLimit => {
                "raise the limit with `--memory MB`, or make the program smaller: fewer threads, \
                 shorter loops, fewer possible inputs"
                    .to_owned()
            }
            Remedy::RaiseThreadLimit(limit) => format!(
                "raise the limit with `--max-threads {limit}`, or bound the loop that spawns"
            ),
            Remedy::LetRunFinish => "let the run finish, or bound it with `--timeout`".to_owned(),
            Remedy::MendFirst(property) => format!(
                "repair it, then check again; `--property {property}` shows how it is reached"
            ),
            Remedy::OtherEngine => {
                "try another `--engine`, or make the program smaller: fewer rounds of its loops"
                    .to_owned()
            }
            Remedy::OtherEngineOrProperties => {
                "use another `--engine`, or leave the property out with `--property`".to_owned()
            }
            Remedy::OnlyEngine(engine) => {
                format!("use `--engine {engine}`, the one that decides it")
            }
            Remedy::SearchWith(engine) => {
                format!("search with `--engine {engine}`, which looks at the executions one by one")
            }
            Remedy::AssumeDefined => {
                "`--assume-defined` takes for granted that nothing undefined happens".to_owned()
            }
            Remedy::UseReduction { property, sound } => use_reduction(*property, sound),
            Remedy::UseAbleReduction { reduction, why } => {
                format!("use `--reduction {reduction}`, {why}")
            }
            Remedy::WithoutReduction => {
                "try `--reduction none`, and please report the program".to_owned()
            }
            Remedy::WithoutHashes => "leave out `--hash-compact`".to_owned(),
            Remedy::RaiseStepLimit => "allow more with `--max-steps`".to_owned(),
            Remedy::OtherSeed => "another `--seed` may choose other values".to_owned(),
            Remedy::RecordTrace(what) => {
                format!("record {what} with `raddle check --trace FILE PROGRAM`")
            }
            Remedy::MoreRaces => {
                "say how many to look for, as in `--races 100`; then the search goes on to its end"
                    .to_owned()
            }
            Remedy::WithoutSymmetry => "leave out `--symmetry`".to_owned(),
            Remedy::NameLanguage => {
                "end its name in `.rad`, `.c` or `.i`, or say its language, as in `--language rad`"
                    .to_owned()
            }
            Remedy::WithoutDataModel => {
                "leave out `--data-model`, or the line in the program".to_owned()
            }
            Remedy::ChooseMain(files) => {
                let words: Vec<String> = files.iter().map(|it| format!("`--main {it}`")).collect();
                format!("say which one: {}", words.join(" or "))
            }
            Remedy::LeaveOut(part) => {
                format!("`--without {part}` checks the program without it, as if it did nothing")
            }
            Remedy::UseDataModel(model) => {
                format!("say `--data-model {}` instead", model.name())
            }
            Remedy::InstallHeadersOf32Bits => {
                "32-bit headers may be missing: install `gcc-multilib`, pass preprocessed text \
                 (`.i`), or check with `--data-model lp64`"
                    .to_owned()
            }
            Remedy::PassToCompiler => {
                "the options `-I`, `-D`, `-U`, `--include`, `--std` and those after `--` go to it"
                    .to_owned()
            }
            Remedy::WithoutAtomicSets => "leave out `--atomic-sets`".to_owned(),
            Remedy::OtherAtomicSets(others) => {
                let flags: Vec<String> = (others.iter())
                    .map(|it| format!("`--atomic-sets {it}`"))
                    .collect();
                format!("use {}", flags.join(" or "))
            }
            Remedy::TakeVolatileAsAtomic => {
                "what is accessed here is `volatile`, which keeps no two threads apart in C; \
                 `--volatile atomic` takes such accesses as atomic, of a word at most"
                    .to_owned()
            }
            Remedy::LetReturnAnything => {
                "say `--extern-havoc` to let it return anything".to_owned()
            }
        }
    }

    fn misuse(&self, misuse: &Misuse) -> Diagnostic {
        let (message, help) = match misuse {
            Misuse::Reduction { engine, reduction } => no_such_reduction(*engine, *reduction),
            Misuse::Setting { engine, setting } => not_understood(*engine, *setting),
            Misuse::Together(one, other) => (
                format!("`{}` does not go with `{}`", flag(*one), flag(*other)),
                "leave out one of them".to_owned(),
            ),
            Misuse::Preempting(reduction) => (
                format!(
                    "what the reduction `{reduction}` leaves out may have fewer preemptions than what it keeps"
                ),
                "leave out `--preemptions`, or use `--reduction none`".to_owned(),
            ),
            Misuse::UnknownFunction(name) => (
                format!("`--context-bound` names `{name}`, which is no function"),
                "name the function that the threads run, as in `worker=0..2`".to_owned(),
            ),
        };
        Diagnostic::error("usage", message).help(help)
    }
}

fn use_reduction(property: Property, sound: &[Reduction]) -> String {
    let flags: Vec<String> = sound
        .iter()
        .map(|it| format!("`--reduction {it}`"))
        .collect();
    let one_of = match flags.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    };
    format!("for {property} use {one_of}")
}

fn no_such_reduction(engine: EngineChoice, reduction: Reduction) -> (String, String) {
    let known: Vec<String> = engine
        .reductions()
        .iter()
        .map(|it| format!("`{it}`"))
        .collect();
    (
        format!(
            "the engine `{}` has no reduction `{reduction}`; it has {}",
            engine.name(),
            known.join(", ")
        ),
        format!(
            "use one of these, or {}",
            engines_that(|it| it.reductions().contains(&reduction))
        ),
    )
}

/// The message and the help.
fn not_understood(engine: EngineChoice, setting: Setting) -> (String, String) {
    let message = match setting {
        Setting::Question if engine == EngineChoice::Auto => {
            "only the engine `bmc` asks a solver; others may decide".to_owned()
        }
        Setting::Question if engine == EngineChoice::One(EngineId::Token) => {
            format!("the engine `{}` does not tell its questions", engine.name())
        }
        Setting::Question
        | Setting::Shortest
        | Setting::Preemptions
        | Setting::Symmetry
        | Setting::HashCompact
        | Setting::Checkpoint
        | Setting::Patterns
        | Setting::Automata
        | Setting::Pairs
        | Setting::ContextBounds
        | Setting::Strategy
        | Setting::Schedules => {
            format!("the engine `{}` {}", engine.name(), lack(setting))
        }
    };
    let able = match setting {
        Setting::Shortest => engines_that(|it| setting.is_understood_by(it)),
        Setting::Preemptions
        | Setting::Symmetry
        | Setting::HashCompact
        | Setting::Checkpoint
        | Setting::Question
        | Setting::Patterns
        | Setting::Automata
        | Setting::Pairs
        | Setting::ContextBounds
        | Setting::Strategy
        | Setting::Schedules => format!("`--engine {}`", setting.engine()),
    };
    let help = format!("leave out `{}`, or use {able}", flag(setting));
    (message, help)
}

/// What an engine does not do that does not understand the setting.
fn lack(setting: Setting) -> &'static str {
    match setting {
        Setting::Shortest => "does not look for the fewest switches of thread",
        Setting::Preemptions => "does not count preemptions",
        Setting::Symmetry => "exchanges no names",
        Setting::HashCompact => "keeps no hashes of states",
        Setting::Checkpoint => "does not go on from checkpoints",
        Setting::Question => "asks no solver anything",
        Setting::Patterns => "looks for no patterns",
        Setting::Automata => "decides no automata",
        Setting::Pairs | Setting::ContextBounds => "passes no token",
        Setting::Strategy | Setting::Schedules => "chooses no schedules",
    }
}

fn flag(setting: Setting) -> &'static str {
    match setting {
        Setting::Shortest => "--shortest",
        Setting::Preemptions => "--preemptions",
        Setting::Symmetry => "--symmetry",
        Setting::HashCompact => "--hash-compact",
        Setting::Checkpoint => "--checkpoint",
        Setting::Question => "--dump-smt",
        Setting::Patterns => "--patterns",
        Setting::Automata => "--automaton",
        Setting::Pairs => "--pairs",
        Setting::ContextBounds => "--context-bound",
        Setting::Strategy => "--strategy",
        Setting::Schedules => "--schedules",
    }
}

fn engines_that(can: impl Fn(EngineChoice) -> bool) -> String {
    let able: Vec<String> = EngineChoice::ALL
        .into_iter()
        .filter(|it| can(*it))
        .map(|it| format!("`--engine {}`", it.name()))
        .collect();
    able.join(" or ")
}

#[cfg(test)]
mod tests {
    use raddle_driver::Reason;

    use super::*;

    fn said(misuse: &Misuse) -> (String, Vec<String>) {
        let diagnostic = Flags.misuse(misuse);
        (diagnostic.message, diagnostic.helps)
    }

    #[test]
    fn a_reduction_that_may_miss_something_says_which_would_not() {
        let reason = Reason::UnsoundReduction {
            reduction: Reduction::Phase,
            property: Property::Deadlock,
        };
        assert_eq!(
            Flags.remedy(&reason.remedy()),
            "for deadlock use `--reduction none`, `--reduction local` or `--reduction optimistic`"
        );
    }

    #[test]
    fn a_reduction_that_the_engine_does_not_have_is_refused_with_those_it_has() {
        let misuse = Misuse::Reduction {
            engine: EngineChoice::One(EngineId::Reference),
            reduction: Reduction::Phase,
        };
        let (message, helps) = said(&misuse);
        assert_eq!(
            message,
            "the engine `reference` has no reduction `phase`; it has `none`"
        );
        assert_eq!(
            helps,
            ["use one of these, or `--engine auto` or `--engine explicit` or `--engine bmc`"]
        );
    }

    #[test]
    fn who_cannot_do_something_is_sent_to_who_can() {
        let of = |setting| {
            let engine = EngineChoice::One(EngineId::Reference);
            said(&Misuse::Setting { engine, setting })
        };
        let (message, helps) = of(Setting::Shortest);
        assert_eq!(
            message,
            "the engine `reference` does not look for the fewest switches of thread"
        );
        assert_eq!(
            helps,
            ["leave out `--shortest`, or use `--engine auto` or `--engine explicit`"]
        );
        let (message, helps) = of(Setting::Question);
        assert_eq!(message, "the engine `reference` asks no solver anything");
        assert_eq!(helps, ["leave out `--dump-smt`, or use `--engine bmc`"]);
    }

    #[test]
    fn nobody_is_sent_to_an_engine_that_does_not_decide_the_property() {
        let help = |reason: &Reason, property| Flags.remedy(&reason.remedy_for(property));
        let not_proved = Reason::NotProved {
            what: "locks are not well nested".to_owned(),
            span: None,
        };
        assert!(help(&not_proved, Property::Race).contains("--engine reference"));
        assert!(!help(&not_proved, Property::AtomicSets).contains("--engine"));
        let undecided = Reason::NotDecidedByEngine;
        assert!(help(&undecided, Property::AtomicSets).contains("--engine pushdown"));
    }
}
