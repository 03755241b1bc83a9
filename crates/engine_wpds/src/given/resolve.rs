//! What the names in an automaton mean in a program.

use raddle_base::{Arena, Span};
use raddle_diag::Diagnostic;
use raddle_ir::program::Member;
use raddle_ir::{FunctionId, Program, SyncType, Type};

use super::text::{self, CODE};
use super::{Verb, Word, Written, WrittenEvent, WrittenParty};
use crate::abstraction::focus::{Event, Focus, Units};
use crate::system::{AccessKind, EventId};

/// An automaton about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub name: String,
    pub span: Span,
    pub parties: Vec<Party>,
    pub steps: Vec<PathStep>,
    /// What of the program it speaks about.
    pub focus: Focus,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    pub name: String,
    /// The name that its thread must have.
    pub thread: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    pub party: usize,
    pub what: What,
    /// The party, `None` for any thread, and what it must not do before the step.
    pub refused: Vec<(Option<usize>, What)>,
    /// As in: first read count.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Begin,
    End,
    Access {
        /// By their numbers in the focus.
        members: Vec<usize>,
        kind: Option<AccessKind>,
    },
    Event(EventId),
}

impl Given {
    /// # Errors
    ///
    /// The first name that means nothing.
    pub fn new(program: &Program, written: &Written) -> Result<Self, Diagnostic> {
        let mut resolver = Resolver {
            program,
            focus: Focus {
                members: Vec::new(),
                units: Units::None,
                events: Arena::new(),
            },
        };
        let mut parties = Vec::new();
        for party in &written.parties {
            parties.push(resolver.party(party)?);
        }
        let mut steps = Vec::new();
        for step in &written.steps {
            let mut refused = Vec::new();
            for refusal in &step.refused {
                refused.push((refusal.party, resolver.what(&refusal.event)?));
            }
            steps.push(PathStep {
                party: step.party,
                what: resolver.what(&step.event)?,
                refused,
                text: format!("{} {}", parties[step.party].name, text::event(&step.event)),
            });
        }
        Ok(Self {
            name: written.name.text.clone(),
            span: written.name.span,
            parties,
            steps,
            focus: resolver.focus,
        })
    }
}

struct Resolver<'p> {
    program: &'p Program,
    focus: Focus,
}

/// What a path leads to.
struct PathEnd<'p> {
    member: Member,
    ty: &'p Type,
}

impl<'p> Resolver<'p> {
    fn party(&self, party: &WrittenParty) -> Result<Party, Diagnostic> {
        if let Some(thread) = &party.thread {
            let is_root =
                |it: &raddle_ir::Root| it.name == thread.text || it.display_name() == thread.text;
            let is_known = self.program.roots.iter().any(is_root)
                || self.function_named(&thread.text).is_some();
            if !is_known {
                let roots = self.program.roots.iter().map(|it| it.name.as_str());
                return Err(unknown("thread or function", thread, roots));
            }
        }
        Ok(Party {
            name: party.name.text.clone(),
            thread: party.thread.as_ref().map(|it| it.text.clone()),
        })
    }

    fn function_named(&self, name: &str) -> Option<FunctionId> {
        let mut functions = self.program.functions.iter();
        functions
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    }

    fn what(&mut self, event: &WrittenEvent) -> Result<What, Diagnostic> {
        let one = event.operands.first();
        Ok(match (event.verb, one) {
            (Verb::Begin, _) => {
                self.focus.units = Units::All;
                What::Begin
            }
            (Verb::End, _) => {
                self.focus.units = Units::All;
                What::End
            }
            (Verb::Read, _) => self.accesses(event, Some(AccessKind::Read))?,
            (Verb::Write, _) => self.accesses(event, Some(AccessKind::Write))?,
            (Verb::Access, _) => self.accesses(event, None)?,
            (Verb::Enter, Some(name)) => self.event(Event::Enter(self.function(name)?)),
            (Verb::Leave, Some(name)) => self.event(Event::Leave(self.function(name)?)),
            (Verb::Lock, Some(name)) => {
                let lock = self.lock(name)?;
                self.event(Event::Take(lock.global, lock.offset))
            }
            (Verb::Unlock, Some(name)) => {
                let lock = self.lock(name)?;
                self.event(Event::Give(lock.global, lock.offset))
            }
            (Verb::Enter | Verb::Leave | Verb::Lock | Verb::Unlock, None) => {
                let message = format!("`{}` of what is not said", event.verb.word());
                return Err(Diagnostic::error(CODE, message)
                    .at(event.span, "here")
                    .help("write a name behind it"));
            }
        })
    }

