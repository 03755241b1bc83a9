//! What runs before `main` and at the end of the process, in the order in which the linker and glibc put it.
//!
//! Constructors, and functions whose addresses lie in a section `.init_array`, run by ascending priority; what has none
//! comes last, and equals run in the order of the text. Destructors and `.fini_array` are the same backwards. Where the compiler
//! puts a table among its equals of the same file depends on how it optimises: that is not modelled.

use raddle_base::{Id, Span};

use crate::typed::{AddressBase, ConstantValue, FunctionId, Module, NO_PRIORITY, Object};

/// The function of our library that registers the destructors.
pub(super) const BEGIN_PROCESS: &str = "__raddle_begin_process";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    Beginning,
    End,
}

impl When {
    fn section(self) -> &'static str {
        match self {
            When::Beginning => ".init_array",
            When::End => ".fini_array",
        }
    }

    /// The sections of an older kind, whose order is another one.
    fn old_section(self) -> &'static str {
        match self {
            When::Beginning => ".ctors",
            When::End => ".dtors",
        }
    }
}

/// One thing to be called.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Function(FunctionId),
    Unsupported(&'static str, Span),
}

/// Runs before all others.
const PREINIT: &str = ".preinit_array";

/// What is to be called, in order.
pub(super) fn entries(module: &Module, when: When) -> Vec<Entry> {
    let mut found: Vec<(Rank, Entry)> = Vec::new();
    for (id, function) in module.functions.iter() {
        let priority = match when {
            When::Beginning => function.constructor,
            When::End => function.destructor,
        };
        if let (Some(priority), true) = (priority, function.body.is_some()) {
            found.push((rank(priority, function.span), Entry::Function(id)));
        }
    }
    let functions: Vec<Rank> = found.iter().map(|(rank, _)| *rank).collect();
    let mut tables: Vec<(Rank, Span)> = Vec::new();
    for object in module.objects.values().filter(|it| it.is_defined) {
        let (Some(section), Some(span)) = (&object.section, object.span) else {
            continue;
        };
        if let Some(priority) = priority_of(section, when) {
            let rank = rank(priority, object.span);
            let called = called_by(module, object, span).into_iter();
            tables.push((rank, span));
            found.extend(called.map(|entry| (rank, entry)));
        } else if section.starts_with(when.old_section()) {
            let what = "a table of constructors or destructors in a section of the older kind";
            found.push((rank(0, object.span), Entry::Unsupported(what, span)));
        }
    }
    for &(rank, span) in &tables {
        let others = tables.iter().map(|it| it.0).filter(|it| *it != rank);
        if others
            .chain(functions.iter().copied())
            .any(|it| are_equals(it, rank))
        {
            let what = "a table of functions for the beginning or the end of the process beside others of the same priority";
            // It comes before all of them.
            let place = match when {
                When::Beginning => 0,
                When::End => u32::MAX,
            };
            let first = (rank.0, rank.1, place);
            found.push((first, Entry::Unsupported(what, span)));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    if when == When::End {
        found.reverse();
    }
    found.into_iter().map(|(_, entry)| entry).collect()
}

/// By priority, then by place in the text.
type Rank = (u16, usize, u32);

/// Whether two have the same priority in the same file.
fn are_equals(one: Rank, other: Rank) -> bool {
    (one.0, one.1) == (other.0, other.1)
}

fn rank(priority: u16, span: Option<Span>) -> Rank {
    span.map_or((priority, usize::MAX, u32::MAX), |span| {
        (priority, span.file.index(), span.start)
    })
}

/// The priority that the name of a section says, if it is one of those.
fn priority_of(section: &str, when: When) -> Option<u16> {
    if when == When::Beginning && section == PREINIT {
        return Some(0);
    }
    let rest = section.strip_prefix(when.section())?;
    if rest.is_empty() {
        return Some(NO_PRIORITY);
    }
    rest.strip_prefix('.')?.parse().ok()
}

/// The functions whose addresses an object in such a section holds.
fn called_by(module: &Module, object: &Object, span: Span) -> Vec<Entry> {
    const OTHER: &str = "a table of functions for the beginning or the end of the process with something else in it";
    let word = module.model.pointer_bytes();
    let is_whole = object.initial.len() as u64 * word == object.size;
    if !is_whole {
        return vec![Entry::Unsupported(OTHER, span)];
    }
    let entry = |value: &ConstantValue| match value {
        ConstantValue::Address(AddressBase::Function(function), 0, _)
            if module.functions[*function].ty.parameters.is_empty()
                && module.functions[*function].body.is_some() =>
        {
            Entry::Function(*function)
        }
        ConstantValue::Address(..) | ConstantValue::Bits(..) | ConstantValue::Bytes(_) => {
            Entry::Unsupported(OTHER, span)
        }
    };
    object
        .initial
        .iter()
        .map(|piece| entry(&piece.value))
        .collect()
}
