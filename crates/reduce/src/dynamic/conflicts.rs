//! Which operands of actions may ever be in each other's way, by the analyses before the search.

use std::cell::RefCell;
use std::collections::BTreeMap;

use raddle_analysis::conflicts::Access;
use raddle_analysis::futures::{Site, ends_with_frame};
use raddle_analysis::points_to::{ObjectKind, PointsTo};
use raddle_analysis::value::Offset;
use raddle_ir::{Action, AllocateKind, Deed};

use crate::static_movers::{StaticMovers, Survey};

/// More accesses in all than this are not compared.
const MOST_ACCESSES: usize = 4_000;

pub(super) struct Conflicts<'p> {
    survey: Survey<'p>,
    accesses: BTreeMap<Site, Vec<Access>>,
    /// What was asked before.
    meetings: RefCell<BTreeMap<(Site, Site), bool>>,
    writes: RefCell<BTreeMap<(Site, Site), bool>>,
}

impl<'p> Conflicts<'p> {
    /// `None` if there are too many, or an object may end unseen while others reach it.
    pub(super) fn new(survey: Survey<'p>) -> Option<Self> {
        let points_to = &survey.points_to;
        let has_shared_locals = points_to.objects.iter().any(|(id, object)| {
            matches!(object.kind, ObjectKind::ThreadLocal(..)) && !survey.escape.is_local(id)
        });
        if has_shared_locals {
            return None;
        }
        let mut accesses: BTreeMap<Site, Vec<Access>> = BTreeMap::new();
        let mut count = 0;
        for (instance, edge, action) in points_to.actions() {
            let known = &points_to.graph.instances[instance];
            let site = |operand| Site {
                function: known.function,
                edge,
                operand,
            };
            for (operand, touch) in action
                .operands(points_to.program.model)
                .into_iter()
                .enumerate()
            {
                for (object, offset) in points_to.values(instance, touch.address).addresses() {
                    accesses.entry(site(operand)).or_default().push(Access {
                        instance,
                        edge,
                        thread: known.thread,
                        object,
                        offset: touch.extent.map_or(Offset::ANY, |_| offset),
                        size: touch.extent.unwrap_or(1),
                        is_write: touch.is_write,
                        is_atomic: touch.is_atomic,
                        deed: touch.deed,
                    });
                    count += 1;
                }
            }
            if ends_with_frame(action) {
                let kind = ObjectKind::Allocated(AllocateKind::Stack, instance, edge);
                let object = points_to.object(kind);
                accesses
                    .entry(site(0))
                    .or_default()
                    .extend(object.map(|object| Access {
                        instance,
                        edge,
                        thread: known.thread,
                        object,
                        offset: Offset::ANY,
                        size: 1,
                        is_write: true,
                        is_atomic: false,
                        deed: Deed::Whole,
                    }));
            }
        }
        (count <= MOST_ACCESSES).then_some(Self {
            survey,
            accesses,
            meetings: RefCell::default(),
            writes: RefCell::default(),
        })
    }

    pub(super) fn points_to(&self) -> &PointsTo<'p> {
        &self.survey.points_to
    }

    pub(super) fn statics(&self) -> StaticMovers {
        self.survey.movers()
    }

    pub(super) fn action(&self, site: Site) -> &'p Action {
        let program = self.survey.points_to.program;
        &program.edge(site.function, site.edge).action
    }

    /// How many bytes it touches; `None` for whole objects.
    pub(super) fn extent(&self, site: Site) -> Option<u64> {
        let model = self.survey.points_to.program.model;
        self.action(site)
            .operands(model)
            .get(site.operand)
            .and_then(|it| it.extent)
    }

    fn of(&self, site: Site) -> &[Access] {
        self.accesses.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Whether it may touch memory that more than one thread reaches, or write any: a thread that will write a cell of its
    /// own may find another address there.
    pub(super) fn counts(&self, site: Site) -> bool {
        self.of(site)
            .iter()
            .any(|it| it.is_write || !self.survey.escape.is_local(it.object))
    }

    /// Whether the second may be the step of another thread just before or after the first, on a common byte.
    pub(super) fn conflict(&self, one: Site, other: Site) -> bool {
        *self
            .meetings
            .borrow_mut()
            .entry((one, other))
            .or_insert_with(|| self.may_conflict(one, other))
    }

    fn may_conflict(&self, one: Site, other: Site) -> bool {
        let ends_frame = ends_with_frame(self.action(other));
        self.of(one).iter().any(|access| {
            self.of(other).iter().any(|its| {
                if ends_frame {
                    access.conflicts_with(its) && !self.survey.escape.is_local(its.object)
                } else {
                    !self.survey.are_apart(access, its)
                }
            })
        })
    }

    /// Whether the two touch the same bytes if they touch a common one.
    pub(super) fn are_same_or_apart(&self, one: Site, other: Site) -> bool {
        self.of(one).iter().all(|access| {
            self.of(other).iter().all(|its| {
                access.object != its.object
                    || access.size == its.size
                        && access.offset.same_or_apart(its.offset, access.size)
            })
        })
    }

    /// Whether a thread that holds the lock of a site may lose it, because some action writes over it or ends its object.
    /// Of a lock that is held, to make it anew in its place or to destroy it is a misuse, which ends the execution.
    pub(super) fn may_be_lost(&self, lock: Site) -> bool {
        self.accesses.keys().any(|other| {
            let is_misuse = matches!(
                self.action(*other),
                Action::Init { .. } | Action::Destroy { .. }
            ) && self.are_same_or_apart(lock, *other);
            !is_misuse && self.may_write(lock, *other)
        })
    }

    /// Whether the second may write, end or make anew bytes of the first, at any time.
    pub(super) fn may_write(&self, one: Site, other: Site) -> bool {
        *self
            .writes
            .borrow_mut()
            .entry((one, other))
            .or_insert_with(|| self.may_ever_write(one, other))
    }

    fn may_ever_write(&self, one: Site, other: Site) -> bool {
        self.of(one).iter().any(|access| {
            let writes = self.of(other).iter().filter(|it| it.is_write);
            writes
                .filter(|it| it.deed != Deed::Synchronize)
                .any(|its| access.conflicts_with(its))
        })
    }
}
