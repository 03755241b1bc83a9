//! Automata as text.
//!
//! ```text
//! automaton `pops twice` {
//!     party first is popwrap
//!     party second
//!     step first read count
//!     step second write count refusing first leave popwrap, any write data
//! }
//! ```
//!
//! Comments go from `//` to the end of the line, line ends mean no more than spaces. What is no plain name stands
//! between backticks.

use std::fmt::Write as _;

use raddle_base::{FileId, Span};
use raddle_diag::Diagnostic;

use super::{Verb, Word, Written, WrittenEvent, WrittenParty, WrittenRefusal, WrittenStep};

/// More are not decided in a time that anybody would wait.
pub const MOST_PARTIES: usize = crate::symbolic::MOST_PARTIES;
pub const MOST_STEPS: usize = 8;

/// The code of what is wrong with an automaton.
pub(crate) const CODE: &str = "automaton";

const WORDS: [&str; 7] = ["automaton", "party", "is", "step", "refusing", "any", "or"];

/// The automata in a file.
///
/// # Errors
///
/// The first thing that is wrong.
pub fn read(file: FileId, text: &str) -> Result<Vec<Written>, Diagnostic> {
    let mut reader = Reader {
        tokens: tokens(file, text)?,
        at: 0,
        end: span(file, text.len(), text.len()),
    };
    let mut automata: Vec<Written> = Vec::new();
    while reader.peek().is_some() {
        let automaton = reader.automaton()?;
        let name = &automaton.name;
        if automata.iter().any(|it| it.name.text == name.text) {
            return Err(twice("automata", name));
        }
        automata.push(automaton);
    }
    if automata.is_empty() {
        return Err(Diagnostic::error(CODE, "the file holds no automaton")
            .at(reader.end, "the file ends here")
            .help(EXAMPLE));
    }
    Ok(automata)
}

const EXAMPLE: &str = "write one, as in `automaton lost { party a party b step a read x step b write x step a write x }`";

/// The text that reads back as the same automata.
pub fn print(automata: &[Written]) -> String {
    let mut text = String::new();
    for automaton in automata {
        let _ = writeln!(text, "automaton {} {{", quoted(&automaton.name.text));
        for party in &automaton.parties {
            let _ = write!(text, "    party {}", quoted(&party.name.text));
            if let Some(thread) = &party.thread {
                let _ = write!(text, " is {}", quoted(&thread.text));
            }
            text.push('\n');
        }
        for step in &automaton.steps {
            let name = |party: usize| quoted(&automaton.parties[party].name.text);
            let _ = write!(text, "    step {} {}", name(step.party), event(&step.event));
            let refused: Vec<String> = step
                .refused
                .iter()
                .map(|it| {
                    let party = it.party.map_or("any".to_owned(), name);
                    format!("{party} {}", event(&it.event))
                })
                .collect();
            if !refused.is_empty() {
                let _ = write!(text, " refusing {}", refused.join(", "));
            }
            text.push('\n');
        }
        text.push_str("}\n");
    }
    text
}

/// As it is written.
pub(crate) fn event(event: &WrittenEvent) -> String {
    let operands: Vec<String> = event.operands.iter().map(|it| quoted(&it.text)).collect();
    let words = [event.verb.word().to_owned(), operands.join(" or ")];
    words.join(" ").trim_end().to_owned()
}

fn quoted(name: &str) -> String {
    let is_word = WORDS.contains(&name) || Verb::ALL.iter().any(|it| it.word() == name);
    let mut characters = name.chars();
    let is_plain =
        characters.next().is_some_and(begins_name) && characters.all(continues_name) && !is_word;
    if is_plain {
        name.to_owned()
    } else {
        format!("`{name}`")
    }
}

fn begins_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

/// Parts of variables are written as in the program.
fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || "_.[]".contains(character)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    text: String,
    span: Span,
    /// Between backticks, so that it is a name whatever it is.
    is_quoted: bool,
}

fn span(file: FileId, start: usize, end: usize) -> Span {
    let bound = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    Span {
        file,
        start: bound(start),
        end: bound(end),
    }
}

