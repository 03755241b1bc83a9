//! What an annotation is about, by where it stands: the declaration behind it, or before it in its line, or around it.

use raddle_base::Span;
use raddle_c_syntax::tree::{
    Annotation, FieldDeclaration, Identifier, Item, Member, Specifiers, StructSpecifier,
    TypeSpecifier, Unit,
};

/// A declaration that an annotation is about.
pub(crate) enum Subject<'t> {
    /// At file scope: variables, or functions that are only declared.
    Declared(Vec<&'t Identifier>),
    /// Members of the struct that is written there.
    Members(&'t StructSpecifier, Vec<&'t Identifier>),
    /// The definition of a function.
    Function(&'t Identifier),
    /// The inside of a function.
    Body,
    /// Nothing, or something without a name.
    Nothing,
}

/// What an annotation of this unit is about.
pub(crate) fn of<'t>(unit: &'t Unit, annotation: &Annotation) -> Subject<'t> {
    let at = Position::of(annotation);
    let spans: Vec<Span> = unit.items.iter().map(span_of).collect();
    let Some(item) = at.choose(&spans).map(|index| &unit.items[index]) else {
        return Subject::Nothing;
    };
    match item {
        Item::Declaration(declaration) => {
            inside(&declaration.specifiers, &at).unwrap_or_else(|| {
                let declarators = declaration
                    .declarators
                    .iter()
                    .map(|it| (it.span, it.declarator.name.as_ref()));
                Subject::Declared(at.names(declarators.collect()))
            })
        }
        Item::Function(function) if at.is_in(function.body.span) => Subject::Body,
        Item::Function(function) => match &function.declarator.name {
            Some(name) => Subject::Function(name),
            None => Subject::Nothing,
        },
        Item::StaticAssert(_) | Item::Asm(_) => Subject::Nothing,
    }
}

fn span_of(item: &Item) -> Span {
    match item {
        Item::Declaration(declaration) => declaration.span,
        Item::Function(function) => function.span,
        Item::StaticAssert(assertion) => assertion.span,
        Item::Asm(asm) => asm.span,
    }
}

/// If the annotation stands among the members of a struct that the specifiers define.
fn inside<'t>(specifiers: &'t Specifiers, at: &Position) -> Option<Subject<'t>> {
    let mut specifiers = specifiers;
    // Structs in structs are a loop, not a recursion: text may nest them deeply.
    loop {
        let TypeSpecifier::Struct(specifier) = &specifiers.ty else {
            return None;
        };
        let members = specifier.members.as_ref()?;
        if !at.is_in(specifier.span) {
            return None;
        }
        let fields: Vec<&FieldDeclaration> = members
            .iter()
            .filter_map(|member| match member {
                Member::Fields(fields) => Some(fields),
                Member::StaticAssert(_) => None,
            })
            .collect();
        let spans: Vec<Span> = fields.iter().map(|it| it.span).collect();
        let Some(field) = at.choose(&spans).map(|index| fields[index]) else {
            return Some(Subject::Nothing);
        };
        let is_deeper = matches!(&field.specifiers.ty,
            TypeSpecifier::Struct(inner) if inner.members.is_some() && at.is_in(inner.span));
        if is_deeper {
            specifiers = &field.specifiers;
            continue;
        }
        let declarators = field
            .declarators
            .iter()
            .map(|it| (it.span, it.declarator.name.as_ref()));
        return Some(Subject::Members(specifier, at.names(declarators.collect())));
    }
}

/// Where an annotation stands.
struct Position {
    span: Span,
    is_trailing: bool,
}

impl Position {
    fn of(annotation: &Annotation) -> Self {
        Self {
            span: annotation.span,
            is_trailing: annotation.is_trailing,
        }
    }

    fn is_in(&self, other: Span) -> bool {
        other.start <= self.span.start && self.span.end <= other.end
    }

    /// Of declarations that follow one another: the one around it, else the one before it in its line, else the next.
    fn choose(&self, spans: &[Span]) -> Option<usize> {
        let around = spans.iter().position(|span| self.is_in(*span));
        let before = || {
            spans
                .iter()
                .rposition(|span| span.end <= self.span.start)
                .filter(|_| self.is_trailing)
        };
        let next = || spans.iter().position(|span| self.span.end <= span.start);
        around.or_else(before).or_else(next)
    }

    /// The declarator around it; all of them, if it stands before the first or behind the last.
    fn names<'t>(&self, declarators: Vec<(Span, Option<&'t Identifier>)>) -> Vec<&'t Identifier> {
        let around = declarators.iter().find(|(span, _)| self.is_in(*span));
        if let Some((_, name)) = around {
            return name.iter().copied().collect();
        }
        let is_between = |(span, _): &(Span, _)| span.end <= self.span.start;
        let before = declarators.iter().filter(|it| is_between(it)).count();
        if before != 0 && before != declarators.len() {
            return Vec::new();
        }
        declarators.into_iter().filter_map(|it| it.1).collect()
    }
}
