//! What is certain where a thread stands.

use raddle_base::Id;
use raddle_ir::RegisterId;

use crate::numbers::NumberFacts;

/// The number of a tracked cell and a number more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(super) cell: usize,
    pub(super) more: i128,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// One fact a register.
    pub(crate) registers: Vec<NumberFacts>,
    /// One for each tracked cell that is kept here, and for the difference of each pair of cells that are.
    pub(super) cells: Vec<Option<NumberFacts>>,
    /// By register: what it is beside a kept cell.
    forms: Vec<Option<Form>>,
}

impl Standing {
    pub(super) fn new(registers: Vec<NumberFacts>, cells: Vec<Option<NumberFacts>>) -> Self {
        let forms = vec![None; registers.len()];
        Self {
            registers,
            cells,
            forms,
        }
    }

    pub(super) fn set(&mut self, register: RegisterId, known: NumberFacts, form: Option<Form>) {
        self.registers[register.index()] = known;
        self.forms[register.index()] = form;
    }

    pub(super) fn form(&self, register: RegisterId) -> Option<Form> {
        self.forms.get(register.index()).copied().flatten()
    }

    /// What a cell holds, as a form, if it is kept.
    pub(super) fn form_of_cell(&self, cell: usize) -> Option<Form> {
        self.cells[cell].map(|_| Form { cell, more: 0 })
    }

    /// The cell was written: it is so much more than it was, or anything else.
    pub(super) fn move_forms(&mut self, cell: usize, by: Option<i128>) {
        for form in &mut self.forms {
            if let Some(known) = form
                && known.cell == cell
            {
                let more = by.and_then(|by| known.more.checked_sub(by));
                *form = more.map(|more| Form { cell, more });
            }
        }
    }

    pub(super) fn forget_cell(&mut self, cell: usize) {
        self.cells[cell] = None;
        self.move_forms(cell, None);
    }

    /// What is certain of a register is certain of its cell, and of the other registers beside it.
    pub(super) fn share(&mut self) {
        for (register, form) in self.registers.iter().zip(&self.forms) {
            if let Some(Form { cell, more }) = form {
                let known = &mut self.cells[*cell];
                *known = known.map(|it| it.meet(register.moved(-more)));
            }
        }
        for (register, form) in self.registers.iter_mut().zip(&self.forms) {
            if let Some(Form { cell, more }) = form
                && let Some(known) = self.cells[*cell]
            {
                *register = register.meet(known.moved(*more));
            }
        }
    }

    /// Forgets the forms that are not certain in both; whether there were any.
    pub(super) fn keep_common_forms(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (mine, theirs) in self.forms.iter_mut().zip(&other.forms) {
            if mine.is_some() && mine != theirs {
                *mine = None;
                changed = true;
            }
        }
        changed
    }
}
