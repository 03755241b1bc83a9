//! The states between transactions, and how they were reached.

use std::sync::Arc;

use raddle_base::{FastMap, fast_hash};
use raddle_reduce::history::Configuration;

use crate::transaction::Way;

/// A stored state.
pub(crate) type NodeId = usize;

/// How a state was first reached; enough to reach it again.
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

/// All states that were stored, in order of discovery.
#[derive(Debug, Default)]
pub(crate) struct Store {
    configurations: Vec<Arc<Configuration>>,
    origins: Vec<Origin>,
    by_hash: FastMap<u64, Vec<u32>>,
}

impl Store {
    pub(crate) fn len(&self) -> usize {
        self.configurations.len()
    }

    pub(crate) fn configuration(&self, node: NodeId) -> &Arc<Configuration> {
        &self.configurations[node]
    }

    pub(crate) fn origin(&self, node: NodeId) -> &Origin {
        &self.origins[node]
    }

    fn find_hashed(&self, hash: u64, configuration: &Configuration) -> Option<NodeId> {
        let candidates = self.by_hash.get(&hash)?;
        candidates
            .iter()
            .map(|it| *it as usize)
            .find(|&it| *self.configurations[it] == *configuration)
    }

    /// Stores a state; `None` if it is there already.
    pub(crate) fn insert(
        &mut self,
        configuration: Arc<Configuration>,
        origin: impl FnOnce() -> Origin,
    ) -> Option<NodeId> {
        let hash = fast_hash(&*configuration);
        if self.find_hashed(hash, &configuration).is_some() {
            return None;
        }
        let node = self.configurations.len();
        let short = u32::try_from(node).expect("memory ends before 2^32 states");
        self.by_hash.entry(hash).or_default().push(short);
        self.configurations.push(configuration);
        self.origins.push(origin());
        Some(node)
    }
}