fn tokens(file: FileId, text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, first)) = rest.next() {
        let after = &text[start..];
        if first.is_whitespace() {
            continue;
        }
        if after.starts_with("//") {
            while rest.next_if(|(_, it)| *it != '\n').is_some() {}
            continue;
        }
        let mut end = start + first.len_utf8();
        let is_quoted = first == '`';
        if is_quoted {
            let is_inside = |it: &(usize, char)| it.1 != '`' && it.1 != '\n';
            while let Some((at, it)) = rest.next_if(is_inside) {
                end = at + it.len_utf8();
            }
            let here = span(file, start, end);
            if rest.next_if(|(_, it)| *it == '`').is_none() || end == start + 1 {
                return Err(Diagnostic::error(CODE, "a name does not end or is empty")
                    .at(here, "it begins here")
                    .help("put the name between two backticks, on one line"));
            }
            tokens.push(Token {
                text: text[start + 1..end].to_owned(),
                span: here,
                is_quoted,
            });
            continue;
        }
        if begins_name(first) {
            while let Some((at, it)) = rest.next_if(|(_, it)| continues_name(*it)) {
                end = at + it.len_utf8();
            }
        } else if !"{},".contains(first) {
            return Err(
                Diagnostic::error(CODE, format!("`{first}` has no meaning here"))
                    .at(span(file, start, end), "here")
                    .help("put names that are no plain words between backticks"),
            );
        }
        tokens.push(Token {
            text: text[start..end].to_owned(),
            span: span(file, start, end),
            is_quoted,
        });
    }
    Ok(tokens)
}

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    end: Span,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is_next(&self, word: &str) -> bool {
        self.peek()
            .is_some_and(|it| it.text == word && !it.is_quoted)
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.is_next(word);
        self.at += usize::from(is_next);
        is_next
    }

    /// What stands here is not what should.
    fn expected(&self, what: &str) -> Diagnostic {
        match self.peek() {
            Some(token) => {
                Diagnostic::error(CODE, format!("{what} is expected before `{}`", token.text))
                    .at(token.span, "here")
            }
            None => Diagnostic::error(CODE, format!("{what} is expected before the end"))
                .at(self.end, "the file ends here"),
        }
        .help(EXAMPLE)
    }

    fn expect(&mut self, word: &str) -> Result<(), Diagnostic> {
        if self.take(word) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{word}`")))
        }
    }

    fn name(&mut self, what: &str) -> Result<Word, Diagnostic> {
        let is_name = |token: &Token| {
            let is_word = WORDS.contains(&token.text.as_str());
            token.is_quoted || (token.text.starts_with(begins_name) && !is_word)
        };
        match self.peek() {
            Some(token) if is_name(token) => {
                let word = Word {
                    text: token.text.clone(),
                    span: token.span,
                };
                self.at += 1;
                Ok(word)
            }
            Some(_) | None => Err(self.expected(what)),
        }
    }

    fn automaton(&mut self) -> Result<Written, Diagnostic> {
        self.expect("automaton")?;
        let name = self.name("the name of the automaton")?;
        self.expect("{")?;
        let mut parties: Vec<WrittenParty> = Vec::new();
        let mut steps: Vec<WrittenStep> = Vec::new();
        while !self.is_next("}") {
            if self.is_next("party") {
                let party = self.party()?;
                if parties.iter().any(|it| it.name.text == party.name.text) {
                    return Err(twice("parties", &party.name));
                }
                parties.push(party);
                if parties.len() > MOST_PARTIES {
                    return Err(too_many(&name, "parties", MOST_PARTIES));
                }
            } else if self.take("step") {
                steps.push(self.step(&parties)?);
                if steps.len() > MOST_STEPS {
                    return Err(too_many(&name, "steps", MOST_STEPS));
                }
            } else {
                return Err(self.expected("`party`, `step` or `}`"));
            }
        }
        if steps.is_empty() {
            return Err(self.expected("a step"));
        }
        self.expect("}")?;
        // Whoever takes no step may do anything and nothing.
        let idle = (0..parties.len()).find(|party| steps.iter().all(|it| it.party != *party));
        match idle {
            Some(party) => {
                let name = &parties[party].name;
                Err(
                    Diagnostic::error(CODE, format!("the party `{}` takes no step", name.text))
                        .at(name.span, "declared here")
                        .help("leave it out, or add a `step` of it"),
                )
            }
            None => Ok(Written {
                name,
                parties,
                steps,
            }),
        }
    }

    fn party(&mut self) -> Result<WrittenParty, Diagnostic> {
        self.expect("party")?;
        let name = self.name("the name of the party")?;
        let thread = if self.take("is") {
            Some(self.name("the name of a thread")?)
        } else {
            None
        };
        Ok(WrittenParty { name, thread })
    }

    fn step(&mut self, parties: &[WrittenParty]) -> Result<WrittenStep, Diagnostic> {
        let party = self.one_of(parties)?;
        let event = self.event()?;
        let mut refused = Vec::new();
        if self.take("refusing") {
            loop {
                let party = if self.take("any") {
                    None
                } else {
                    Some(self.one_of(parties)?)
                };
                let event = self.event()?;
                refused.push(WrittenRefusal { party, event });
                if !self.take(",") {
                    break;
                }
            }
        }
        Ok(WrittenStep {
            party,
            event,
            refused,
        })
    }

    fn one_of(&mut self, parties: &[WrittenParty]) -> Result<usize, Diagnostic> {
        let word = self.name("the name of a party")?;
        let known = parties.iter().position(|it| it.name.text == word.text);
        known.ok_or_else(|| {
            Diagnostic::error(CODE, format!("no party is called `{}`", word.text))
                .at(word.span, "here")
                .help(format!("declare it before, as in `party {}`", word.text))
        })
    }

    fn event(&mut self) -> Result<WrittenEvent, Diagnostic> {
        let verb = Verb::ALL.into_iter().find(|it| self.is_next(it.word()));
        let (Some(verb), Some(begin)) = (verb, self.peek().map(|it| it.span)) else {
            let verbs: Vec<String> = Verb::ALL
                .iter()
                .map(|it| format!("`{}`", it.word()))
                .collect();
            return Err(self
                .expected("what is done")
                .note(format!("it is one of {}", verbs.join(", "))));
        };
        self.at += 1;
        let mut operands = Vec::new();
        match verb {
            Verb::Begin | Verb::End => {}
            Verb::Enter | Verb::Leave => operands.push(self.name("the name of a function")?),
            Verb::Lock | Verb::Unlock => operands.push(self.name("the name of a lock")?),
            Verb::Read | Verb::Write | Verb::Access => {
                operands.push(self.name("the name of a variable")?);
                while self.take("or") {
                    operands.push(self.name("the name of a variable")?);
                }
            }
        }
        let end = operands.last().map_or(begin, |it| it.span);
        Ok(WrittenEvent {
            verb,
            operands,
            span: begin.to(end),
        })
    }
}

fn twice(what: &str, name: &Word) -> Diagnostic {
    Diagnostic::error(CODE, format!("two {what} are called `{}`", name.text))
        .at(name.span, "the second is here")
        .help("give them different names")
}

fn too_many(name: &Word, what: &str, most: usize) -> Diagnostic {
    Diagnostic::error(CODE, format!("`{}` has more than {most} {what}", name.text))
        .at(name.span, "this automaton")
        .help("split it into several automata that say less")
}

#[cfg(test)]
mod tests {
    use raddle_base::SourceMap;

    use super::*;

    fn written(text: &str) -> Result<Vec<Written>, Diagnostic> {
        let file = SourceMap::new().add("a.phases", text);
        read(file, text)
    }

    #[test]
    fn what_is_printed_reads_back_as_the_same() {
        let text = "\
automaton `lost update` {
    party first is `worker[1]`
    party `step` is main
    step first read x or s.data[1]
    step `step` write x refusing first unlock `the lock`, any leave f, `step` begin
    step first end
}
automaton second {
    party a
    step a enter f
}
";
        let once = written(text).expect("they are automata");
        let printed = print(&once);
        // A name with an index needs no backticks.
        assert_eq!(printed, text.replace("`worker[1]`", "worker[1]"));
        let again = written(&printed).expect("they still are");
        assert_eq!(print(&again), printed);
    }

    fn complains(text: &str, message: &str, place: &str) {
        let diagnostic = written(text).expect_err("it is wrong");
        assert_eq!(diagnostic.message, message);
        let span = diagnostic.labels[0].span;
        assert_eq!(&text[span.start as usize..span.end as usize], place);
        assert!(!diagnostic.helps.is_empty(), "{message}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_a_remedy() {
        complains("", "the file holds no automaton", "");
        complains(
            "automaton a { party p step p jump x }",
            "what is done is expected before `jump`",
            "jump",
        );
        complains(
            "automaton a { party p step q read x }",
            "no party is called `q`",
            "q",
        );
        complains(
            "automaton a { party p step p read }",
            "the name of a variable is expected before `}`",
            "}",
        );
        complains(
            "automaton a { party p party p step p begin }",
            "two parties are called `p`",
            "p",
        );
        complains(
            "automaton a { party p party q step p begin }",
            "the party `q` takes no step",
            "q",
        );
        complains(
            "automaton a { party p }",
            "a step is expected before `}`",
            "}",
        );
        complains(
            "automaton a { party p; step p begin }",
            "`;` has no meaning here",
            ";",
        );
        complains("automaton `a", "a name does not end or is empty", "`a");
        complains(
            "automaton a { party p",
            "`party`, `step` or `}` is expected before the end",
            "",
        );
    }

    #[test]
    fn limits_are_named() {
        let steps = "step p begin ".repeat(MOST_STEPS + 1);
        complains(
            &format!("automaton long {{ party p {steps} }}"),
            "`long` has more than 8 steps",
            "long",
        );
        complains(
            "automaton many { party p party q party r party s }",
            "`many` has more than 3 parties",
            "many",
        );
    }
    #[test]
    fn no_text_makes_it_panic() {
        let text = "automaton `ä b` { party p is t[1] // ü\n step p read s.d[1] or x refusing any end, p lock m }";
        let ends = text.char_indices().map(|(at, _)| at);
        for at in ends {
            let (before, after) = text.split_at(at);
            for put in ["", "`", "{", "}", ",", "ß", " or ", "\n"] {
                let _ = written(before);
                if let Ok(automata) = written(&format!("{before}{put}{after}")) {
                    let printed = print(&automata);
                    let again = written(&printed).expect("what is printed can be read");
                    assert_eq!(print(&again), printed);
                }
            }
        }
    }
}
