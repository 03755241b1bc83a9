//! What engines that run side by side tell the caller and each other: news for the caller's thread, and the gate behind
//! which `bmc` waits until `explicit` has had its time alone.

use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use raddle_engine::{Counters, Events, Outlook, Trace};
use raddle_ir::interpret::Property;

/// How many states `explicit` finds alone.
const STATES_ALONE: u64 = 2_000;
/// How long it searches alone at most.
const TIME_ALONE: Duration = Duration::from_millis(500);

/// Where `bmc` waits.
#[derive(Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    has_changed: Condvar,
}

impl Gate {
    fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.has_changed.notify_all();
    }

    pub(crate) fn wait(&self) {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        // Who waited too long goes on too.
        drop(
            self.has_changed
                .wait_timeout_while(is_open, TIME_ALONE, |it| !*it),
        );
    }
}

/// Opens the gate at last.
pub(crate) struct Opened<'a>(pub(crate) &'a Gate);

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        self.0.open();
    }
}

/// Watches how far `explicit` has come, and tells now and then what the others have decided meanwhile.
pub(crate) struct Ahead<'a> {
    pub(crate) gate: &'a Gate,
    pub(crate) caller: &'a mut dyn Events,
    pub(crate) news: &'a Receiver<News>,
}

impl Events for Ahead<'_> {
    fn progress(&mut self, counters: &Counters) {
        let states = counters.get("states").copied().unwrap_or_default();
        if states >= STATES_ALONE {
            self.gate.open();
        }
        for news in self.news.try_iter() {
            // Its own progress is the one that is shown as long as it runs.
            if !matches!(news, News::Progress(_)) {
                news.tell(self.caller);
            }
        }
        self.caller.progress(counters);
    }

    fn outlook(&mut self, outlook: &dyn Fn() -> Outlook) {
        self.caller.outlook(outlook);
    }

    fn violated(&mut self, trace: &Trace) {
        self.caller.violated(trace);
    }

    fn decided(&mut self, property: Property, word: &'static str) {
        self.caller.decided(property, word);
    }
}

pub(crate) enum News {
    Progress(Counters),
    Violated(Box<Trace>),
    Decided(Property, &'static str),
}

impl News {
    pub(crate) fn tell(self, caller: &mut dyn Events) {
        match self {
            News::Progress(counters) => caller.progress(&counters),
            News::Violated(trace) => caller.violated(&trace),
            News::Decided(property, word) => caller.decided(property, word),
        }
    }
}

/// Tells the caller's thread, who listens while his own engine tells how far it has come, and when it has ended.
pub(crate) struct Relay(pub(crate) Sender<News>);

impl Events for Relay {
    fn progress(&mut self, counters: &Counters) {
        // Nobody listens any more if the caller has panicked.
        let _ = self.0.send(News::Progress(counters.clone()));
    }

    fn violated(&mut self, trace: &Trace) {
        let _ = self.0.send(News::Violated(Box::new(trace.clone())));
    }

    fn decided(&mut self, property: Property, word: &'static str) {
        let _ = self.0.send(News::Decided(property, word));
    }
}
