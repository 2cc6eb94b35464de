//! What is printed or formatted, as it is at that moment: the text itself is made at the commit.
//!
//! In: a value. Out: a value that will give the same text later. Always: nothing that the region
//! changes afterwards shows in it; text that only tier 0 can make (an address) is refused.

use janus_bytecode::FormatConversion;
use janus_object::{PyRef, Value, types};
use janus_plan::ReasonId;

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::{Kind, Slot, Sym, SymDict};

impl Executor<'_> {
    /// A value whose `str()` or `repr()`, as `conversion` says, is taken at the commit.
    pub(crate) fn frozen(&mut self, v: &Sym, conversion: u32) -> Res<Sym> {
        let obj = match v {
            Sym::Known(Value::Instance(_)) => return self.frozen_instance(v, conversion),
            Sym::Known(Value::List(_) | Value::Dict(_) | Value::Set(_)) => {
                return self.refuse(
                    ReasonId::TextForm,
                    "a container that is known by identity only is printed",
                );
            }
            Sym::Known(_) | Sym::Scalar(_) => return Ok(v.clone()),
            Sym::Null => return self.defect("bad operand"),
            Sym::Obj(obj) => *obj,
        };
        match self.state.heap[obj].kind.clone() {
            Kind::Text(_) | Kind::Told | Kind::Later { .. } => Ok(v.clone()),
            Kind::Choice {
                condition,
                then,
                otherwise,
            } => {
                let then = self.frozen(&then, conversion)?;
                let otherwise = self.frozen(&otherwise, conversion)?;
                Ok(self.alloc(Kind::Choice {
                    condition,
                    then,
                    otherwise,
                }))
            }
            Kind::Tensor(t) => {
                if let Some(text) = self.tensor_text(v, conversion)? {
                    return Ok(text);
                }
                self.state.shown.push((obj, self.storage_version(obj)?));
                if t.is_shared() {
                    return self.refuse(
                        ReasonId::BranchSides,
                        "what a branch decided between two tensors is printed",
                    );
                }
                Ok(v.clone())
            }
            Kind::Tuple(_) | Kind::List(_) | Kind::Dict(_) if self.has_own_text(v)? => {
                self.container_text(v)
            }
            Kind::Tuple(_) => {
                let items = self.frozen_items(v)?;
                Ok(self.tuple(items))
            }
            Kind::List(_) => {
                let items = self.frozen_items(v)?;
                Ok(self.list(items))
            }
            Kind::Filtered(_) if self.has_own_text(v)? => self.refuse(
                ReasonId::TooLarge,
                "text that a method makes of items that may not be there",
            ),
            Kind::Filtered(items) => self.frozen_filtered(&items, FormatConversion::REPR),
            Kind::Grown(_) => {
                let nothing = self.list(Vec::new());
                match self.joined_lists(v, &nothing)? {
                    Some(now) => Ok(now),
                    None => self.refuse(ReasonId::TextForm, "a list of another class is printed"),
                }
            }
            Kind::Dict(_) => {
                let mut entries = Vec::new();
                for (key, value) in self.entries(v)? {
                    let key = self.frozen(&key, FormatConversion::REPR)?;
                    let value = self.frozen(&value, FormatConversion::REPR)?;
                    entries.push((key, Slot::Loaded(value)));
                }
                Ok(self.alloc(Kind::Dict(SymDict {
                    entries,
                    written: Vec::new(),
                    removed: Vec::new(),
                })))
            }
            Kind::Instance(_) => self.frozen_instance(v, conversion),
            _ => self.refuse(
                ReasonId::TextForm,
                "an object whose text shows an address is printed",
            ),
        }
    }

    /// Whether a method of the script's makes the `repr()` of something, or of an item of it.
    pub(crate) fn has_own_text(&mut self, v: &Sym) -> Res<bool> {
        // Sizes, dtypes and other instances of classes that are not the script's are told as they are.
        let own =
            |this: &mut Self| Ok(this.class_of(v)?.flags.get().mutable && !this.is_shown_later(v)?);
        let obj = match v {
            Sym::Obj(obj) => obj,
            Sym::Known(Value::Instance(_)) => return own(self),
            _ => return Ok(false),
        };
        let items = match &self.state.heap[*obj].kind {
            Kind::Instance(_) => return own(self),
            Kind::Choice {
                then, otherwise, ..
            } => vec![then.clone(), otherwise.clone()],
            Kind::Filtered(items) => items.iter().map(|(v, _)| v.clone()).collect(),
            Kind::Tuple(_) | Kind::List(_) => self.collect(v)?,
            Kind::Dict(_) => self
                .entries(v)?
                .into_iter()
                .flat_map(|(k, v)| [k, v])
                .collect(),
            _ => return Ok(false),
        };
        for item in items {
            if self.has_own_text(&item)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The text of a list, tuple or dict.
    fn container_text(&mut self, v: &Sym) -> Res<Sym> {
        let Sym::Obj(obj) = v else {
            return self.defect("bad operand");
        };
        let mut parts = Vec::new();
        let (open, close) = match self.state.heap[*obj].kind {
            Kind::Dict(_) => {
                for (key, value) in self.entries(v)? {
                    let (key, value) = (self.item_text(&key)?, self.item_text(&value)?);
                    parts.push(vec![key, Sym::Known(Value::str(": ")), value]);
                }
                ("{", "}")
            }
            Kind::List(_) => {
                for item in self.collect(v)? {
                    parts.push(vec![self.item_text(&item)?]);
                }
                ("[", "]")
            }
            _ => {
                let items = self.collect(v)?;
                for item in &items {
                    parts.push(vec![self.item_text(item)?]);
                }
                ("(", if items.len() == 1 { ",)" } else { ")" })
            }
        };
        let comma = [Sym::Known(Value::str(", "))];
        let mut all = vec![Sym::Known(Value::str(open))];
        all.extend(parts.join(&comma[..]));
        all.push(Sym::Known(Value::str(close)));
        self.join_text(&all)
    }

    fn item_text(&mut self, v: &Sym) -> Res<Sym> {
        if self.has_own_text(v)? {
            return self.frozen(v, FormatConversion::REPR);
        }
        self.format(v.clone(), FormatConversion::REPR, "".into())
    }

    fn frozen_items(&mut self, v: &Sym) -> Res<Vec<Sym>> {
        let items = self.collect(v)?;
        items
            .iter()
            .map(|i| self.frozen(i, FormatConversion::REPR))
            .collect()
    }

    /// An object of a class: its own method makes the text, now.
    fn frozen_instance(&mut self, v: &Sym, conversion: u32) -> Res<Sym> {
        let class = self.class_of(v)?;
        if self.is_exception(&class) {
            let own = self.python_method(v, "__str__")?;
            return match own {
                Some(m) if conversion != FormatConversion::REPR => {
                    self.call(&m, vec![v.clone()], Vec::new())
                }
                None if conversion != FormatConversion::REPR => self.exception_text(v, &class),
                _ => self.refuse(
                    ReasonId::NoGraphForm,
                    "the repr of an exception has no graph form yet",
                ),
            };
        }
        if !class.flags.get().mutable {
            // Sizes, dtypes: what they say never changes.
            return Ok(v.clone());
        }
        if self.is_shown_later(v)? {
            return Ok(v.clone());
        }
        let method = |this: &mut Self, name: &str| this.python_method(v, name);
        let shown = match conversion {
            FormatConversion::REPR => None,
            _ => method(self, "__str__")?,
        };
        if shown.is_none()
            && conversion != FormatConversion::REPR
            && let Some(stored) = self.state.stored_value(v)
        {
            // Text and bytes have a `__str__` of their own, which no `__repr__` of a subclass changes.
            let class = self.class_of(&stored)?;
            let conversion = match types() {
                t if PyRef::ptr_eq(&class, &t.str) => Some(FormatConversion::STR),
                t if PyRef::ptr_eq(&class, &t.bytes) => Some(FormatConversion::REPR),
                _ => None,
            };
            if let Some(conversion) = conversion {
                return self.format(stored, conversion, "".into());
            }
        }
        let shown = match shown {
            Some(m) => Some(m),
            None => method(self, "__repr__")?,
        };
        match shown {
            Some(m) => self.call(&m, vec![v.clone()], Vec::new()),
            None => self.refuse(
                ReasonId::TextForm,
                format!(
                    "the text of a {}, which shows an address, is made",
                    class.display_name()
                ),
            ),
        }
    }

    /// Whether it stores a number or text that never changes, and nothing of the script's shows it.
    fn is_shown_later(&mut self, v: &Sym) -> Res<bool> {
        if self.state.stored_value(v).is_none() {
            return Ok(false);
        }
        for name in ["__str__", "__repr__", "__format__"] {
            match self.python_method(v, name)? {
                Some(Sym::Known(Value::Function(f))) if f.code.borrow().code.is_library() => {}
                None => {}
                Some(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The text of a tensor of a class of the script's that makes it itself.
    fn tensor_text(&mut self, v: &Sym, conversion: u32) -> Res<Option<Sym>> {
        let names = match conversion {
            FormatConversion::REPR => &["__repr__"][..],
            _ => &["__str__", "__repr__"][..],
        };
        for name in names {
            match self.python_method(v, name)? {
                Some(Sym::Known(Value::Function(f))) if f.code.borrow().code.is_library() => {}
                Some(m) => return self.call(&m, vec![v.clone()], Vec::new()).map(Some),
                None => {}
            }
        }
        Ok(None)
    }

    /// The version of the memory that a tensor shows.
    fn storage_version(&self, obj: crate::state::sym::Obj) -> Res<u32> {
        let t = self.tensor(obj)?;
        match &t.view {
            Some(view) => Ok(self.tensor(view.base)?.version),
            None => Ok(t.version),
        }
    }

    /// Refuses a region that prints a tensor and writes to it afterwards.
    pub(crate) fn check_shown(&mut self) -> Res<()> {
        for (obj, version) in self.state.shown.clone() {
            if self.storage_version(obj)? != version {
                return self.refuse(
                    ReasonId::SharedMemory,
                    "a tensor is printed, and written in place afterwards",
                );
            }
        }
        Ok(())
    }
}
