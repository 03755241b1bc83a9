//! Items: what stands at the top of a file.

use raddle_base::Span;
use raddle_ir::{DataModel, SyncType};

use crate::lexer::TokenKind;
use crate::message::{limit_error, nearest, syntax_error};
use crate::syntax::{
    CellItem, CellValue, Const, FieldItem, FunctionItem, InitialExpr, Item, Name, StartItem,
    StructItem, Threads, TypeExpr, TypeKind, UnitOf, VariableInitial, VariableItem,
};
use crate::words;

use super::{Parsed, Parser};

/// More threads than this cannot be declared at once.
const MOST_THREADS: u32 = 10_000;

impl<'s> Parser<'s, '_> {
    pub(super) fn items(&mut self) -> Vec<Item<'s>> {
        let mut items = Vec::new();
        loop {
            let token = self.peek();
            if token.kind == TokenKind::End {
                return items;
            }
            if self.take_mark(";") {
                continue;
            }
            self.misses_brace = false;
            let before = items.len();
            if self.item_into(&mut items).is_err() {
                items.truncate(before);
                self.depth = 0;
                self.open = 0;
                if !self.misses_brace {
                    self.skip_item(token);
                }
            }
        }
    }

    fn item_into(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        let token = self.peek();
        let start = token.span;
        let Some(word) = self.word_at(0) else {
            return Err(self.unexpected("an item such as `var`, `mutex`, `fn` or `thread`"));
        };
        match word {
            "model" => {
                self.advance();
                let name = self.name("`lp64` or `ilp32`")?;
                let model = match name.text {
                    "lp64" => DataModel::Lp64,
                    "ilp32" => DataModel::Ilp32,
                    _ => {
                        return Err(self.report(syntax_error(
                            format!("there is no data model `{}`", name.text),
                            name.span,
                            "expected `lp64` or `ilp32`",
                        )));
                    }
                };
                items.push(Item::Model(model, start.to(name.span)));
            }
            "unset" => {
                self.advance();
                let name = self.name("`unknown`")?;
                if name.text != "unknown" {
                    return Err(self.report(syntax_error(
                        format!("values that nobody set are not `{}`", name.text),
                        name.span,
                        "expected `unknown`",
                    )));
                }
                items.push(Item::UnsetIsUnknown);
            }
            "struct" | "union" => {
                self.advance();
                items.push(Item::Struct(self.struct_item(word == "union")?));
                return Ok(());
            }
            "var" => {
                self.advance();
                items.push(Item::Variable(self.variable_item(false, Const::Nothing)?));
            }
            "const" | "opaque" | "thread_local" => {
                let is_opaque = self.take_word("opaque");
                let read_only = self.constness()?;
                let is_thread_local = self.take_word("thread_local");
                if !self.take_word("var") {
                    return Err(self.unexpected("`var`"));
                }
                let mut item = self.variable_item(is_thread_local, read_only)?;
                item.is_opaque = is_opaque;
                items.push(Item::Variable(item));
            }
            "fn" | "approximate" => {
                let is_approximate = self.take_word("approximate");
                let mut function = self.function_item(None, start)?;
                function.is_approximate = is_approximate;
                items.push(Item::Function(function));
                return Ok(());
            }
            "unit" => {
                self.advance();
                let set = if self.take_mark("(") {
                    let set = self.name("the name of an atomic set")?;
                    self.expect_mark(")")?;
                    Some(set)
                } else {
                    None
                };
                let unit = UnitOf {
                    set,
                    span: start.to(self.last),
                };
                let function = self.function_item(Some(unit), start)?;
                items.push(Item::Function(function));
                return Ok(());
            }
            "thread" => {
                let thread = self.thread_item(start)?;
                items.push(Item::Function(thread));
                return Ok(());
            }
            "start" => items.push(Item::Start(self.start_item(start)?)),
            "invariant" => {
                self.advance();
                items.push(Item::Invariant(self.expression()?));
            }
            "exclusive" => {
                self.advance();
                let place = self.unary()?;
                if !self.take_word("when") {
                    return Err(self.unexpected("`when`"));
                }
                let condition = self.expression()?;
                items.push(Item::Exclusive {
                    place,
                    condition,
                    span: start.to(self.last),
                });
            }
            "atomicset" => {
                items.push(self.atomic_set_item()?);
                return Ok(());
            }
            _ => {
                if SyncType::ALL.iter().any(|sync| sync.name() == word) {
                    self.sync_items(items)?;
                } else {
                    return Err(self.unknown_item(word, start));
                }
            }
        }
        self.item_end()
    }

    fn unknown_item(&mut self, word: &str, span: Span) -> crate::message::Reported {
        let mut diagnostic = syntax_error(format!("`{word}` begins no item"), span, "unknown item");
        if words::is_reserved(word) || self.is_mark_at(1, "=") || self.is_mark_at(1, "(") {
            diagnostic =
                diagnostic.help("statements stand inside a function or a thread: `thread t { … }`");
        } else if let Some(near) = nearest(word, words::ITEMS.iter().copied()) {
            diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
        } else {
            diagnostic = diagnostic.help(format!("items are {}", words::ITEMS.join(", ")));
        }
        self.report(diagnostic)
    }

    fn item_end(&mut self) -> Parsed<()> {
        let token = self.peek();
        if self.take_mark(";") || token.begins_line || token.kind == TokenKind::End {
            Ok(())
        } else {
            Err(self.unexpected("`;` or the end of the line"))
        }
    }

    // ---- structs

    fn struct_item(&mut self, is_union: bool) -> Parsed<StructItem<'s>> {
        let name = self.name("the name of a struct")?;
        let layout = if self.take_word("size") {
            let size = self.plain_number("the size in bytes")?;
            if !self.take_word("align") {
                return Err(self.unexpected("`align`"));
            }
            Some((size, self.plain_number("the alignment in bytes")?))
        } else {
            None
        };
        self.expect_mark("{")?;
        let mut fields = Vec::new();
        while !self.take_mark("}") {
            let field = self.field_name()?;
            self.expect_mark(":")?;
            let ty = self.type_expr()?;
            let offset = if self.take_word("at") {
                Some(self.plain_number("an offset in bytes")?)
            } else {
                None
            };
            if offset.is_some() != layout.is_some() {
                let (message, help) = if layout.is_some() {
                    (
                        "this field has no offset",
                        "the struct has a `size`: write `at` and the offset behind each field",
                    )
                } else {
                    (
                        "this field has an offset",
                        "write `size` and `align` behind the name of the struct too",
                    )
                };
                return Err(self.report(
                    syntax_error(
                        message,
                        field.span,
                        "layouts are written wholly or not at all",
                    )
                    .help(help),
                ));
            }
            fields.push(FieldItem {
                name: field,
                ty,
                offset,
            });
            self.separator()?;
        }
        Ok(StructItem {
            name,
            is_union,
            layout,
            fields,
        })
    }

    /// Between parts in braces: `;`, `,` or the end of a line; nothing before the closing brace.
    fn separator(&mut self) -> Parsed<()> {
        let token = self.peek();
        if self.take_mark(";")
            || self.take_mark(",")
            || token.begins_line
            || matches!(token.kind, TokenKind::Mark("}"))
        {
            Ok(())
        } else {
            Err(self.unexpected("`;` or the end of the line"))
        }
    }

    // ---- variables

    /// `const` or `const(4 at 0, 8 at 16)`, if it is there.
    pub(super) fn constness(&mut self) -> Parsed<Const> {
        if !self.take_word("const") {
            return Ok(Const::Nothing);
        }
        if !self.take_mark("(") {
            return Ok(Const::Everything);
        }
        let mut parts = Vec::new();
        loop {
            let size = self.plain_number("a number of bytes")?;
            if !self.take_word("at") {
                return Err(self.unexpected("`at`"));
            }
            parts.push((self.plain_number("an offset in bytes")?, size));
            if !self.take_mark(",") {
                break;
            }
        }
        self.expect_mark(")")?;
        Ok(Const::Parts(parts))
    }

    fn variable_item(
        &mut self,
        is_thread_local: bool,
        read_only: Const,
    ) -> Parsed<VariableItem<'s>> {
        let name = self.name("the name of a variable")?;
        self.expect_mark(":")?;
        let ty = self.type_expr()?;
        let initial = if self.take_mark("=") {
            VariableInitial::Value(self.initial()?)
        } else if self.is_word("init") {
            self.advance();
            VariableInitial::Cells(self.cells()?)
        } else {
            VariableInitial::None
        };
        Ok(VariableItem {
            name,
            ty,
            initial,
            is_thread_local,
            read_only,
            is_opaque: false,
        })
    }

    /// `mutex a, b[2]`, `semaphore s = 1`
    fn sync_items(&mut self, items: &mut Vec<Item<'s>>) -> Parsed<()> {
        let sync = self.any_name();
        loop {
            let name = self.name("the name of a variable")?;
            let mut ty = TypeExpr {
                kind: TypeKind::Named {
                    text: sync.text,
                    is_quoted: false,
                },
                span: sync.span,
            };
            if self.take_mark("[") {
                let length = self.plain_number("the number of elements")?;
                self.expect_mark("]")?;
                ty = TypeExpr {
                    kind: TypeKind::Array(Box::new(ty), length),
                    span: sync.span,
                };
            }
            let initial = if self.take_mark("=") {
                VariableInitial::Value(self.initial()?)
            } else {
                VariableInitial::None
            };
            items.push(Item::Variable(VariableItem {
                name,
                ty,
                initial,
                is_thread_local: false,
                read_only: Const::Nothing,
                is_opaque: false,
            }));
            if !self.take_mark(",") {
                return Ok(());
            }
        }
    }

    /// `*`, a value, `[a, b]` or `{ f = a; g = b }`.
    pub(super) fn initial(&mut self) -> Parsed<InitialExpr<'s>> {
        self.deeper(|this| {
            let token = this.peek();
            match token.kind {
                TokenKind::Mark("*") => {
                    let next = this.peek_at(1);
                    let is_alone = (next.begins_line && this.open == 0)
                        || matches!(
                            next.kind,
                            TokenKind::End | TokenKind::Mark("," | ";" | "]" | "}")
                        );
                    if is_alone {
                        this.advance();
                        return Ok(InitialExpr::Any(token.span));
                    }
                    Ok(InitialExpr::Value(this.value()?))
                }
                TokenKind::Mark("[") => {
                    this.advance();
                    this.open += 1;
                    let inner = this.initial_list();
                    this.open -= 1;
                    Ok(InitialExpr::List(inner?, token.span.to(this.last)))
                }
                TokenKind::Mark("{") => {
                    this.advance();
                    let outer_open = std::mem::replace(&mut this.open, 0);
                    let inner = this.initial_fields();
                    this.open = outer_open;
                    Ok(InitialExpr::Fields(inner?, token.span.to(this.last)))
                }
                _ => Ok(InitialExpr::Value(this.value()?)),
            }
        })
    }

    fn initial_list(&mut self) -> Parsed<Vec<InitialExpr<'s>>> {
        let mut list = Vec::new();
        while !self.take_mark("]") {
            list.push(self.initial()?);
            if !self.take_mark(",") {
                self.expect_mark("]")?;
                break;
            }
        }
        Ok(list)
    }

    fn initial_fields(&mut self) -> Parsed<Vec<(Name<'s>, InitialExpr<'s>)>> {
        let mut fields = Vec::new();
        while !self.take_mark("}") {
            let name = self.field_name()?;
            self.expect_mark("=")?;
            fields.push((name, self.initial()?));
            self.separator()?;
        }
        Ok(fields)
    }

    /// `{ at 0: u8 = 3u8; at 8: mutex }`
    fn cells(&mut self) -> Parsed<Vec<CellItem<'s>>> {
        self.expect_mark("{")?;
        let mut cells = Vec::new();
        while !self.take_mark("}") {
            let start = self.peek().span;
            if !self.take_word("at") {
                return Err(self.unexpected("`at`"));
            }
            let offset = self.plain_number("an offset in bytes")?;
            self.expect_mark(":")?;
            let is_sync = self
                .word_at(0)
                .is_some_and(|word| SyncType::ALL.iter().any(|sync| sync.name() == word));
            let value = if is_sync {
                CellValue::Sync(self.sync_init()?)
            } else {
                let ty = self.type_expr()?;
                self.expect_mark("=")?;
                match self.initial()? {
                    InitialExpr::Any(_) => CellValue::Any(ty),
                    InitialExpr::Value(value) => CellValue::Value(ty, value),
                    other @ (InitialExpr::List(..) | InitialExpr::Fields(..)) => {
                        return Err(self.report(syntax_error(
                            "a cell holds one value",
                            other.span(),
                            "expected one value or `*`",
                        )));
                    }
                }
            };
            cells.push(CellItem {
                offset,
                value,
                span: start.to(self.last),
            });
            self.separator()?;
        }
        Ok(cells)
    }

    // ---- functions and threads

    /// From `fn` on.
    fn function_item(&mut self, unit: Option<UnitOf<'s>>, start: Span) -> Parsed<FunctionItem<'s>> {
        if !self.take_word("fn") {
            return Err(self.unexpected("`fn`"));
        }
        let name = self.name("the name of a function")?;
        self.expect_mark("(")?;
        self.open += 1;
        let parameters = self.parameters();
        self.open -= 1;
        let parameters = parameters?;
        let result = if self.take_mark("->") {
            Some(self.type_expr()?)
        } else {
            None
        };
        let span = start.to(self.last);
        let body = self.block()?;
        Ok(FunctionItem {
            name,
            parameters,
            result,
            unit,
            threads: Threads::None,
            is_approximate: false,
            body,
            span,
        })
    }

    fn parameters(&mut self) -> Parsed<Vec<(Name<'s>, TypeExpr<'s>)>> {
        let mut parameters = Vec::new();
        while !self.take_mark(")") {
            let name = self.name("the name of a parameter")?;
            self.expect_mark(":")?;
            parameters.push((name, self.type_expr()?));
            if !self.take_mark(",") {
                self.expect_mark(")")?;
                break;
            }
        }
        Ok(parameters)
    }

    fn thread_item(&mut self, start: Span) -> Parsed<FunctionItem<'s>> {
        self.advance();
        let name = self.name("the name of a thread")?;
        let threads = match self.index("the number of threads")? {
            Some(count) if count > MOST_THREADS => {
                let span = name.span;
                return Err(self.report(
                    limit_error(
                        "these are too many threads",
                        span,
                        format!("at most {MOST_THREADS}"),
                    )
                    .help("start fewer threads; a few show most errors"),
                ));
            }
            Some(count) => Threads::Many(count),
            None => Threads::One,
        };
        let span = start.to(self.last);
        let body = self.block()?;
        Ok(FunctionItem {
            name,
            parameters: Vec::new(),
            result: None,
            unit: None,
            threads,
            is_approximate: false,
            body,
            span,
        })
    }

    /// `[3]`, if it is there.
    fn index(&mut self, what: &str) -> Parsed<Option<u32>> {
        if !self.take_mark("[") {
            return Ok(None);
        }
        let count = self.plain_number(what)?;
        let span = self.last;
        self.expect_mark("]")?;
        match u32::try_from(count) {
            Ok(count) => Ok(Some(count)),
            Err(_) => Err(self.report(limit_error(
                "this number is too large",
                span,
                "at most 2^32 - 1",
            ))),
        }
    }

    fn start_item(&mut self, start: Span) -> Parsed<StartItem<'s>> {
        self.advance();
        let name = self.name("the name of a thread")?;
        let index = self.index("the number of the thread")?;
        self.expect_mark("=")?;
        let function = self.name("the name of a function")?;
        let (arguments, _) = self.arguments()?;
        Ok(StartItem {
            name,
            index,
            function,
            arguments,
            span: start.to(self.last),
        })
    }

    fn atomic_set_item(&mut self) -> Parsed<Item<'s>> {
        self.advance();
        let name = self.name("the name of an atomic set")?;
        self.expect_mark("{")?;
        let mut members = Vec::new();
        while !self.take_mark("}") {
            members.push(self.unary()?);
            self.separator()?;
        }
        Ok(Item::AtomicSet { name, members })
    }
}
