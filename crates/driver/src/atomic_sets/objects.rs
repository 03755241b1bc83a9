//! Which bytes make up the default sets.

use raddle_diag::Diagnostic;
use raddle_engine::{Note, Remedy};
use raddle_ir::program::Member;
use raddle_ir::{AtomicSet, Global, GlobalId, ProgramDraft, Type};

use super::DefaultSets;

/// Programs with more sets, or sets with more members, are refused: every question is asked for each of them.
const MOST: usize = 1000;

/// The sets that the program does not declare itself.
pub(super) fn sets(draft: &ProgramDraft, choice: DefaultSets) -> Result<Vec<AtomicSet>, Box<Note>> {
    let mut found: Vec<AtomicSet> = Vec::new();
    let mut everything: Vec<Member> = Vec::new();
    for (id, global) in draft.globals.iter() {
        // What nobody wrote in the sources, a library keeps for itself.
        if global.is_thread_local || global.span.is_none() {
            continue;
        }
        let mut walk = Walk {
            draft,
            id,
            places: Vec::new(),
            is_full: false,
        };
        match choice {
            DefaultSets::Structs => walk.structs(&global.ty, 0, global.name.clone()),
            DefaultSets::Cells => walk.cells(&global.ty, 0, global.name.clone()),
            DefaultSets::All => {
                let members = walk.data(&global.ty, 0);
                walk.places.push((global.name.clone(), members));
            }
        }
        let size: usize = walk.places.iter().map(|(_, members)| members.len()).sum();
        if walk.is_full || found.len() + walk.places.len() > MOST || everything.len() + size > MOST
        {
            return Err(Box::new(too_many(global, choice)));
        }
        for (path, members) in walk.places {
            match choice {
                DefaultSets::Structs => found.extend(set(draft, global, "object", &path, members)),
                DefaultSets::Cells => found.extend(set(draft, global, "cell", &path, members)),
                DefaultSets::All => everything.extend(members),
            }
        }
    }
    everything.retain(|it| !is_declared(draft, it));
    if !everything.is_empty() {
        found.push(AtomicSet {
            name: "all data".to_owned(),
            members: everything,
            span: None,
        });
    }
    for set in &mut found {
        make_unique(draft, set);
    }
    Ok(found)
}

/// The set of an object that no declared set speaks about.
fn set(
    draft: &ProgramDraft,
    global: &Global,
    word: &str,
    path: &str,
    members: Vec<Member>,
) -> Option<AtomicSet> {
    let is_free = !members.is_empty() && !members.iter().any(|it| is_declared(draft, it));
    is_free.then(|| AtomicSet {
        name: format!("{word} {path}"),
        members,
        span: global.span,
    })
}

fn is_declared(draft: &ProgramDraft, member: &Member) -> bool {
    let overlaps = |other: &Member| {
        other.global == member.global
            && other.offset < member.offset + member.size
            && member.offset < other.offset + other.size
    };
    let mut sets = draft.atomic_sets.values();
    sets.any(|set| set.members.iter().any(overlaps))
}

/// All items of a program have different names, and names in C may have spaces too.
fn make_unique(draft: &ProgramDraft, set: &mut AtomicSet) {
    let is_taken = |name: &str| {
        draft.globals.values().any(|it| it.name == name)
            || draft.functions.values().any(|it| it.name == name)
            || draft.structs.values().any(|it| it.name == name)
            || draft.atomic_sets.values().any(|it| it.name == name)
    };
    while is_taken(&set.name) {
        set.name.push('\'');
    }
}

/// The parts of one global.
struct Walk<'a> {
    draft: &'a ProgramDraft,
    id: GlobalId,
    places: Vec<(String, Vec<Member>)>,
    /// There are more parts than are allowed.
    is_full: bool,
}

