//! The actions that are compared, each an edge of one program.

use raddle_base::{Id, SourceMap};
use raddle_ir::interpret::{Interpreter, ObjectNumber, Semantics, ThreadNumber};
use raddle_ir::{DataModel, EdgeId, FunctionId, Program};
use raddle_reduce::movers::{Row, row_of, row_with_recycling};

/// Whose action is judged.
pub(super) const T: ThreadNumber = ThreadNumber(0);
/// Another thread that can do the same.
pub(super) const U: ThreadNumber = ThreadNumber(1);
/// A third, that joins and barriers are about.
pub(super) const W: ThreadNumber = ThreadNumber(2);

/// An action of the universe: its text, the objects it works on, what it is to the conditions.
pub(super) struct Entry {
    pub(super) text: &'static str,
    pub(super) objects: &'static [&'static str],
    pub(super) role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Ordinary,
    /// Tries, waits with a limit, or reads a value that others must not see.
    Tries,
    /// Makes, destroys or frees.
    ChangesLife,
    /// Works on a condition variable and ought to hold its mutex.
    NeedsMutex,
    /// Joins or detaches.
    Joins,
}

const fn entry(text: &'static str, objects: &'static [&'static str], role: Role) -> Entry {
    Entry {
        text,
        objects,
        role,
    }
}

use Role::{ChangesLife, Joins, NeedsMutex, Ordinary, Tries};

pub(super) const UNIVERSE: &[Entry] = &[
    entry("a = a +% 1u8", &[], Ordinary),
    entry("havoc g", &[], Ordinary),
    entry("assert g == 0u1", &[], Ordinary),
    entry("emit \"{}\", a", &[], Ordinary),
    entry("unit_begin", &[], Ordinary),
    entry("unit_end", &[], Ordinary),
    entry("nothing()", &[], Ordinary),
    entry("assume g == 0u1", &[], Ordinary),
    entry("a = x", &["x"], Ordinary),
    entry("x = a", &["x"], Ordinary),
    entry("a = *p", &["heap"], Ordinary),
    entry("*p = a", &["heap"], Ordinary),
    entry("z = object_size(p)", &["heap"], Ordinary),
    entry("a = atomic_load(x)", &["x"], Ordinary),
    entry("atomic_store(x, a)", &["x"], Ordinary),
    entry("a = fetch_add(x, 1u8)", &["x"], Ordinary),
    entry("a = exchange(x, 7u8)", &["x"], Ordinary),
    entry("g = compare_exchange(x, 0u8, 1u8)", &["x"], Ordinary),
    entry("acquire m", &["m"], Ordinary),
    entry("release m", &["m"], Ordinary),
    entry("r = try_acquire m", &["m"], Tries),
    entry("r = timed_acquire m", &["m"], Tries),
    entry("init m as mutex", &["m"], ChangesLife),
    entry("destroy m as mutex", &["m"], ChangesLife),
    entry("acquire rm", &["rm"], Ordinary),
    entry("r = release rm", &["rm"], Ordinary),
    entry("r = try_acquire rm", &["rm"], Tries),
    entry("r = acquire cm", &["cm"], Ordinary),
    entry("r = release cm", &["cm"], Ordinary),
    entry("destroy cm as checked_mutex", &["cm"], ChangesLife),
    entry("acquire_spin sp", &["sp"], Ordinary),
    entry("release_spin sp", &["sp"], Ordinary),
    entry("r = try_acquire_spin sp", &["sp"], Tries),
    entry("init sp as spin_lock", &["sp"], ChangesLife),
    entry("destroy sp as spin_lock", &["sp"], ChangesLife),
    entry("acquire_read l", &["l"], Ordinary),
    entry("r = try_acquire_read l", &["l"], Tries),
    entry("r = timed_acquire_read l", &["l"], Tries),
    entry("acquire_write l", &["l"], Ordinary),
    entry("r = try_acquire_write l", &["l"], Tries),
    entry("r = timed_acquire_write l", &["l"], Tries),
    entry("release_rw l", &["l"], Ordinary),
    entry("init l as rwlock", &["l"], ChangesLife),
    entry("destroy l as rwlock", &["l"], ChangesLife),
    entry("wait_begin c, m", &["c", "m"], NeedsMutex),
    entry("wait_end c, m", &["c", "m"], Ordinary),
    entry("r = wait_end_timed c, m", &["c", "m"], Tries),
    entry("signal c", &["c"], NeedsMutex),
    entry("broadcast c", &["c"], NeedsMutex),
    entry("init c as condition", &["c"], ChangesLife),
    entry("destroy c as condition", &["c"], ChangesLife),
    entry("post s", &["s"], Ordinary),
    entry("down s", &["s"], Ordinary),
    entry("r = try_down s", &["s"], Tries),
    entry("r = timed_down s", &["s"], Tries),
    entry("r = semaphore_value s", &["s"], Tries),
    entry("init s as semaphore(1u32)", &["s"], ChangesLife),
    entry("destroy s as semaphore", &["s"], ChangesLife),
    entry("arrive b", &["b"], Ordinary),
    entry("r = leave b", &["b"], Ordinary),
    entry("init b as barrier(2u32)", &["b"], ChangesLife),
    entry("destroy b as barrier", &["b"], ChangesLife),
    entry("enter o", &["o"], Ordinary),
    entry("exit_monitor o", &["o"], Ordinary),
    entry("monitor_wait_begin o", &["o"], Ordinary),
    entry("monitor_wait_end o", &["o"], Ordinary),
    entry("notify o", &["o"], Ordinary),
    entry("notify_all o", &["o"], Ordinary),
    entry("destroy o as monitor", &["o"], ChangesLife),
    entry("n = alloc u8", &[], Ordinary),
    entry("free p", &["heap"], ChangesLife),
    entry("spawn nothing()", &[], Ordinary),
    entry("spawn nothing() into v", &["v"], Ordinary),
    entry("k = v", &["v"], Ordinary),
    entry("v = h", &["v"], Ordinary),
    entry("join h", &["w"], Joins),
    entry("detach h", &["w"], Joins),
    entry("join k", &["t"], Joins),
    entry("exit_thread", &[], Ordinary),
    entry("exit 0i32", &[], Ordinary),
    entry("abort", &[], Ordinary),
];

fn program() -> Program {
    let branches: Vec<String> = UNIVERSE
        .iter()
        .map(|entry| format!("{{ {}; goto done }}", entry.text))
        .collect();
    let text = format!(
        "var x: u8
         var v: thread
         mutex m
         recursive_mutex rm
         checked_mutex cm
         spin_lock sp
         rwlock l
         condition c
         semaphore s = 1
         barrier b = 2
         monitor o
         fn nothing() {{ skip }}
         fn actor() {{
             let a: u8
             let g: u1
             let r: i32
             let p: *u8
             let n: *u8
             let z: usize
             let h: thread
             let k: thread
             p = zeroed alloc u8
             act: choose {}
             done: g = p == n
         }}
         fn third() {{
             act: choose {{ exit_thread }} or {{ arrive b; goto act }} or {{ leave b; goto act }} or {{ x = 1u8; goto act }}
         }}
         start t = actor()
         start u = actor()
         start w = third()",
        branches.join(" or ")
    );
    let mut sources = SourceMap::new();
    let file = sources.add("universe.rad", text.clone());
    raddle_front_rad::read(&[(file, &text)], DataModel::Lp64).expect("the universe is a program")
}

/// The program with the edges of the actions in it.
pub struct Universe {
    pub(super) program: Program,
    pub(super) actor: FunctionId,
    /// The edge of each entry.
    pub(super) edges: Vec<EdgeId>,
    /// Whether new memory may lie where freed memory lay.
    has_recycling: bool,
}

impl Universe {
    pub fn new(has_recycling: bool) -> Self {
        let program = program();
        let actor = program.function_named("actor").expect("it is in the text");
        let function = &program.functions[actor];
        let act = function
            .locations
            .iter()
            .find(|(_, location)| location.label.as_deref() == Some("act"))
            .expect("it is in the text")
            .0;
        let edges = program.outgoing(actor, act).to_vec();
        assert_eq!(edges.len(), UNIVERSE.len(), "one edge an entry");
        Self {
            program,
            actor,
            edges,
            has_recycling,
        }
    }

    pub(super) fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(
            &self.program,
            Semantics {
                max_threads: 8,
                has_recycling: self.has_recycling,
                ..Semantics::default()
            },
        )
    }

    /// The rows that an entry stands for: a plain access is exclusive or shared by who else there is.
    pub(super) fn rows(&self, index: usize) -> Vec<Row> {
        let action = &self.program.edge(self.actor, self.edges[index]).action;
        let row = if self.has_recycling {
            row_with_recycling(action)
        } else {
            row_of(action)
        };
        match row {
            Row::SharedAccess => vec![Row::SharedAccess, Row::ExclusiveAccess],
            row => vec![row],
        }
    }

    /// The rows that there are actions for. A section is judged by what is inside; nothing is known of the unsupported.
    pub fn rows_with_actions(&self) -> impl Iterator<Item = Row> {
        Row::ALL.into_iter().filter(|row| self.has_actions(*row))
    }

    /// Whether some action stands for a row.
    pub fn has_actions(&self, row: Row) -> bool {
        (0..UNIVERSE.len()).any(|index| self.rows(index).contains(&row))
    }

    pub(super) fn entry_of(&self, function: FunctionId, edge: EdgeId) -> Option<&'static Entry> {
        let index = self.edges.iter().position(|it| *it == edge)?;
        (function == self.actor).then(|| &UNIVERSE[index])
    }

    pub(super) fn object(&self, name: &str) -> ObjectNumber {
        let global = self.program.global_named(name).expect("it is in the text");
        ObjectNumber(u32::try_from(global.index() + 1).expect("there are few globals"))
    }
}
