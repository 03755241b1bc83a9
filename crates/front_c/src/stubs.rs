//! A file of C with a stub for everything that a program uses and nobody defines, for its user to edit.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::lower::Missing;
use crate::typed::{Function, Module};
use crate::types::{FloatKind, FunctionType, IntegerKind, Length, Qualified, Type};

const HEAD: &str = "\
// What the program uses and no file of it defines. Each function returns anything and changes nothing; each variable
// is zero. Say what they should do, and check the program together with this file.
";

/// The text of the file.
pub(crate) fn text(module: &Module, missing: &Missing) -> String {
    let mut stubs = Stubs {
        module,
        tags: BTreeSet::new(),
        choices: BTreeSet::new(),
        text: String::new(),
    };
    for object in &missing.objects {
        let object = &module.objects[*object];
        stubs.variable(&object.name, &object.ty);
    }
    for function in &missing.functions {
        stubs.function(&module.functions[*function]);
    }
    stubs.finish()
}

struct Stubs<'m> {
    module: &'m Module,
    /// As in `struct s`, declared first so that it is one type in all of them.
    tags: BTreeSet<String>,
    /// Declarations of functions that choose a value.
    choices: BTreeSet<String>,
    text: String,
}

impl Stubs<'_> {
    fn finish(self) -> String {
        let mut text = HEAD.to_owned();
        for lines in [self.tags, self.choices] {
            if !lines.is_empty() {
                text.push('\n');
            }
            for line in lines {
                let _ = writeln!(text, "{line};");
            }
        }
        text + &self.text
    }

    fn variable(&mut self, name: &str, ty: &Qualified) {
        let declared = self.declared(ty, name);
        let stub = match declared {
            Some(text) if !is_const(ty) => format!("{text};"),
            Some(text) => format!("{text} = {{0}};"),
            None => left_to_the_user(name),
        };
        let _ = write!(self.text, "\n{stub}\n");
    }

    fn function(&mut self, function: &Function) {
        let stub = self
            .definition(function)
            .unwrap_or_else(|| left_to_the_user(&function.name));
        let _ = write!(self.text, "\n{stub}\n");
    }

    fn definition(&mut self, function: &Function) -> Option<String> {
        let parameters = self.parameters(&function.ty)?;
        let name = &function.name;
        let head = self.declared_type(&function.ty.result, &format!("{name}({parameters})"))?;
        let result = &function.ty.result;
        if matches!(result, Type::Void) {
            return Some(format!("{head} {{\n}}"));
        }
        let value = if let Type::Pointer(_) = result {
            "0".to_owned()
        } else {
            let ty = self.declared_type(result, "")?;
            let choice = format!("__VERIFIER_nondet_{}", ty.replace(' ', "_"));
            self.choices.insert(format!("{ty} {choice}(void)"));
            format!("{choice}()")
        };
        Some(format!("{head} {{\n    return {value};\n}}"))
    }

    fn parameters(&mut self, ty: &FunctionType) -> Option<String> {
        if !ty.has_prototype {
            return Some(String::new());
        }
        let mut parts = Vec::new();
        for (number, parameter) in ty.parameters.iter().enumerate() {
            let name = format!("argument_{}", number + 1);
            parts.push(self.declared(parameter, &name)?);
        }
        if ty.is_variadic {
            parts.push("...".into());
        }
        Some(if parts.is_empty() {
            "void".into()
        } else {
            parts.join(", ")
        })
    }

    fn declared(&mut self, ty: &Qualified, inner: &str) -> Option<String> {
        // Of an array the elements are constant, and their own text says so.
        let is_array = matches!(ty.ty, Type::Array(..));
        let mut text = self.declared_type(&ty.ty, inner)?;
        let is_pointer = matches!(ty.ty, Type::Pointer(_));
        // A constant pointer would have it behind the star; of a parameter or a stub nobody sees it.
        for (is_said, word) in [
            (ty.is_const && !is_pointer && !is_array, "const"),
            (ty.is_volatile && !is_pointer && !is_array, "volatile"),
            (ty.is_atomic && !is_pointer && !is_array, "_Atomic"),
        ] {
            if is_said {
                text = format!("{word} {text}");
            }
        }
        Some(text)
    }

    /// The type with a declarator inside it; nothing if it cannot be written without its header.
    fn declared_type(&mut self, ty: &Type, inner: &str) -> Option<String> {
        let spaced = |base: &str| match inner {
            "" => base.to_owned(),
            _ => format!("{base} {inner}"),
        };
        match ty {
            Type::Void => Some(spaced("void")),
            Type::Bool => Some(spaced("_Bool")),
            Type::Integer(kind) => Some(spaced(integer(*kind))),
            Type::Enumeration(_) => Some(spaced("unsigned int")),
            Type::Float(FloatKind::Float) => Some(spaced("float")),
            Type::Float(FloatKind::Double) => Some(spaced("double")),
            Type::Float(FloatKind::LongDouble) => Some(spaced("long double")),
            Type::Record(_) | Type::Unmodelled(_) => None,
            Type::Pointer(target) => self.pointer(target, inner),
            Type::Array(element, length) => {
                let length = match length {
                    Length::Constant(count) => *count,
                    Length::Unspecified | Length::Variable(_) => 1,
                };
                self.declared(element, &format!("{inner}[{length}]"))
            }
            Type::Function(function) => {
                let parameters = self.parameters(function)?;
                self.declared_type(&function.result, &format!("{inner}({parameters})"))
            }
        }
    }

    fn pointer(&mut self, target: &Qualified, inner: &str) -> Option<String> {
        match &target.ty {
            Type::Array(..) | Type::Function(_) => self.declared(target, &format!("(*{inner})")),
            Type::Record(record) => {
                let record = &self.module.records[*record];
                let word = if record.is_union { "union" } else { "struct" };
                let base = match &record.tag {
                    Some(tag) => format!("{word} {tag}"),
                    // A type without a name: whoever knows its header can do better.
                    None => "void".to_owned(),
                };
                if record.tag.is_some() {
                    self.tags.insert(base.clone());
                }
                let constant = if target.is_const { "const " } else { "" };
                Some(format!("{constant}{base} *{inner}"))
            }
            Type::Void
            | Type::Bool
            | Type::Integer(_)
            | Type::Enumeration(_)
            | Type::Float(_)
            | Type::Pointer(_)
            | Type::Unmodelled(_) => self.declared(target, &format!("*{inner}")),
        }
    }
}

fn is_const(ty: &Qualified) -> bool {
    match &ty.ty {
        Type::Array(element, _) => is_const(element),
        _ => ty.is_const,
    }
}

fn left_to_the_user(name: &str) -> String {
    format!("// `{name}`: include the header that declares it, and define it here")
}

fn integer(kind: IntegerKind) -> &'static str {
    match kind {
        IntegerKind::Char => "char",
        IntegerKind::SignedChar => "signed char",
        IntegerKind::UnsignedChar => "unsigned char",
        IntegerKind::Short => "short",
        IntegerKind::UnsignedShort => "unsigned short",
        IntegerKind::Int => "int",
        IntegerKind::UnsignedInt => "unsigned int",
        IntegerKind::Long => "long",
        IntegerKind::UnsignedLong => "unsigned long",
        IntegerKind::LongLong => "long long",
        IntegerKind::UnsignedLongLong => "unsigned long long",
        IntegerKind::Int128 => "__int128",
        IntegerKind::UnsignedInt128 => "unsigned __int128",
    }
}
