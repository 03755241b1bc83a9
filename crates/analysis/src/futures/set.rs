//! The prospects of one location, few for each site.

use std::collections::BTreeMap;

use super::{Prospect, Released, Site};

/// More prospects of one site than this are drawn together: nothing is known of where and under which locks.
const MOST_VARIANTS: usize = 6;

#[derive(Clone, Debug, Default)]
pub(super) struct Set {
    by_site: BTreeMap<(Site, bool), Vec<Prospect>>,
}

impl Set {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Prospect> {
        self.by_site.values().flatten()
    }

    pub(super) fn len(&self) -> usize {
        self.by_site.values().map(Vec::len).sum()
    }

    pub(super) fn into_prospects(self) -> Vec<Prospect> {
        self.by_site.into_values().flatten().collect()
    }

    /// Whether it was new.
    pub(super) fn insert(&mut self, prospect: Prospect) -> bool {
        let known = self
            .by_site
            .entry((prospect.site, prospect.is_own))
            .or_default();
        if known.contains(&prospect) || known.iter().any(is_anything) {
            return false;
        }
        if is_anything(&prospect) || known.len() == MOST_VARIANTS {
            *known = vec![Prospect {
                path: None,
                locks: Vec::new(),
                released: Released::Any,
                ..prospect
            }];
        } else {
            known.push(prospect);
        }
        true
    }
}

/// Whether nothing is known of it, so that it covers all others of its site.
fn is_anything(prospect: &Prospect) -> bool {
    prospect.path.is_none() && prospect.locks.is_empty() && prospect.released == Released::Any
}
