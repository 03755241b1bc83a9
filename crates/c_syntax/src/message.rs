//! What is said of a text that is no program.

pub(crate) use raddle_diag::messages::{
    Messages, Reported, limit_error, name_error, syntax_error, syntax_warning,
};
