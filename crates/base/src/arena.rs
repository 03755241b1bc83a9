//! Typed indices and the flat vectors they name.
//!
//! [`Arena`] owns entities and is the only one to hand out their ids; [`SideTable`] attaches facts to ids
//! that exist already. They are two types because confusing them is a bug.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index. Two ids of different entities cannot be confused.
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug {
    fn from_index(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares an id type whose text form is a prefix and a number, as in `t3`.
#[macro_export]
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(std::num::NonZeroU32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index + 1).expect("fewer than 2^32 - 1 entities");
                Self(std::num::NonZeroU32::new(raw).expect("index + 1 is positive"))
            }

            fn index(self) -> usize {
                usize::try_from(self.0.get() - 1).expect("an id was made from a usize")
            }
        }

        impl $crate::saved::Saved for $name {
            fn save(&self, sink: &mut $crate::saved::Sink) {
                $crate::Id::index(*self).save(sink);
            }

            fn load(source: &mut $crate::saved::Source) -> std::io::Result<Self> {
                let index = <usize as $crate::saved::Saved>::load(source)?;
                u32::try_from(index).map_err(|_| $crate::saved::wrong())?;
                Ok($crate::Id::from_index(index))
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), $crate::Id::index(*self))
            }
        }
    };
}

/// Owns the entities named by `I`. Only this type hands out new ids.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> Arena<I, T> {
    pub fn new() -> Self {
        Self {
            items: Vec::new(),
            id: PhantomData,
        }
    }

    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    pub fn contains(&self, id: I) -> bool {
        id.index() < self.items.len()
    }

    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items
            .iter()
            .enumerate()
            .map(|(i, item)| (I::from_index(i), item))
    }

    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        Self {
            items: items.into_iter().collect(),
            id: PhantomData,
        }
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Arena<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Facts attached to ids that an [`Arena`] handed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideTable<I, T> {
    facts: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T: Clone> SideTable<I, T> {
    /// One fact for each entity of `arena`.
    pub fn filled<U>(arena: &Arena<I, U>, fact: T) -> Self {
        Self {
            facts: vec![fact; arena.len()],
            id: PhantomData,
        }
    }
}

impl<I: Id, T> Index<I> for SideTable<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.facts[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for SideTable<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.facts[id.index()]
    }
}
