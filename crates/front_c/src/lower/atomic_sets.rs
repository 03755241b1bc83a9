//! Atomic sets and units of work: `//@ atomic(S)` before variables and members that belong together,
//! `//@ unit(S)` before a function whose body should look as if it were done at once, `//@ unit` for all sets.
//!
//! Members of a struct make a set of each object of the struct: two accounts are consistent one by one.
//! Sets are parts of objects with static storage, so a struct with such members may lie nowhere else.

use std::collections::BTreeMap;

use raddle_base::Span;
use raddle_c_syntax::tree::{Annotation, Identifier};
use raddle_diag::Diagnostic;
use raddle_ir::program::Member;
use raddle_ir::{
    Action, AllocateKind, AtomicSet, AtomicSetId, Expression, StructId, Type as IrType,
};

use crate::subject::{self, Subject};
use crate::typed::{FunctionId, Object};
use crate::types::{Length, RecordId, Type};

use super::annotations::{Made, refused, split};
use super::{Annotated, Lowering};

/// More objects with sets of their own than anybody would look at.
const MOST_INSTANCES: usize = 1000;

/// What annotations say of one name.
struct Set {
    name: String,
    /// Of variables.
    members: Vec<Member>,
    /// Of structs: byte offset and size of each member.
    parts: BTreeMap<RecordId, Vec<(u64, u64)>>,
    span: Span,
}

/// The sets of a program.
#[derive(Default)]
pub(super) struct Sets {
    /// In the order in which they are first named.
    sets: Vec<Set>,
}

impl Sets {
    fn named(&mut self, name: &str, span: Span) -> &mut Set {
        let known = self.sets.iter().position(|it| it.name == name);
        let index = known.unwrap_or_else(|| {
            self.sets.push(Set {
                name: name.to_owned(),
                members: Vec::new(),
                parts: BTreeMap::new(),
                span,
            });
            self.sets.len() - 1
        });
        &mut self.sets[index]
    }
}

/// Adds the sets to the program, and remembers which functions are units of work.
pub(super) fn declare(
    lowering: &mut Lowering<'_>,
    annotated: &Annotated<'_>,
) -> (Sets, Vec<Diagnostic>) {
    let mut wrong = Vec::new();
    let mut sets = Sets::default();
    let said = |wanted: &'static str| {
        annotated.annotations.iter().filter_map(move |annotation| {
            let (word, rest) = split(annotation)?;
            (word == wanted).then_some((*annotation, rest))
        })
    };
    for (annotation, rest) in said("atomic") {
        let result = lowering.atomic(&mut sets, annotated, annotation, rest);
        wrong.extend(result.err());
    }
    let mut ids: BTreeMap<String, Vec<AtomicSetId>> = BTreeMap::new();
    for set in &sets.sets {
        match lowering.instances(set) {
            Ok(instances) => {
                ids.insert(set.name.clone(), instances);
            }
            Err(problem) => wrong.push(problem),
        }
    }
    for (annotation, rest) in said("unit") {
        let result = lowering.unit(&ids, annotated, annotation, rest);
        wrong.extend(result.err());
    }
    (sets, wrong)
}

/// Objects of structs with such members that do not have static storage.
pub(super) fn beyond(lowering: &Lowering<'_>, sets: &Sets) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    for set in sets.sets.iter().filter(|set| !set.parts.is_empty()) {
        let local = local_object(lowering, set);
        let Some((what, place)) = local.or_else(|| allocated_object(lowering, set)) else {
            continue;
        };
        let problem = refused(
            format!(
                "{what}, and only objects with static storage can have members in the atomic set `{}`",
                set.name
            ),
            set.span,
        );
        let problem = match place {
            Some(place) => problem.at(place, "here"),
            None => problem,
        };
        wrong.push(problem.help("write `//@ atomic(…)` before the variables that are meant"));
    }
    wrong
}

