//! One program of several units: external names, which definition counts, unique names.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use raddle_base::{Id, Span};
use raddle_c_syntax::tree::{Declarator, DeclaratorPart, FunctionDefinition, Item, Name, Storage};
use raddle_diag::Diagnostic;

use super::attribute::literal_text;
use super::scope::Entity;
use super::{CheckedUnit, Checker};
use crate::gnu::is_of_the_implementation;
use crate::typed::{Function, FunctionId, Module, Object, ObjectId};
use crate::types::{FunctionType, Length, Qualified, Type};

#[derive(Clone, Copy, Debug)]
pub(super) enum External {
    Function(FunctionId),
    Object(ObjectId),
}

/// What names with external linkage stand for.
#[derive(Default)]
pub(super) struct Externals {
    library: HashMap<Name, External>,
    /// What users say of names of the library refers to the library, unless they define them.
    user: HashMap<Name, External>,
    pub(super) user_defined: HashSet<Name>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FunctionFacts {
    pub(super) definition: Option<Span>,
    /// An `inline` or weak definition gives way to an ordinary one.
    pub(super) is_weak: bool,
    pub(super) is_static: bool,
    /// Only known from a call.
    pub(super) is_implicit: bool,
    /// What its attribute asked for.
    pub(super) align: Option<u64>,
    pub(super) symbol: SymbolFacts,
}

/// What is said about a name that is not said about its type.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolFacts {
    /// The last unit that calls it weak.
    pub(super) weak_unit: Option<usize>,
    /// The name that it is another name of, and whether that need not be defined.
    pub(super) alias: Option<(Name, bool)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ObjectFacts {
    /// Where it is initialised.
    pub(super) initialised: Option<Span>,
    pub(super) is_static: bool,
    pub(super) is_library: bool,
    /// The size its initialiser gives it, if a flexible array is initialised.
    pub(super) initialised_size: u64,
    /// Some definition is not weak.
    pub(super) has_strong_definition: bool,
    pub(super) symbol: SymbolFacts,
}

/// `extern inline` as gcc once had it: a copy of a function that is defined elsewhere. glibc's headers have many.
fn is_for_inlining_only(function: &FunctionDefinition) -> bool {
    function.specifiers.storage == Some(Storage::Extern)
        && function.specifiers.is_inline
        && [
            &function.specifiers.attributes,
            &function.declarator.attributes,
            &function.attributes,
        ]
        .into_iter()
        .flatten()
        .any(|attribute| &*attribute.name == "gnu_inline")
}

/// What the linker calls the functions and objects of a unit that have a label, by their names.
fn labels_of(unit: &CheckedUnit<'_>) -> BTreeMap<Name, Name> {
    let mut labels = BTreeMap::new();
    for item in &unit.unit.items {
        match item {
            Item::Function(function) => {
                if let (Some(name), Some(label)) = (&function.declarator.name, &function.asm_label)
                {
                    labels.insert(name.name.clone(), literal_text(label));
                }
            }
            Item::Declaration(declaration) => {
                for it in &declaration.declarators {
                    if let (Some(name), Some(label)) = (&it.declarator.name, &it.asm_label) {
                        labels.insert(name.name.clone(), literal_text(label));
                    }
                }
            }
            Item::StaticAssert(_) | Item::Asm(_) => {}
        }
    }
    labels
}

impl Checker {
    /// Which names the user's units define: they are never those of the library.
    pub(super) fn note_user_definitions(&mut self, units: &[CheckedUnit<'_>]) {
        for unit in units.iter().filter(|unit| !unit.is_library) {
            let labels = labels_of(unit);
            for item in &unit.unit.items {
                match item {
                    Item::Function(function) => {
                        if function.specifiers.storage != Some(Storage::Static)
                            && !is_for_inlining_only(function)
                            && let Some(name) = &function.declarator.name
                        {
                            self.note_user_definition(&name.name, &labels);
                        }
                    }
                    Item::Declaration(declaration) => {
                        for declarator in &declaration.declarators {
                            let is_alias = [
                                &declaration.specifiers.attributes,
                                &declarator.declarator.attributes,
                                &declarator.attributes,
                            ]
                            .into_iter()
                            .flatten()
                            .any(|attribute| &*attribute.name == "alias");
                            let defines = match declaration.specifiers.storage {
                                None => is_alias || !is_function(&declarator.declarator),
                                Some(Storage::Extern) => {
                                    is_alias || declarator.initializer.is_some()
                                }
                                Some(
                                    Storage::Typedef
                                    | Storage::Static
                                    | Storage::Auto
                                    | Storage::Register,
                                ) => false,
                            };
                            if defines && let Some(name) = &declarator.declarator.name {
                                self.note_user_definition(&name.name, &labels);
                            }
                        }
                    }
                    Item::StaticAssert(_) | Item::Asm(_) => {}
                }
            }
        }
    }

    /// A name that the user defines, and what the linker calls it.
    fn note_user_definition(&mut self, name: &Name, labels: &BTreeMap<Name, Name>) {
        self.externals.user_defined.insert(name.clone());
        if let Some(label) = labels.get(name) {
            self.externals.user_defined.insert(label.clone());
        }
    }

    pub(super) fn external(&self, name: &str) -> Option<External> {
        if self.is_library {
            return self.externals.library.get(name).copied();
        }
        if let Some(external) = self.externals.user.get(name) {
            return Some(*external);
        }
        if self.externals.user_defined.contains(name) {
            return None;
        }
        self.externals.library.get(name).copied()
    }

    pub(super) fn add_external(&mut self, name: &Name, external: External) {
        let table = if self.is_library {
            &mut self.externals.library
        } else {
            &mut self.externals.user
        };
        table.insert(name.clone(), external);
    }

    pub(super) fn new_function(&mut self, name: &str, ty: FunctionType, span: Span) -> FunctionId {
        self.function_facts.push(FunctionFacts::default());
        self.functions.push(Function {
            name: name.to_owned(),
            ty,
            body: None,
            is_noreturn: false,
            is_static: false,
            constructor: None,
            destructor: None,
            is_library: self.is_library,
            alias: None,
            is_null: false,
            nonnull: None,
            unsupported: None,
            span: Some(span),
        })
    }

    pub(super) fn new_object(&mut self, name: String, ty: Qualified, span: Span) -> ObjectId {
        self.object_facts.push(ObjectFacts {
            is_library: self.is_library,
            ..ObjectFacts::default()
        });
        self.objects.push(Object {
            name,
            ty,
            size: 0,
            align: 1,
            is_thread_local: false,
            is_defined: false,
            is_string_literal: false,
            is_library: self.is_library,
            section: None,
            initial: Vec::new(),
            alias: None,
            is_null: false,
            unsupported: None,
            span: Some(span),
        })
    }

    pub(super) fn facts_of_function(&mut self, id: FunctionId) -> &mut FunctionFacts {
        &mut self.function_facts[id.index()]
    }

    pub(super) fn facts_of_object(&mut self, id: ObjectId) -> &mut ObjectFacts {
        &mut self.object_facts[id.index()]
    }

    pub(super) fn finish(mut self) -> (Module, Vec<Diagnostic>) {
        self.complete_objects();
        self.find_null_symbols();
        self.unique_names();
        let module = Module {
            model: self.model,
            records: self.records,
            enumerations: self.enumerations,
            objects: self.objects,
            functions: self.functions,
            annotations: self.annotations,
            volatile_is_atomic: false,
            sent_signals: self.sent_signals.unwrap_or(0),
        };
        (module, self.diagnostics)
    }

    /// At the end of a unit: what its aliases are other names of.
    pub(super) fn resolve_aliases(&mut self) {
        for id in self.functions.ids() {
            let Some((target, is_weak)) = self.facts_of_function(id).symbol.alias.clone() else {
                continue;
            };
            if self.functions[id].alias.is_some() {
                continue;
            }
            let here = match self.lookup_in_file(&target).map(|found| &found.entity) {
                Some(Entity::Function(target, _)) => Some(*target),
                _ => None,
            };
            let found = here.or_else(|| match self.external(&target) {
                Some(External::Function(target)) => Some(target),
                Some(External::Object(_)) | None => None,
            });
            let found = match found {
                None if is_weak => {
                    let ty = self.functions[id].ty.clone();
                    let span = self.functions[id].span;
                    span.map(|span| {
                        let other = self.new_function(&target, ty, span);
                        self.add_external(&target, External::Function(other));
                        other
                    })
                }
                found => found,
            };
            if is_weak && let Some(found) = found {
                self.facts_of_function(found).symbol.weak_unit = Some(self.unit_index);
            }
            self.functions[id].alias = found.filter(|found| *found != id);
        }
        for id in self.objects.ids() {
            let Some((target, _)) = self.facts_of_object(id).symbol.alias.clone() else {
                continue;
            };
            let here = match self.lookup_in_file(&target).map(|found| &found.entity) {
                Some(Entity::Object(target, _)) => Some(*target),
                _ => None,
            };
            if self.objects[id].alias.is_none() {
                self.objects[id].alias = here.filter(|found| *found != id);
            }
        }
    }

    /// Weak names that nobody defines are at address zero. What the libraries of the machine define is not known to be so.
    fn find_null_symbols(&mut self) {
        for id in self.functions.ids() {
            let symbol = &self.function_facts[id.index()].symbol;
            let function = &mut self.functions[id];
            function.is_null = function.body.is_none()
                && symbol.weak_unit.is_some()
                && symbol.alias.is_none()
                && !crate::lower::is_known_name(&function.name)
                && !is_of_the_implementation(&function.name);
        }
        for id in self.objects.ids() {
            let symbol = &self.object_facts[id.index()].symbol;
            let object = &mut self.objects[id];
            object.is_null = !object.is_defined
                && symbol.weak_unit.is_some()
                && symbol.alias.is_none()
                && !is_of_the_implementation(&object.name);
        }
    }

    /// Sizes are known only at the end: a struct may be completed after the declaration of its objects.
    fn complete_objects(&mut self) {
        for id in self.objects.ids() {
            let mut ty = self.objects[id].ty.clone();
            if self.objects[id].is_defined
                && let Type::Array(element, Length::Unspecified) = &ty.ty
            {
                ty.ty = Type::Array(element.clone(), Length::Constant(1));
                self.objects[id].ty = ty.clone();
            }
            let size = self.size_of(&ty.ty);
            if self.objects[id].is_defined && (size.is_none() || ty.ty == Type::Void) {
                let text = self.show(&ty.ty);
                let name = self.objects[id].name.clone();
                if let Some(span) = self.objects[id].span {
                    self.error(span, format!("`{name}` has the incomplete type `{text}`"));
                }
            }
            let align = self.align_of_qualified(&ty);
            let initialised = self.object_facts[id.index()].initialised_size;
            let object = &mut self.objects[id];
            object.size = size.unwrap_or(0).max(initialised);
            object.align = object.align.max(align);
        }
    }

    /// Names that are external and the user's stay as they are; of the others, later ones get a number.
    fn unique_names(&mut self) {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for rank in 0..4 {
            let is_now = |is_static: bool, is_library: bool| {
                rank == usize::from(is_static) + 2 * usize::from(is_library)
            };
            for id in self.functions.ids() {
                let facts = &self.function_facts[id.index()];
                if is_now(facts.is_static, self.functions[id].is_library) {
                    let name = std::mem::take(&mut self.functions[id].name);
                    self.functions[id].name = unique(&mut taken, name);
                }
            }
            for id in self.objects.ids() {
                let facts = &self.object_facts[id.index()];
                if is_now(facts.is_static, facts.is_library) {
                    let name = std::mem::take(&mut self.objects[id].name);
                    self.objects[id].name = unique(&mut taken, name);
                }
            }
        }
    }
}

fn unique(taken: &mut BTreeSet<String>, name: String) -> String {
    if taken.insert(name.clone()) {
        return name;
    }
    let mut number = 2_usize;
    loop {
        let candidate = format!("{name}.{number}");
        if taken.insert(candidate.clone()) {
            return candidate;
        }
        number += 1;
    }
}

/// Whether the declarator itself makes a function.
fn is_function(declarator: &Declarator) -> bool {
    matches!(declarator.parts.first(), Some(DeclaratorPart::Function(_)))
}
