//! The states between transactions, and how they were reached.

use std::sync::Arc;

use raddle_base::{FastMap, fast_hash};
use raddle_ir::interpret::ThreadNumber;
use raddle_reduce::history::Configuration;

use crate::transaction::Way;

/// A stored state.
pub(crate) type NodeId = usize;

/// How a state was reached, first or with the fewest switches; enough to reach it again.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    Initial {
        /// Its number among the initial states.
        number: usize,
    },
    Transaction {
        from: NodeId,
        way: Way,
    },
}

/// What became of a state that was to be stored.
#[derive(Debug)]
pub(crate) enum Stored {
    New(NodeId),
    /// With the way that was not needed.
    Known(NodeId, Origin),
}

/// All states that were stored, in order of discovery.
#[derive(Debug, Default)]
pub(crate) struct Store {
    configurations: Vec<Arc<Configuration>>,
    origins: Vec<Origin>,
    /// Where switches are counted: other ways with as many, by the thread that ran last.
    by_last: FastMap<NodeId, Vec<(ThreadNumber, Origin)>>,
    by_hash: FastMap<u64, Vec<u32>>,
}

impl Store {
    pub(crate) fn len(&self) -> usize {
        self.configurations.len()
    }

    pub(crate) fn configuration(&self, node: NodeId) -> &Arc<Configuration> {
        &self.configurations[node]
    }

    /// How a state was reached; if possible, so that this thread ran last.
    pub(crate) fn origin(&self, node: NodeId, last: Option<ThreadNumber>) -> &Origin {
        let others = self.by_last.get(&node).map_or(&[][..], Vec::as_slice);
        others
            .iter()
            .find(|(thread, _)| Some(*thread) == last)
            .map_or(&self.origins[node], |(_, origin)| origin)
    }

    fn find_hashed(&self, hash: u64, configuration: &Configuration) -> Option<NodeId> {
        let candidates = self.by_hash.get(&hash)?;
        candidates
            .iter()
            .map(|it| *it as usize)
            .find(|&it| *self.configurations[it] == *configuration)
    }

    /// Stores a state, unless it is there already.
    pub(crate) fn insert(&mut self, configuration: Arc<Configuration>, origin: Origin) -> Stored {
        let hash = fast_hash(&*configuration);
        if let Some(node) = self.find_hashed(hash, &configuration) {
            return Stored::Known(node, origin);
        }
        let node = self.configurations.len();
        let short = u32::try_from(node).expect("memory ends before 2^32 states");
        self.by_hash.entry(hash).or_default().push(short);
        self.configurations.push(configuration);
        self.origins.push(origin);
        Stored::New(node)
    }

    /// A way with fewer switches was found.
    pub(crate) fn set_origin(&mut self, node: NodeId, origin: Origin) {
        self.origins[node] = origin;
        self.by_last.remove(&node);
    }

    /// A way was found on which this thread runs last.
    pub(crate) fn add_origin(&mut self, node: NodeId, last: ThreadNumber, origin: Origin) {
        self.by_last.entry(node).or_default().push((last, origin));
    }
}
