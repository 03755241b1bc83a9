//! What the items of a program declare: names and their types. `structs`: how structs are laid out.

mod structs;

use std::collections::BTreeMap;

use raddle_base::{Arena, Id, Span};
use raddle_diag::Diagnostic;
use raddle_ir::{AtomicSetId, DataModel, Field, FunctionId, GlobalId, StructId, StructType};

use crate::message::{Messages, limit_error, name_error, nearest, type_error};
use crate::syntax::{FunctionItem, Item, Name, StructItem, TypeExpr, TypeKind, VariableItem};

use super::surface::{Ty, sync_of_word};

/// What a name of the program stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Global(GlobalId),
    Function(FunctionId),
    Struct(StructId),
    AtomicSet(AtomicSetId),
}

impl Meaning {
    pub(super) fn kind(self) -> &'static str {
        match self {
            Meaning::Global(_) => "a variable",
            Meaning::Function(_) => "a function",
            Meaning::Struct(_) => "a struct",
            Meaning::AtomicSet(_) => "an atomic set",
        }
    }
}

pub(super) struct Signature<'i, 's> {
    pub(super) item: &'i FunctionItem<'s>,
    pub(super) parameters: Vec<Ty>,
    pub(super) result: Option<Ty>,
}

/// Everything that the bodies of functions may refer to.
pub(super) struct Context<'i, 's> {
    pub(super) model: DataModel,
    pub(super) structs: Arena<StructId, StructType>,
    /// The surface types of the fields of each struct.
    field_types: Vec<Vec<Ty>>,
    pub(super) globals: Vec<(&'i VariableItem<'s>, Ty)>,
    pub(super) functions: Vec<Signature<'i, 's>>,
    names: BTreeMap<&'s str, (Meaning, Span)>,
}