    fn event(&mut self, event: Event) -> What {
        let known = self.focus.find(event);
        What::Event(known.unwrap_or_else(|| self.focus.events.push(event)))
    }

    fn function(&self, name: &Word) -> Result<FunctionId, Diagnostic> {
        self.function_named(&name.text).ok_or_else(|| {
            let functions = self.program.functions.values();
            let names = functions.filter(|it| it.span.is_some());
            unknown("function", name, names.map(|it| it.name.as_str()))
        })
    }

    fn accesses(
        &mut self,
        event: &WrittenEvent,
        kind: Option<AccessKind>,
    ) -> Result<What, Diagnostic> {
        let mut members = Vec::new();
        for operand in &event.operands {
            let member = self.part(operand)?.member;
            let known = self.focus.members.iter().position(|it| *it == member);
            members.push(known.unwrap_or(self.focus.members.len()));
            if known.is_none() {
                self.focus.members.push(member);
            }
        }
        Ok(What::Access { members, kind })
    }

    fn lock(&self, name: &Word) -> Result<Member, Diagnostic> {
        let part = self.part(name)?;
        match part.ty {
            Type::Sync(
                SyncType::Mutex(_) | SyncType::ReadWriteLock | SyncType::Monitor,
            ) => Ok(part.member),
            Type::Sync(
                SyncType::Condition | SyncType::Semaphore | SyncType::Barrier,
            )
            | Type::Scalar(_)
            | Type::Array(..)
            | Type::Struct(_) => Err(Diagnostic::error(
                CODE,
                format!("`{}` is no lock", name.text),
            )
            .at(name.span, "here")
            .help("name a mutex, a monitor or a lock for readers and writers, with its index or field")),
        }
    }

    /// The variable, or the part of one, that is named as in `stack.data[1]`.
    fn part(&self, name: &Word) -> Result<PathEnd<'p>, Diagnostic> {
        let program = self.program;
        let end = name.text.find(['.', '[']).unwrap_or(name.text.len());
        // Names in C may have dots, if the front end made them.
        let whole = program.global_named(&name.text);
        let (global, path) = match whole {
            Some(global) => (Some(global), ""),
            None => (program.global_named(&name.text[..end]), &name.text[end..]),
        };
        let Some(global) = global else {
            let globals = program.globals.values().filter(|it| it.span.is_some());
            return Err(unknown(
                "variable",
                name,
                globals.map(|it| it.name.as_str()),
            ));
        };
        let ty = &program.globals[global].ty;
        let found = self.follow(ty, path);
        let (ty, offset) = found.ok_or_else(|| {
            Diagnostic::error(
                CODE,
                format!("`{}` has no part `{path}`", program.globals[global].name),
            )
            .at(name.span, "here")
            .help("name a field with `.` or an element with `[` and `]`, as the program does")
        })?;
        let size = ty.size(&program.structs, program.model).unwrap_or(0);
        Ok(PathEnd {
            member: Member {
                global,
                offset,
                size,
            },
            ty,
        })
    }

    fn follow(&self, mut ty: &'p Type, mut path: &str) -> Option<(&'p Type, u64)> {
        let program = self.program;
        let mut offset = 0;
        while !path.is_empty() {
            let (part, rest) = match path[1..].find(['.', '[']) {
                Some(end) => path.split_at(end + 1),
                None => (path, ""),
            };
            match ty {
                Type::Struct(id) => {
                    let name = part.strip_prefix('.')?;
                    let fields = &program.structs[*id].fields;
                    let field = fields.iter().find(|it| it.name == name)?;
                    offset += field.offset;
                    ty = &field.ty;
                }
                Type::Array(element, length) => {
                    let index: u64 = part.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
                    if index >= *length {
                        return None;
                    }
                    offset += index * element.size(&program.structs, program.model)?;
                    ty = element;
                }
                Type::Scalar(_) | Type::Sync(_) => return None,
            }
            path = rest;
        }
        Some((ty, offset))
    }
}

/// How many names a message lists.
const MOST_NAMES: usize = 12;

fn unknown<'n>(what: &str, name: &Word, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    let mut names: Vec<&str> = known.into_iter().collect();
    names.sort_unstable();
    names.dedup();
    let all = names.len();
    names.truncate(MOST_NAMES);
    let listed: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    let diagnostic = Diagnostic::error(CODE, format!("no {what} is called `{}`", name.text))
        .at(name.span, "here")
        .help("name it as `raddle dump ir` does");
    match all {
        0 => diagnostic,
        _ if all > MOST_NAMES => {
            diagnostic.note(format!("there are {} and others", listed.join(", ")))
        }
        _ => diagnostic.note(format!("there is {}", listed.join(", "))),
    }
}
