//! What becomes of the options that are meant for the compiler.
//!
//! Only the preprocessor sees them, so an option that changes what the preprocessed text means has to be understood here
//! or refused. One that no list has is refused too.

use raddle_ir::DataModel;

use super::option_rows::{ROWS, WITH_ARGUMENT};

/// What becomes of an option and of its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionFate {
    /// It is obeyed: by the preprocessor, or by a check of its own.
    Understood,
    /// No execution that C defines can tell whether it or its negation is there.
    Harmless,
    /// The language as it is read here; its negation is refused, because of this.
    Default(&'static str),
    /// Refused, because of this; its negation is the language as it is read here.
    Changes(&'static str),
}

/// What options of the compiler say about the text that the preprocessor gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionMeaning {
    /// `-fno-openmp`: pragmas of OpenMP are ignored, as gcc does unless it is told otherwise.
    pub ignores_openmp: bool,
}

/// An option that cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    pub option: String,
    pub why: String,
    /// The data model that it asks for.
    pub model: Option<DataModel>,
}

/// Whether the next word is the value of this one.
pub fn takes_argument(word: &str) -> bool {
    WITH_ARGUMENT.contains(&word)
}

/// Judges all options for a data model.
///
/// # Errors
///
/// The first one that changes the language in a way that is not modelled.
pub fn judge(words: &[String], model: DataModel) -> Result<OptionMeaning, Refused> {
    let mut meaning = OptionMeaning::default();
    let contracts = !words.iter().any(|word| word == "-ffp-contract=off");
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let refuse = |why: &str| {
            Err(Refused {
                option: word.clone(),
                why: why.to_owned(),
                model: None,
            })
        };
        if !word.starts_with('-') || word == "-" {
            return refuse("it names a file; files of the program stand before the `--`");
        }
        if takes_argument(word) {
            let argument = words.next().map_or("", String::as_str);
            if word == "-x" && argument != "c" {
                return refuse("the language would be another one");
            }
            continue;
        }
        match word.as_str() {
            "-m32" if model == DataModel::Lp64 => {
                return Err(Refused {
                    option: word.clone(),
                    why: "the data model is `lp64`".to_owned(),
                    model: Some(DataModel::Ilp32),
                });
            }
            "-m64" if model == DataModel::Ilp32 => {
                return Err(Refused {
                    option: word.clone(),
                    why: "the data model is `ilp32`".to_owned(),
                    model: Some(DataModel::Lp64),
                });
            }
            "-fno-openmp" => meaning.ignores_openmp = true,
            "-Xpreprocessor" | "-Xlinker" => {
                let inner = words.next().map_or("", String::as_str);
                if let Some(why) = refusal_of_inner(word, inner, model) {
                    return refuse(&why);
                }
            }
            _ => {
                if let Some((tool, inner)) = word.split_once(',')
                    && matches!(tool, "-Wp" | "-Wl")
                {
                    for inner in inner.split(',') {
                        if let Some(why) = refusal_of_inner(tool, inner, model) {
                            return refuse(&why);
                        }
                    }
                    continue;
                }
                if !contracts && (word.starts_with("-march=") || word.starts_with("-mfma")) {
                    continue;
                }
                if let Some(why) = refusal(word) {
                    return refuse(why);
                }
            }
        }
    }
    Ok(meaning)
}

/// Why an option of the preprocessor or the linker behind another one is refused.
fn refusal_of_inner(tool: &str, inner: &str, model: DataModel) -> Option<String> {
    if tool == "-Wl" || tool == "-Xlinker" {
        return changes_linking(inner)
            .then(|| "the linker would define or call something else".to_owned());
    }
    if !inner.starts_with('-') {
        return None;
    }
    judge(&[inner.to_owned()], model)
        .err()
        .map(|refused| refused.why)
}

/// Options of linkers that begin as `-e SYMBOL` does.
const NO_ENTRY: [&str; 7] = [
    "-eh-frame",
    "-emit-",
    "-embedded-",
    "-enable-",
    "-end-group",
    "-error-",
    "-ex",
];

/// Whether a linker that is told so defines or calls something else.
fn changes_linking(inner: &str) -> bool {
    let name = inner.trim_start_matches('-');
    let has_name = ["wrap", "defsym", "init", "fini", "entry"]
        .iter()
        .any(|it| {
            let rest = name.strip_prefix(it);
            rest.is_some_and(|it| it.is_empty() || it.starts_with('='))
        });
    let is_entry = inner.starts_with("-e") && !NO_ENTRY.iter().any(|it| inner.starts_with(it));
    inner.starts_with('-') && (has_name || is_entry || inner.starts_with("-T"))
}

