//! Named parts of memory objects: which path of a type, such as `.next` or `[3].count`, leads to given bytes.

use crate::program::ProgramDraft;
use crate::types::Type;

/// One step into a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Segment<'d> {
    Field(&'d str),
    Index(u64),
    /// The index variable of a family of cells.
    Variable,
}

/// The elements that an index variable ranges over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) count: u64,
    pub(crate) stride: u64,
}

/// How many parts a search looks at before it gives up; unions in unions have exponentially many paths.
const SEARCH_LIMIT: u32 = 10_000;

/// The first path into `ty` that leads to a part at `offset` which `fits`, with an index variable iff a family is given.
pub(crate) fn find_path<'d>(
    draft: &'d ProgramDraft,
    ty: &'d Type,
    offset: u64,
    family: Option<Family>,
    fits: &dyn Fn(&Type) -> bool,
) -> Option<Vec<Segment<'d>>> {
    let mut search = Search {
        draft,
        fits,
        path: Vec::new(),
        looked_at: 0,
    };
    search.descend(ty, offset, family).then_some(search.path)
}

struct Search<'d, 'f> {
    draft: &'d ProgramDraft,
    fits: &'f dyn Fn(&Type) -> bool,
    path: Vec<Segment<'d>>,
    looked_at: u32,
}

impl<'d> Search<'d, '_> {
    fn descend(&mut self, ty: &'d Type, offset: u64, family: Option<Family>) -> bool {
        self.looked_at += 1;
        if self.looked_at > SEARCH_LIMIT {
            return false;
        }
        if offset == 0 && family.is_none() && (self.fits)(ty) {
            return true;
        }
        match ty {
            Type::Scalar(_) | Type::Sync(_) => false,
            Type::Array(element, length) => {
                let stride = self.draft.size_of(element).unwrap_or(0);
                if stride == 0 {
                    return false;
                }
                let is_family = family
                    == Some(Family {
                        count: *length,
                        stride,
                    });
                (is_family
                    && offset < stride
                    && self.enter(Segment::Variable, element, offset, None))
                    || (offset / stride < *length
                        && self.enter(
                            Segment::Index(offset / stride),
                            element,
                            offset % stride,
                            family,
                        ))
            }
            Type::Struct(id) => {
                let draft = self.draft;
                draft.structs[*id].fields.iter().any(|field| {
                    let size = draft.size_of(&field.ty).unwrap_or(0);
                    (field.offset..field.offset + size).contains(&offset)
                        && self.enter(
                            Segment::Field(&field.name),
                            &field.ty,
                            offset - field.offset,
                            family,
                        )
                })
            }
        }
    }

    fn enter(
        &mut self,
        segment: Segment<'d>,
        ty: &'d Type,
        offset: u64,
        family: Option<Family>,
    ) -> bool {
        self.path.push(segment);
        let is_found = self.descend(ty, offset, family);
        if !is_found {
            self.path.pop();
        }
        is_found
    }
}
