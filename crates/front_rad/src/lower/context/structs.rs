//! Structs: they are laid out, inner ones first.

use raddle_base::Id;
use raddle_diag::Diagnostic;
use raddle_ir::{Field, StructId, StructType};

use crate::lower::surface::Ty;
use crate::message::{Messages, limit_error, name_error, type_error};
use crate::syntax::StructItem;

use super::Context;

/// How deep structs may contain one another.
const DEEPEST_STRUCT: u32 = 200;

impl<'s> Context<'_, 's> {
    /// Numbers structs in the order of the text, then lays them out, inner ones first.
    pub(super) fn define_structs(&mut self, items: &[&StructItem<'s>], messages: &mut Messages) {
        for item in items {
            self.structs.push(StructType {
                name: item.name.text.into(),
                fields: Vec::new(),
                size: 0,
                align: 1,
                is_union: item.is_union,
            });
            let fields: Result<Vec<Ty>, Diagnostic> = item
                .fields
                .iter()
                .map(|field| self.resolve(&field.ty))
                .collect();
            for (at, field) in item.fields.iter().enumerate() {
                let first = item.fields[..at]
                    .iter()
                    .find(|it| it.name.text == field.name.text);
                if let Some(first) = first {
                    messages.push(
                        name_error(
                            format!("two fields are called `{}`", field.name.text),
                            field.name.span,
                            "declared again here",
                        )
                        .at(first.name.span, "first declared here")
                        .help("rename one"),
                    );
                }
            }
            self.field_types.push(match fields {
                Ok(fields) => fields,
                Err(diagnostic) => {
                    messages.push(diagnostic);
                    Vec::new()
                }
            });
        }
        if !messages.is_empty() {
            return;
        }
        let mut progress = vec![Progress::New; items.len()];
        for at in 0..items.len() {
            if let Err(diagnostic) = self.lay_out(at, items, &mut progress, 0) {
                messages.push(diagnostic);
                return;
            }
        }
    }

    fn lay_out(
        &mut self,
        at: usize,
        items: &[&StructItem<'s>],
        progress: &mut [Progress],
        depth: u32,
    ) -> Result<(), Diagnostic> {
        let item = items[at];
        match progress[at] {
            Progress::Done => return Ok(()),
            Progress::Begun => {
                return Err(type_error(
                    format!("`{}` contains itself", item.name.text),
                    item.name.span,
                    "would be infinitely large",
                )
                .help(format!("use a pointer: `*{}`", item.name.text)));
            }
            Progress::New if depth > DEEPEST_STRUCT => {
                return Err(limit_error(
                    "structs contain one another too deeply",
                    item.name.span,
                    format!("more than {DEEPEST_STRUCT} levels"),
                )
                .help("use a pointer"));
            }
            Progress::New => progress[at] = Progress::Begun,
        }
        for ty in self.field_types[at].clone() {
            let mut inner = &ty;
            while let Ty::Array(element, _) = inner {
                inner = element;
            }
            if let Ty::Struct(id) = inner {
                self.lay_out(id.index(), items, progress, depth + 1)?;
            }
        }
        progress[at] = Progress::Done;
        let names = item.fields.iter().map(|field| field.name.text.to_owned());
        let types = self.field_types[at].iter().map(Ty::to_ir);
        let laid_out = match item.layout {
            None => StructType::laid_out(
                item.name.text,
                names.zip(types).collect(),
                item.is_union,
                &self.structs,
                self.model,
            ),
            Some((size, align)) => Some(StructType {
                name: item.name.text.into(),
                fields: names
                    .zip(types)
                    .zip(&item.fields)
                    .map(|((name, ty), field)| Field {
                        name,
                        ty,
                        offset: field.offset.unwrap_or(0),
                    })
                    .collect(),
                size,
                align,
                is_union: item.is_union,
            }),
        };
        self.structs[StructId::from_index(at)] = laid_out.ok_or_else(|| {
            limit_error(
                format!("`{}` is too large", item.name.text),
                item.name.span,
                "takes 2^63 bytes or more",
            )
        })?;
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Begun,
    Done,
}