/// Why an option is refused, if it is.
pub fn refusal(word: &str) -> Option<&'static str> {
    match fate(word) {
        None => Some("it is not known what it does"),
        Some((OptionFate::Understood | OptionFate::Harmless, _)) => None,
        Some((OptionFate::Default(why), is_negated)) => is_negated.then_some(why),
        Some((OptionFate::Changes(why), is_negated)) => (!is_negated).then_some(why),
    }
}

/// The row of an option, and whether the option is the negation of what the row names.
pub fn fate(word: &str) -> Option<(OptionFate, bool)> {
    let direct = row(word);
    let negated = ["-f", "-m"].into_iter().find_map(|kind| {
        let name = word.strip_prefix(kind)?.strip_prefix("no-")?;
        row(&format!("{kind}{name}"))
    });
    direct
        .map(|fate| (fate, false))
        .or(negated.map(|fate| (fate, true)))
}

fn row(word: &str) -> Option<OptionFate> {
    ROWS.iter()
        .filter(|(name, _)| match name.strip_suffix('*') {
            Some(beginning) => word.starts_with(beginning),
            None if name.ends_with('=') => word.starts_with(name),
            None => word == *name,
        })
        .max_by_key(|(name, _)| (name.len(), !name.ends_with('*')))
        .map(|(_, fate)| *fate)
}

/// All rows, for whoever compares them with a compiler's own list.
pub fn rows() -> impl Iterator<Item = (&'static str, OptionFate)> {
    ROWS.iter().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(text: &str, model: DataModel) -> Result<OptionMeaning, String> {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        judge(&words, model).map_err(|refused| refused.option)
    }

    #[test]
    fn advice_passes() {
        for words in [
            "-O2 -Wall -Wextra -g -pipe -pthread -fno-common -fno-strict-aliasing",
            "-I dir -Dx=1 -D y -include a.h -isystem /usr/include -std=gnu11",
            "-fsigned-char -fno-unsigned-char -fwrapv -fno-trapv -m64",
            "-Wl,--as-needed -Wp,-DX -lm -L /lib -march=x86-64-v2",
            "-march=native -ffp-contract=off -mno-fma",
            "-Wl,--start-group -Wl,--end-group -Wl,--export-dynamic,-rpath,e -Wl,--eh-frame-hdr,--enable-new-dtags",
        ] {
            assert!(judged(words, DataModel::Lp64).is_ok(), "{words}");
        }
    }

    #[test]
    fn what_changes_the_language_is_refused() {
        for word in [
            "-funsigned-char",
            "-fno-signed-char",
            "-fshort-enums",
            "-fshort-wchar",
            "-m32",
            "-mx32",
            "-fopenmp",
            "-ftrapv",
            "-fpack-struct=4",
            "-fms-extensions",
            "-fplan9-extensions",
            "-funsigned-bitfields",
            "-finstrument-functions",
            "-fsingle-precision-constant",
            "-ffast-math",
            "-Ofast",
            "-ffreestanding",
            "-march=native",
            "-mms-bitfields",
            "-fsso-struct=big-endian",
            "-Wl,--wrap=malloc",
            "-Wl,--wrap,malloc",
            "-Wl,-e,start",
            "-Wl,-estart",
            "-Wl,--entry=start",
            "-Wl,-init,f",
            "-Wl,-T,script",
            "-Wl,--defsym=f=g",
            "-Wp,-funsigned-char",
            "-xc++",
            "-std=c++17",
            "-M",
            "-fsomething-new",
            "@file",
            "other.c",
        ] {
            assert_eq!(judged(word, DataModel::Lp64), Err(word.to_owned()));
        }
        assert_eq!(judged("-m64", DataModel::Ilp32), Err("-m64".to_owned()));
        assert!(judged("-m32", DataModel::Ilp32).is_ok());
        assert_eq!(judged("-x c++", DataModel::Lp64), Err("-x".to_owned()));
    }

    #[test]
    fn openmp_can_be_ignored_on_request() {
        let meaning = judged("-fno-openmp", DataModel::Lp64);
        assert_eq!(
            meaning,
            Ok(OptionMeaning {
                ignores_openmp: true
            })
        );
    }
}