impl Walk<'_> {
    /// The outermost structs.
    fn structs(&mut self, ty: &Type, offset: u64, path: String) {
        match ty {
            Type::Struct(_) => {
                let members = self.data(ty, offset);
                self.places.push((path, members));
            }
            Type::Array(element, length) if has_struct(element) => {
                let size = self.size(element);
                for index in 0..*length {
                    if self.check_size() {
                        return;
                    }
                    self.structs(element, offset + index * size, format!("{path}[{index}]"));
                }
            }
            Type::Array(..) | Type::Scalar(_) | Type::Sync(_) => {}
        }
    }

    /// Scalars, arrays and unions that lie in no other.
    fn cells(&mut self, ty: &Type, offset: u64, path: String) {
        match ty {
            Type::Struct(id) if !self.draft.structs[*id].is_union => {
                for field in &self.draft.structs[*id].fields {
                    if self.check_size() {
                        return;
                    }
                    let path = format!("{path}.{}", field.name);
                    self.cells(&field.ty, offset + field.offset, path);
                }
            }
            Type::Struct(_) | Type::Array(..) | Type::Scalar(_) => {
                let members = self.data(ty, offset);
                self.places.push((path, members));
            }
            Type::Sync(_) => {}
        }
    }

    /// The data in an object, as few parts as leave the synchronisation objects out.
    fn data(&mut self, ty: &Type, offset: u64) -> Vec<Member> {
        let mut members = Vec::new();
        self.add_data(ty, offset, &mut members);
        members.dedup();
        members
    }

    fn add_data(&mut self, ty: &Type, offset: u64, members: &mut Vec<Member>) {
        if members.len() > MOST {
            self.is_full = true;
            return;
        }
        let is_whole = match ty {
            Type::Scalar(_) => true,
            Type::Sync(_) => false,
            Type::Array(element, _) => !self.has_sync(element),
            Type::Struct(id) => self.draft.structs[*id].is_union && !self.has_sync(ty),
        };
        if is_whole {
            members.push(Member {
                global: self.id,
                offset,
                size: self.size(ty),
            });
            return;
        }
        match ty {
            Type::Array(element, length) => {
                let size = self.size(element);
                for index in 0..*length {
                    if self.is_full {
                        return;
                    }
                    self.add_data(element, offset + index * size, members);
                }
            }
            Type::Struct(id) => {
                for field in &self.draft.structs[*id].fields {
                    self.add_data(&field.ty, offset + field.offset, members);
                }
            }
            Type::Scalar(_) | Type::Sync(_) => {}
        }
    }

    /// Takes note if there are too many places; whether there are.
    fn check_size(&mut self) -> bool {
        self.is_full |= self.places.len() > MOST;
        self.is_full
    }

    fn has_sync(&self, ty: &Type) -> bool {
        match ty {
            Type::Scalar(_) => false,
            Type::Sync(_) => true,
            Type::Array(element, _) => self.has_sync(element),
            Type::Struct(id) => {
                let mut fields = self.draft.structs[*id].fields.iter();
                fields.any(|field| self.has_sync(&field.ty))
            }
        }
    }

    fn size(&self, ty: &Type) -> u64 {
        self.draft
            .size_of(ty)
            .expect("validated: every type has a size")
    }
}

fn has_struct(ty: &Type) -> bool {
    match ty {
        Type::Struct(_) => true,
        Type::Array(element, _) => has_struct(element),
        Type::Scalar(_) | Type::Sync(_) => false,
    }
}

fn too_many(global: &Global, choice: DefaultSets) -> Note {
    let others = DefaultSets::ALL.into_iter().filter(|it| *it != choice);
    let others = others.map(DefaultSets::name).collect();
    let message = format!(
        "the atomic sets `{}` are more than {MOST} sets or members, with those of `{}`",
        choice.name(),
        global.name
    );
    let diagnostic = Diagnostic::error("limit", message);
    let diagnostic = match global.span {
        Some(span) => diagnostic.at(span, "declared here"),
        None => diagnostic,
    };
    Note::new(diagnostic, Remedy::OtherAtomicSets(others))
}
