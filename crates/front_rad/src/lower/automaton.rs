//! Builds one control-flow automaton.
//!
//! Statements that only say where control goes on (`goto`, `break`, the end of a block) make no edge: the
//! location they stand at *becomes* the one they lead to. So locations are merged (a union-find forest) and
//! numbered at the end.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Arena, Id, Span, define_id};
use raddle_ir::{Action, Edge, Function, Location, LocationId, Register, RegisterId};

use super::body::Labels;
use super::surface::Ty;

define_id!(
    /// A location before merging.
    Point, "p"
);

struct PointInfo {
    /// Itself, or a point that it was merged with.
    parent: Point,
    /// How many were merged into it, itself included: the smaller set joins the larger, so paths stay short.
    size: u32,
}

struct Draft {
    from: Point,
    action: Action,
    to: Point,
    span: Span,
}

pub(super) struct Automaton {
    points: Arena<Point, PointInfo>,
    edges: Vec<Draft>,
    pub(super) entry: Point,
    pub(super) exit: Point,
    /// Where the next statement begins; `None` after a jump.
    here: Option<Point>,
    /// Where branches of a `choose` begin: they stay apart from everything else.
    pinned: Vec<Point>,
    /// Labels in order, with their points.
    labels: Vec<(String, Point)>,
    registers: Arena<RegisterId, Register>,
    /// The statement that edges come from.
    pub(super) span: Span,
}

impl Automaton {
    pub(super) fn new(span: Span) -> Self {
        let mut points = Arena::new();
        let [entry, exit] = [0, 1].map(|at| {
            points.push(PointInfo {
                parent: Point::from_index(at),
                size: 1,
            })
        });
        Self {
            points,
            edges: Vec::new(),
            entry,
            exit,
            here: Some(entry),
            pinned: Vec::new(),
            labels: Vec::new(),
            registers: Arena::new(),
            span,
        }
    }

    // ---- registers

    /// A register of the program.
    pub(super) fn register(
        &mut self,
        name: &str,
        ty: &Ty,
        is_temporary: bool,
        span: Span,
    ) -> RegisterId {
        self.registers.push(Register {
            name: name.to_owned(),
            ty: ty
                .scalar()
                .expect("registers are declared with scalar types"),
            is_temporary,
            span: Some(span),
        })
    }

    /// A register for the middle of an expression. It is named at the end.
    pub(super) fn temporary(&mut self, ty: &Ty, span: Span) -> RegisterId {
        self.register("", ty, true, span)
    }

    pub(super) fn is_temporary(&self, register: RegisterId) -> bool {
        self.registers[register].is_temporary
    }

    pub(super) fn register_name(&self, register: RegisterId) -> &str {
        &self.registers[register].name
    }

    // ---- control

    pub(super) fn point(&mut self) -> Point {
        let parent = Point::from_index(self.points.len());
        self.points.push(PointInfo { parent, size: 1 })
    }

    fn root(&self, mut point: Point) -> Point {
        while self.points[point].parent != point {
            point = self.points[point].parent;
        }
        point
    }