type Unfit = (&'static str, Option<Span>);

/// A local or a parameter.
fn local_object(lowering: &Lowering<'_>, set: &Set) -> Option<Unfit> {
    let functions = lowering.module.functions.values();
    functions
        .filter(|function| !function.is_library)
        .filter_map(|function| function.body.as_ref())
        .flat_map(|body| body.locals.values())
        .find(|local| holds(lowering, &local.ty.ty, set))
        .map(|local| ("there is a local object", local.span))
}

/// Memory that may hold one: allocated, or for a literal of the struct.
fn allocated_object(lowering: &Lowering<'_>, set: &Set) -> Option<Unfit> {
    let records = || set.parts.keys();
    let shown: Vec<StructId> = records()
        .filter_map(|record| lowering.structs.get(record).copied())
        .collect();
    // Structs with locks in them are not shown on the stack.
    let sizes: Vec<u128> = records()
        .map(|record| u128::from(lowering.module.records[*record].size))
        .collect();
    let edges = lowering
        .draft
        .functions
        .values()
        .flat_map(|it| it.edges.values());
    let mut found = edges.filter_map(|edge| {
        let Action::Allocate { kind, size, ty, .. } = &edge.action else {
            return None;
        };
        match (kind, size, ty) {
            (AllocateKind::Stack, Expression::Constant(size, _), None) => sizes
                .contains(size)
                .then_some(("there may be a local object", edge.span)),
            (AllocateKind::Stack, _, Some(ty)) => {
                matches!(ty, IrType::Struct(id) if shown.contains(id))
                    .then_some(("there is a local object", edge.span))
            }
            (AllocateKind::Heap, _, _) | (AllocateKind::Stack, _, None) => {
                Some(("the program allocates memory", edge.span))
            }
        }
    });
    found.next()
}

/// Whether a type is one of the structs of the set or has one inside.
fn holds(lowering: &Lowering<'_>, ty: &Type, set: &Set) -> bool {
    let mut stack = vec![ty];
    while let Some(ty) = stack.pop() {
        match ty {
            Type::Record(record) if set.parts.contains_key(record) => return true,
            Type::Record(record) => {
                let fields = &lowering.module.records[*record].fields;
                stack.extend(fields.iter().map(|it| &it.ty.ty));
            }
            Type::Array(element, _) => stack.push(&element.ty),
            Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Unmodelled(_) => {}
        }
    }
    false
}

/// The name in brackets; `None` without brackets.
fn in_brackets(text: &str, span: Span) -> Made<Option<&str>> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let name = text
        .strip_prefix('(')
        .and_then(|it| it.strip_suffix(')'))
        .map(str::trim);
    let is_name = |name: &&str| {
        !name.is_empty()
            && !name.starts_with(|it: char| it.is_ascii_digit())
            && name
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    match name.filter(is_name) {
        Some(name) => Ok(Some(name)),
        None => Err(refused("the name of an atomic set in brackets is missing", span)
            .help("write `//@ atomic(S)` before a variable, `//@ unit(S)` or `//@ unit` before a function")),
    }
}

impl Lowering<'_> {
    /// `//@ atomic(S)`.
    fn atomic(
        &mut self,
        sets: &mut Sets,
        annotated: &Annotated<'_>,
        annotation: &Annotation,
        text: &str,
    ) -> Made<()> {
        let span = annotation.span;
        let Some(name) = in_brackets(text, span)? else {
            return Err(
                refused("`atomic` needs the name of a set", span).help("write `//@ atomic(S)`")
            );
        };
        match subject(annotated, annotation) {
            Subject::Declared(names) if !names.is_empty() => {
                for declared in names {
                    let member = self.whole(declared, span)?;
                    sets.named(name, span).members.push(member);
                }
                Ok(())
            }
            Subject::Members(specifier, names) if !names.is_empty() => {
                let module = self.module;
                let record = module
                    .records
                    .iter()
                    .find(|(_, record)| record.span == Some(specifier.span))
                    .or_else(|| {
                        let tag = specifier.tag.as_ref()?;
                        module
                            .records
                            .iter()
                            .find(|(_, record)| record.tag.as_ref() == Some(&tag.name))
                    });
                let Some((record, source)) = record else {
                    return Err(refused("this struct is not known", span));
                };
                for member in names {
                    let field = source
                        .fields
                        .iter()
                        .find(|it| it.name.as_ref() == Some(&member.name));
                    let Some(field) = field.filter(|it| it.bits.is_none()) else {
                        let message = format!(
                            "`{}` shares its bytes with other bit-fields, so it cannot be in an atomic set",
                            member.name
                        );
                        return Err(refused(message, span));
                    };
                    let part = (field.offset, self.size(&field.ty.ty));
                    let parts = &mut sets.named(name, span).parts;
                    parts.entry(record).or_default().push(part);
                }
                Ok(())
            }
            Subject::Function(function) => {
                Err(refused(format!("`{}` is a function", function.name), span)
                    .help(format!("for a unit of work write `//@ unit({name})`")))
            }
            Subject::Body => Err(refused(
                "an atomic set holds objects with static storage, declared outside of functions",
                span,
            )),
            Subject::Declared(_) | Subject::Members(..) | Subject::Nothing => Err(refused(
                "`atomic` stands before no variable or member",
                span,
            )
            .help("write it in the line before the declaration, or behind it")),
        }
    }

    /// A variable as a whole.
    fn whole(&mut self, declared: &Identifier, span: Span) -> Made<Member> {
        let module = self.module;
        let at_place = module
            .objects
            .iter()
            .find(|(_, object)| object.span == Some(declared.span));
        let found = at_place.or_else(|| {
            let is_it =
                |object: &Object| object.name == *declared.name && !object.is_string_literal;
            module.objects.iter().find(|(_, object)| is_it(object))
        });
        let Some((id, object)) = found else {
            return Err(refused(format!("`{}` is no variable", declared.name), span)
                .help("for a unit of work write `//@ unit`"));
        };
        if object.is_thread_local {
            let message = format!("each thread has its own `{}`", declared.name);
            return Err(refused(message, span));
        }
        let global = self.object(id);
        Ok(Member {
            global,
            offset: 0,
            size: object.size,
        })
    }

    /// The sets of the program: one for the variables, one for each object with members.
    fn instances(&mut self, set: &Set) -> Made<Vec<AtomicSetId>> {
        let module = self.module;
        let mut found: Vec<(String, Vec<Member>)> = Vec::new();
        if !set.members.is_empty() {
            found.push((set.name.clone(), set.members.clone()));
        }
        for (id, object) in module.objects.iter() {
            if object.is_string_literal || set.parts.is_empty() {
                continue;
            }
            let mut places = Vec::new();
            self.find_records(&object.ty.ty, 0, object.name.clone(), set, &mut places);
            if found.len() + places.len() > MOST_INSTANCES {
                let message = format!("too many objects have members in `{}`", set.name);
                return Err(refused(message, set.span));
            }
            if places.is_empty() {
                continue;
            }
            if object.is_thread_local {
                let message = format!("each thread has its own `{}`", object.name);
                return Err(refused(message, set.span));
            }
            let global = self.object(id);
            for (path, record, offset) in places {
                let members = set.parts[&record].iter().map(|(at, size)| Member {
                    global,
                    offset: offset + at,
                    size: *size,
                });
                found.push((format!("{} of {path}", set.name), members.collect()));
            }
        }
        if found.is_empty() {
            let message = format!(
                "no object with static storage has a member in the atomic set `{}`",
                set.name
            );
            return Err(refused(message, set.span));
        }
        // A lone set is called as the user calls it.
        if let [(name, _)] = &mut found[..] {
            name.clone_from(&set.name);
        }
        let mut ids = Vec::new();
        for (name, members) in found {
            let name = self.unique_name(&name);
            ids.push(self.draft.atomic_sets.push(AtomicSet {
                name,
                members,
                span: Some(set.span),
            }));
        }
        Ok(ids)
    }

    /// Where objects of the structs lie inside one of this type.
    fn find_records(
        &self,
        ty: &Type,
        offset: u64,
        path: String,
        set: &Set,
        places: &mut Vec<(String, RecordId, u64)>,
    ) {
        if places.len() > MOST_INSTANCES {
            return;
        }
        match ty {
            Type::Record(record) => {
                for field in &self.module.records[*record].fields {
                    let name = match &field.name {
                        Some(name) => format!("{path}.{name}"),
                        None => path.clone(),
                    };
                    self.find_records(&field.ty.ty, offset + field.offset, name, set, places);
                }
                if set.parts.contains_key(record) {
                    places.push((path, *record, offset));
                }
            }
            Type::Array(element, Length::Constant(length)) => {
                let size = self.size(&element.ty);
                let before = places.len();
                for index in 0..*length {
                    let name = format!("{path}[{index}]");
                    self.find_records(&element.ty, offset + index * size, name, set, places);
                    // Nothing in the first is nothing in all.
                    if places.len() == before || places.len() > MOST_INSTANCES {
                        return;
                    }
                }
            }
            Type::Array(..)
            | Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Function(_)
            | Type::Unmodelled(_) => {}
        }
    }

    /// `//@ unit` and `//@ unit(S)`.
    fn unit(
        &mut self,
        ids: &BTreeMap<String, Vec<AtomicSetId>>,
        annotated: &Annotated<'_>,
        annotation: &Annotation,
        text: &str,
    ) -> Made<()> {
        let span = annotation.span;
        let sets: Vec<Option<AtomicSetId>> = match in_brackets(text, span)? {
            None => vec![None],
            Some(name) => match ids.get(name) {
                Some(sets) => sets.iter().copied().map(Some).collect(),
                None => {
                    return Err(
                        refused(format!("there is no atomic set `{name}`"), span).help(format!(
                            "write `//@ atomic({name})` before the variables that belong to it"
                        )),
                    );
                }
            },
        };
        let names = match subject(annotated, annotation) {
            Subject::Function(name) => vec![name],
            Subject::Declared(names) => names,
            Subject::Members(..) | Subject::Body | Subject::Nothing => Vec::new(),
        };
        let functions: Vec<FunctionId> = names
            .iter()
            .filter_map(|name| {
                let functions = &self.module.functions;
                let at_place = functions.iter().find(|(_, it)| it.span == Some(name.span));
                let by_name = || functions.iter().find(|(_, it)| it.name == *name.name);
                at_place.or_else(by_name).map(|(id, _)| id)
            })
            .collect();
        if functions.is_empty() || functions.len() < names.len() {
            return Err(refused("`unit` stands before no function", span)
                .help("write it in the line before the definition of the function"));
        }
        for function in functions {
            let units = self.units_of_work.entry(function).or_default();
            units.extend(sets.iter().copied());
        }
        Ok(())
    }
}

fn subject<'t>(annotated: &Annotated<'t>, annotation: &Annotation) -> Subject<'t> {
    annotated
        .units
        .iter()
        .find(|(file, _)| *file == annotation.span.file)
        .map_or(Subject::Nothing, |(_, unit)| subject::of(unit, annotation))
}