impl<'i, 's> Context<'i, 's> {
    /// Reads every declaration. `None` if types are wrong, so that bodies cannot be judged.
    pub(super) fn new(
        items: &'i [Item<'s>],
        default_model: DataModel,
        messages: &mut Messages,
    ) -> Option<Self> {
        let mut context = Self {
            model: model_of(items, messages).unwrap_or(default_model),
            structs: Arena::new(),
            field_types: Vec::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            names: BTreeMap::new(),
        };
        let structs = context.declare_names(items, messages);
        context.define_structs(&structs, messages);
        if !messages.is_empty() {
            return None;
        }
        for item in items {
            match item {
                Item::Variable(variable) => match context.sized(&variable.ty) {
                    Ok(ty) => context.globals.push((variable, ty)),
                    Err(diagnostic) => {
                        messages.push(diagnostic);
                    }
                },
                Item::Function(function) => match context.signature(function) {
                    Ok(signature) => context.functions.push(signature),
                    Err(diagnostic) => {
                        messages.push(diagnostic);
                    }
                },
                Item::Model(..)
                | Item::UnsetIsUnknown
                | Item::Struct(_)
                | Item::Start(_)
                | Item::Invariant(_)
                | Item::Exclusive { .. }
                | Item::AtomicSet { .. } => {}
            }
        }
        messages.is_empty().then_some(context)
    }

    fn declare_names(
        &mut self,
        items: &'i [Item<'s>],
        messages: &mut Messages,
    ) -> Vec<&'i StructItem<'s>> {
        let mut structs = Vec::new();
        let (mut globals, mut functions, mut sets) = (0, 0, 0);
        let count = |counter: &mut usize| {
            *counter += 1;
            *counter - 1
        };
        for item in items {
            let (name, meaning) = match item {
                Item::Variable(variable) => (
                    variable.name,
                    Meaning::Global(GlobalId::from_index(count(&mut globals))),
                ),
                Item::Function(function) => (
                    function.name,
                    Meaning::Function(FunctionId::from_index(count(&mut functions))),
                ),
                Item::AtomicSet { name, .. } => (
                    *name,
                    Meaning::AtomicSet(AtomicSetId::from_index(count(&mut sets))),
                ),
                Item::Struct(declared) => {
                    structs.push(declared);
                    (
                        declared.name,
                        Meaning::Struct(StructId::from_index(structs.len() - 1)),
                    )
                }
                Item::Model(..)
                | Item::UnsetIsUnknown
                | Item::Start(_)
                | Item::Invariant(_)
                | Item::Exclusive { .. } => {
                    continue;
                }
            };
            match self.names.get(name.text) {
                Some((_, first)) => {
                    messages.push(
                        name_error(
                            format!("the name `{}` is declared twice", name.text),
                            name.span,
                            "declared again here",
                        )
                        .at(*first, "first declared here")
                        .help("variables, functions, structs and atomic sets share their names: rename one"),
                    );
                }
                None => {
                    self.names.insert(name.text, (meaning, name.span));
                }
            }
        }
        structs
    }

    // ---- names

    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        self.names.get(name).map(|(meaning, _)| *meaning)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'s str> {
        self.names.keys().copied()
    }

    pub(super) fn function(&self, id: FunctionId) -> &Signature<'i, 's> {
        &self.functions[id.index()]
    }

    pub(super) fn global_type(&self, id: GlobalId) -> &Ty {
        &self.globals[id.index()].1
    }

    pub(super) fn atomic_set(&self, name: Name<'s>) -> Result<AtomicSetId, Diagnostic> {
        match self.meaning(name.text) {
            Some(Meaning::AtomicSet(set)) => Ok(set),
            Some(other) => Err(name_error(
                format!("`{}` is {}, not an atomic set", name.text, other.kind()),
                name.span,
                "expected an atomic set",
            )),
            None => {
                let sets = self
                    .names
                    .iter()
                    .filter(|(_, (meaning, _))| matches!(meaning, Meaning::AtomicSet(_)))
                    .map(|(name, _)| *name);
                let diagnostic = name_error(
                    format!("there is no atomic set `{}`", name.text),
                    name.span,
                    "unknown name",
                );
                Err(match nearest(name.text, sets) {
                    Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
                    None => {
                        diagnostic.help(format!("declare it: `atomicset {} {{ … }}`", name.text))
                    }
                })
            }
        }
    }

    // ---- types

    pub(super) fn size_of(&self, ty: &Ty) -> Option<u64> {
        ty.to_ir().size(&self.structs, self.model)
    }

    /// A type as people write it.
    pub(super) fn describe(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int(int) if *int == raddle_ir::IntType::BOOL => "bool".into(),
            Ty::Int(int) => format!("{}{}", if int.is_signed { 'i' } else { 'u' }, int.bits),
            Ty::Float(raddle_ir::FloatType::F32) => "f32".into(),
            Ty::Float(raddle_ir::FloatType::F64) => "f64".into(),
            Ty::Pointer(None) => "ptr".into(),
            Ty::Pointer(Some(pointee)) => format!("*{}", self.describe(pointee)),
            Ty::Thread => "thread".into(),
            Ty::Sync(sync) => sync.name().into(),
            Ty::Array(element, length) => format!("[{}; {length}]", self.describe(element)),
            Ty::Struct(id) => self.structs[*id].name.clone(),
        }
    }

    /// A field with its surface type.
    pub(super) fn field(&self, id: StructId, name: &str) -> Option<(&Field, &Ty)> {
        let at = self.structs[id]
            .fields
            .iter()
            .position(|field| field.name == name)?;
        Some((
            &self.structs[id].fields[at],
            &self.field_types[id.index()][at],
        ))
    }

    pub(super) fn resolve(&self, ty: &TypeExpr<'s>) -> Result<Ty, Diagnostic> {
        match &ty.kind {
            TypeKind::Pointer(pointee) => Ok(Ty::pointer_to(self.resolve(pointee)?)),
            TypeKind::Array(element, length) => {
                Ok(Ty::Array(Box::new(self.resolve(element)?), *length))
            }
            TypeKind::Named { text, is_quoted } => {
                if !is_quoted && let Some(known) = Ty::of_word(text, self.model) {
                    return Ok(known);
                }
                match self.meaning(text) {
                    Some(Meaning::Struct(id)) => Ok(Ty::Struct(id)),
                    Some(other) => Err(name_error(
                        format!("`{text}` is {}, not a type", other.kind()),
                        ty.span,
                        "expected a type",
                    )),
                    None => Err(self.unknown_type(text, ty.span)),
                }
            }
        }
    }

    fn unknown_type(&self, text: &str, span: Span) -> Diagnostic {
        let diagnostic = name_error(format!("there is no type `{text}`"), span, "unknown type");
        let is_int_like = text
            .strip_prefix(['u', 'i'])
            .is_some_and(|bits| !bits.is_empty() && bits.bytes().all(|b| b.is_ascii_digit()));
        if is_int_like {
            return diagnostic.help("integers have 1 to 128 bits: `u1` to `u128`, `i1` to `i128`");
        }
        let structs = self
            .names
            .iter()
            .filter(|(_, (meaning, _))| matches!(meaning, Meaning::Struct(_)))
            .map(|(name, _)| *name);
        let words = raddle_ir::SyncType::ALL
            .iter()
            .map(|sync| sync.name())
            .chain(["bool", "usize", "isize", "ptr", "thread"]);
        match nearest(text, structs.chain(words)) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => match text {
                "int" => diagnostic.help("write `i32`"),
                "char" => diagnostic.help("write `u8` or `i8`"),
                _ => diagnostic.help(format!("declare it: `struct {text} {{ … }}`")),
            },
        }
    }

    /// A type whose objects fit an offset.
    pub(super) fn sized(&self, ty: &TypeExpr<'s>) -> Result<Ty, Diagnostic> {
        let resolved = self.resolve(ty)?;
        let most = 1_u64 << self.model.offset_bits();
        match self.size_of(&resolved) {
            Some(size) if size < most => Ok(resolved),
            _ => Err(limit_error(
                format!("`{}` is too large for an object", self.describe(&resolved)),
                ty.span,
                format!("objects have less than {most} bytes"),
            )),
        }
    }

    /// A type that registers, parameters and results can have.
    pub(super) fn scalar(&self, ty: &TypeExpr<'s>) -> Result<Ty, Diagnostic> {
        let resolved = self.resolve(ty)?;
        if resolved.scalar().is_some() {
            return Ok(resolved);
        }
        Err(type_error(
            format!("`{}` does not fit a register", self.describe(&resolved)),
            ty.span,
            "expected an integer, a float, a pointer or `thread`",
        )
        .help("keep it in memory with `var`, or pass a pointer to it"))
    }

    fn signature(&self, item: &'i FunctionItem<'s>) -> Result<Signature<'i, 's>, Diagnostic> {
        let mut parameters = Vec::new();
        for (at, (name, ty)) in item.parameters.iter().enumerate() {
            let first = item.parameters[..at]
                .iter()
                .find(|(it, _)| it.text == name.text);
            if let Some((first, _)) = first {
                return Err(name_error(
                    format!("two parameters are called `{}`", name.text),
                    name.span,
                    "declared again here",
                )
                .at(first.span, "first declared here")
                .help("rename one"));
            }
            parameters.push(self.scalar(ty)?);
        }
        let result = item.result.as_ref().map(|ty| self.scalar(ty)).transpose()?;
        Ok(Signature {
            item,
            parameters,
            result,
        })
    }
}

fn model_of(items: &[Item<'_>], messages: &mut Messages) -> Option<DataModel> {
    let mut found: Option<(DataModel, Span)> = None;
    for item in items {
        if let Item::Model(model, span) = item {
            match found {
                Some((first, first_span)) if first != *model => {
                    messages.push(
                        name_error("there are two data models", *span, "another one here")
                            .at(first_span, "one here")
                            .help("leave one of them out"),
                    );
                }
                Some(_) => {}
                None => found = Some((*model, *span)),
            }
        }
    }
    found.map(|(model, _)| model)
}

/// The synchronisation type that a name in `init`, `destroy` or a list of cells names.
pub(super) fn sync_type(name: Name<'_>) -> Result<raddle_ir::SyncType, Diagnostic> {
    sync_of_word(name.text).ok_or_else(|| {
        let words = raddle_ir::SyncType::ALL.map(raddle_ir::SyncType::name);
        let diagnostic = name_error(
            format!("`{}` is no synchronisation type", name.text),
            name.span,
            "unknown type",
        );
        match nearest(name.text, words) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!("these are: {}", words.join(", "))),
        }
    })
}