    fn merge(&mut self, one: Point, other: Point) {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return;
        }
        let (large, small) = if self.points[one].size < self.points[other].size {
            (other, one)
        } else {
            (one, other)
        };
        self.points[small].parent = large;
        self.points[large].size += self.points[small].size;
    }

    pub(super) fn is_reachable_here(&self) -> bool {
        self.here.is_some()
    }

    /// Where the next statement begins; a new point if nothing leads here.
    pub(super) fn standing(&mut self) -> Point {
        if let Some(here) = self.here {
            return here;
        }
        let here = self.point();
        self.here = Some(here);
        here
    }

    pub(super) fn go_on_at(&mut self, point: Option<Point>) {
        self.here = point;
    }

    /// One edge from here to a new point.
    pub(super) fn emit(&mut self, action: Action) {
        let next = self.point();
        self.emit_to(action, next);
        self.here = Some(next);
    }

    /// One edge from here to a point; nothing leads on from here.
    pub(super) fn emit_to(&mut self, action: Action, to: Point) {
        let from = self.standing();
        self.edges.push(Draft {
            from,
            action,
            to,
            span: self.span,
        });
        self.here = None;
    }

    /// An edge between two points.
    pub(super) fn connect(&mut self, from: Point, action: Action, to: Point) {
        let span = self.span;
        self.edges.push(Draft {
            from,
            action,
            to,
            span,
        });
    }

    /// Whether this is the beginning of a branch of `choose`, where no label and no loop can begin.
    pub(super) fn is_pinned(&self) -> bool {
        self.here.is_some_and(|here| {
            self.pinned
                .iter()
                .any(|&pin| self.root(pin) == self.root(here))
        })
    }

    pub(super) fn pin(&mut self, point: Point) {
        self.pinned.push(point);
    }

    pub(super) fn unpin(&mut self) {
        self.pinned.pop();
    }

    /// Control goes on at `to`, without an edge; with a `skip` at the beginning of a branch of `choose`.
    pub(super) fn jump(&mut self, to: Point) {
        if self.is_pinned() {
            self.emit_to(Action::skip(), to);
        } else if let Some(here) = self.here.take() {
            self.merge(here, to);
        }
    }

    /// The point of a label is here.
    pub(super) fn place_label(&mut self, label: Option<&str>, point: Point) {
        let here = self.standing();
        self.merge(here, point);
        if let Some(label) = label {
            self.labels.push((label.to_owned(), point));
        }
    }

    /// Whether the entry reaches the place where the next statement would begin.
    pub(super) fn is_here_reached(&self) -> bool {
        self.here
            .is_some_and(|here| self.reached().contains(&self.root(here)))
    }

    fn reached(&self) -> BTreeSet<Point> {
        let mut successors: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
        for edge in &self.edges {
            let to = self.root(edge.to);
            successors.entry(self.root(edge.from)).or_default().push(to);
        }
        let mut reached = BTreeSet::new();
        let mut work = vec![self.root(self.entry)];
        while let Some(point) = work.pop() {
            if reached.insert(point) {
                work.extend(successors.get(&point).into_iter().flatten());
            }
        }
        reached
    }

    // ---- the end

    /// Numbers what is left; also says where labels (and numbers of locations) are.
    pub(super) fn finish(
        mut self,
        name: &str,
        parameters: usize,
        span: Span,
        end: Span,
        numbered: &[(&str, Point)],
    ) -> (Function, Labels) {
        if self.root(self.entry) == self.root(self.exit) {
            let entry = self.point();
            self.entry = entry;
            self.connect(entry, Action::skip(), self.exit);
        }
        let reached = self.reached();
        let exit = self.root(self.exit);
        let leaving: BTreeSet<Point> = self.edges.iter().map(|it| self.root(it.from)).collect();
        for &point in &reached {
            // A loop of jumps alone: it goes round for ever.
            if point != exit && !leaving.contains(&point) {
                self.connect(point, Action::skip(), point);
            }
        }
        let mut function = Function::new(name);
        let mut locations: BTreeMap<Point, LocationId> = BTreeMap::new();
        locations.insert(self.root(self.entry), function.entry);
        locations.insert(exit, function.exit);
        for &point in &reached {
            locations
                .entry(point)
                .or_insert_with(|| function.locations.push(Location::default()));
        }
        function.locations[function.exit].span = Some(end);
        let edges = std::mem::take(&mut self.edges);
        for edge in edges {
            let Some(&from) = locations.get(&self.root(edge.from)) else {
                continue;
            };
            if !reached.contains(&self.root(edge.from)) {
                continue;
            }
            let to = locations[&self.root(edge.to)];
            function.locations[from].span.get_or_insert(edge.span);
            function.edges.push(Edge {
                from,
                action: edge.action,
                to,
                span: Some(edge.span),
            });
        }
        let mut labels = BTreeMap::new();
        let named = self
            .labels
            .iter()
            .map(|(label, point)| (false, label.as_str(), *point));
        let numbered = numbered
            .iter()
            .map(|(number, point)| (true, *number, *point));
        for (is_number, label, point) in named.chain(numbered) {
            let root = self.root(point);
            if let Some(&location) = locations.get(&root)
                && reached.contains(&root)
            {
                labels.insert((is_number, label.to_owned()), location);
            }
        }
        for (label, point) in &self.labels {
            let root = self.root(*point);
            if let Some(&location) = locations.get(&root) {
                function.locations[location]
                    .label
                    .get_or_insert(label.clone());
            }
        }
        name_registers(&mut self.registers);
        function.registers = self.registers;
        function.parameters = parameters;
        function.span = Some(span);
        (function, labels)
    }
}

/// The first register of a name keeps it; others and temporaries get names that nobody wrote.
fn name_registers(registers: &mut Arena<RegisterId, Register>) {
    let written: BTreeSet<String> = registers.values().map(|it| it.name.clone()).collect();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for register in registers.values_mut() {
        let is_nameless = register.name.is_empty();
        if !is_nameless && used.insert(register.name.clone()) {
            continue;
        }
        let (stem, first) = if is_nameless {
            ("t".to_owned(), 1)
        } else {
            (register.name.clone(), 2)
        };
        let key = if is_nameless {
            String::new()
        } else {
            stem.clone()
        };
        let count = counts.entry(key).or_insert(first);
        loop {
            let name = format!("{stem}_{count}");
            *count += 1;
            if !written.contains(&name) && used.insert(name.clone()) {
                register.name = name;
                break;
            }
        }
    }
}
