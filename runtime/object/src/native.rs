//! Native functions: tables of them and the parsing of their arguments.
//!
//! In: [`NativeDef`] tables of the types and modules, and the arguments of calls. Out: function
//! values, and arguments by parameter. Always: the errors read as CPython's for built-ins.

use janus_bytecode::Consumer;

use crate::{
    Args, Binding, NativeBody, NativeFn, NativeFunction, PyRef, PyResult, QuickWay, Raised, Reach,
    ShortWay, Value, class_of, types,
};

/// One native function as it stands in a table.
#[derive(Clone, Copy)]
pub struct NativeDef {
    /// See [`NativeFunction::qualname`].
    pub qualname: &'static str,
    /// The body.
    pub func: NativeFn,
    /// How it binds.
    pub binding: Binding,
    /// Docstring.
    pub doc: &'static str,
    /// See [`NativeFunction::reach`].
    pub reach: Reach,
    /// See [`NativeFunction::quick`].
    pub quick: Option<QuickWay>,
    /// How many arguments by position it takes at most, besides what it is bound to; none where it looks itself.
    pub most: Option<u8>,
}

impl NativeDef {
    const fn with(qualname: &'static str, func: NativeFn, binding: Binding) -> Self {
        NativeDef {
            qualname,
            func,
            binding,
            doc: "",
            reach: Reach::Python,
            quick: None,
            most: None,
        }
    }

    /// A method that takes nothing besides `self`.
    pub const fn noargs_method(qualname: &'static str, func: NativeFn) -> Self {
        Self::method(qualname, func).at_most(0)
    }

    /// A function of a module that takes nothing.
    pub const fn noargs_function(qualname: &'static str, func: NativeFn) -> Self {
        Self::function(qualname, func).at_most(0)
    }

    /// A method: its first argument is `self`.
    pub const fn method(qualname: &'static str, func: NativeFn) -> Self {
        Self::with(qualname, func, Binding::Method)
    }

    /// A function of a module, a static method, or `__new__`.
    pub const fn function(qualname: &'static str, func: NativeFn) -> Self {
        Self::with(qualname, func, Binding::Static)
    }

    /// A class method: its first argument is the class.
    pub const fn class_method(qualname: &'static str, func: NativeFn) -> Self {
        Self::with(qualname, func, Binding::ClassMethod)
    }

    /// A read-only attribute: called with `self`.
    pub const fn getter(qualname: &'static str, func: NativeFn) -> Self {
        Self::with(qualname, func, Binding::Getter)
    }

    /// An attribute: called with `self` to read it, with `self` and a value to set it.
    pub const fn getset(qualname: &'static str, func: NativeFn) -> Self {
        Self::with(qualname, func, Binding::GetSet)
    }

    /// Says how many arguments by position it takes at most, besides what it is bound to. One that takes none takes no others, either.
    pub const fn at_most(mut self, most: u8) -> Self {
        self.most = Some(most);
        self
    }

    /// Adds a docstring.
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Says that it asks nothing of the interpreter, whatever it is given.
    pub const fn leaf(mut self) -> Self {
        self.reach = Reach::Nothing;
        self
    }

    /// Says that it looks at the frame that calls it.
    pub const fn asks_caller(mut self) -> Self {
        self.reach = Reach::Caller;
        self
    }

    /// Adds a way for its common calls.
    pub const fn quick(mut self, way: QuickWay) -> Self {
        self.quick = Some(way);
        self
    }

    /// The last part of the qualified name.
    pub fn short_name(&self) -> &'static str {
        short_name(self.qualname)
    }

    /// Calls it.
    pub fn call(&self, vm: &mut dyn crate::Vm, args: Args<'_>) -> PyResult {
        if let Some(most) = self.most {
            takes_at_most((self.qualname, self.binding), most, &args)?;
        }
        (self.func)(vm, args)
    }

    fn body(&self) -> NativeBody {
        match self.most {
            Some(most) => NativeBody::Bounded(self.func, most),
            None => NativeBody::Fn(self.func),
        }
    }

    /// Makes the function.
    pub fn to_value(&self) -> Value {
        NativeFunction {
            doc: self.doc,
            reach: self.reach,
            quick: self.quick,
            ..NativeFunction::new(self.qualname, self.body(), self.binding)
        }
        .to_value()
    }
}

/// Methods without arguments that CPython has as slots of types, and names otherwise in its errors.
const SLOTS: [&str; 6] = [
    "__len__", "__repr__", "__iter__", "__next__", "__hash__", "__str__",
];

/// Refuses more arguments by position than so many, besides what a function is bound to, in CPython's words.
fn takes_at_most(
    (qualname, binding): (&'static str, Binding),
    most: u8,
    args: &Args<'_>,
) -> PyResult<()> {
    let bound = usize::from(binding == Binding::Method);
    let given = args.pos.len().saturating_sub(bound);
    if given <= usize::from(most) && (args.kw.is_empty() || most > 0) {
        return Ok(());
    }
    let name = short_name(qualname);
    let is_slot = SLOTS.contains(&name);
    Err(Raised::type_error(match (most, args.kw.is_empty()) {
        (0, true) if is_slot => format!("expected 0 arguments, got {given}"),
        (0, true) => format!("{qualname}() takes no arguments ({given} given)"),
        (0, false) if is_slot => format!("wrapper {name}() takes no keyword arguments"),
        (0, false) => format!("{qualname}() takes no keyword arguments"),
        (1, _) => format!("{name} expected at most 1 argument, got {given}"),
        _ => format!("{name} expected at most {most} arguments, got {given}"),
    }))
}

/// Whether a value is the built-in of this name.
pub fn is_builtin(consumer: Consumer, value: &Value) -> bool {
    let all = types();
    let class = match consumer {
        Consumer::List => &all.list,
        Consumer::Tuple => &all.tuple,
        Consumer::Set => &all.set,
        Consumer::FrozenSet => &all.frozenset,
        Consumer::Sum
        | Consumer::Any
        | Consumer::All
        | Consumer::Min
        | Consumer::Max
        | Consumer::Sorted => {
            let Value::Native(native) = value else {
                return false;
            };
            let name = native.qualname.strip_prefix("builtins.");
            return name == Some(consumer.symbol());
        }
    };
    matches!(value, Value::Class(of) if PyRef::ptr_eq(of, class))
}

fn short_name(qualname: &'static str) -> &'static str {
    qualname.rsplit('.').next().unwrap_or(qualname)
}

impl NativeFunction {
    /// Makes a plain function value.
    pub fn function(qualname: &'static str, func: NativeFn) -> Value {
        NativeDef::function(qualname, func).to_value()
    }

    /// Makes a function value out of a closure.
    pub fn closure(
        qualname: &'static str,
        func: impl Fn(&mut dyn crate::Vm, Args<'_>) -> PyResult + 'static,
    ) -> Value {
        let body = NativeBody::Closure(Box::new(func));
        NativeFunction::new(qualname, body, Binding::Static).to_value()
    }

    /// A function of this name and body.
    pub fn new(qualname: &'static str, func: NativeBody, binding: Binding) -> NativeFunction {
        NativeFunction {
            qualname,
            name: short_name(qualname),
            func,
            binding,
            doc: "",
            written_doc: std::cell::RefCell::default(),
            reach: Reach::Python,
            quick: None,
        }
    }

    /// The function as a value.
    pub fn to_value(self) -> Value {
        Value::Native(PyRef::new(self))
    }

    /// Calls the body.
    #[inline]
    pub fn call(&self, vm: &mut dyn crate::Vm, args: Args<'_>) -> PyResult {
        match &self.func {
            NativeBody::Fn(func) => func(vm, args),
            NativeBody::Bounded(func, most) => {
                takes_at_most((self.qualname, self.binding), *most, &args)?;
                func(vm, args)
            }
            NativeBody::Closure(func) => func(vm, args),
            NativeBody::Field(at) => {
                let tuple = args.pos.first().and_then(Value::as_tuple);
                let item = tuple.and_then(|tuple| tuple.items.get(*at).cloned());
                item.ok_or_else(|| crate::Raised::index_error("tuple index out of range"))
            }
            NativeBody::Short { short, behind } => match short(args) {
                Some(value) => Ok(value),
                None => vm.call(behind, args),
            },
        }
    }

    /// Answers a call without the interpreter, if there is a way for it.
    #[inline]
    pub fn answer(&self, args: &[Value]) -> Option<Value> {
        self.quick.and_then(|quick| quick(args))
    }

    /// A native that is a short way of a function written in Python.
    pub fn short(
        qualname: &'static str,
        short: ShortWay,
        behind: Value,
        binding: Binding,
    ) -> Value {
        NativeFunction::new(qualname, NativeBody::Short { short, behind }, binding).to_value()
    }

    /// The place of the item that it gives of a tuple, if it is a field.
    #[must_use]
    pub fn field(&self) -> Option<usize> {
        match self.func {
            NativeBody::Field(at) => Some(at),
            _ => None,
        }
    }

    /// The function written in Python that it is a short way of.
    pub fn behind(&self) -> Option<&Value> {
        match &self.func {
            NativeBody::Short { behind, .. } => Some(behind),
            _ => None,
        }
    }
}

/// The parameters of a native function with `N` of them.
///
/// ```
/// use janus_object::Signature;
/// static POW: Signature<3> = Signature::new("pow", ["base", "exp", "mod"]).required(2);
/// ```
#[derive(Clone, Copy)]
pub struct Signature<const N: usize> {
    /// The function's name in errors.
    pub name: &'static str,
    /// Parameter names.
    pub params: [&'static str; N],
    /// How many are positional-only.
    pub positional_only: usize,
    /// From which one on they are keyword-only.
    pub keyword_only: usize,
    /// How many of the first ones must be given.
    pub required: usize,
}

impl<const N: usize> Signature<N> {
    /// All parameters required, positional or by keyword.
    pub const fn new(name: &'static str, params: [&'static str; N]) -> Self {
        Signature {
            name,
            params,
            positional_only: 0,
            keyword_only: N,
            required: N,
        }
    }

    /// All parameters required and positional-only.
    pub const fn positional(name: &'static str, params: [&'static str; N]) -> Self {
        Signature {
            name,
            params,
            positional_only: N,
            keyword_only: N,
            required: N,
        }
    }

    /// The first `n` are required.
    pub const fn required(mut self, n: usize) -> Self {
        self.required = n;
        self
    }

    /// The first `n` are positional-only.
    pub const fn positional_only(mut self, n: usize) -> Self {
        self.positional_only = n;
        self
    }

    /// Those from the `n`-th (counted from 0) on are keyword-only.
    pub const fn keyword_only(mut self, n: usize) -> Self {
        self.keyword_only = n;
        self
    }

    /// Arguments by parameter; those not given are `None`.
    pub fn parse(&self, args: Args<'_>) -> PyResult<[Option<Value>; N]> {
        let mut out: [Option<Value>; N] = [const { None }; N];
        let given = args.pos.len();
        if given > self.keyword_only {
            return Err(self.too_many(given, args.kw.len()));
        }
        for (slot, value) in out.iter_mut().zip(args.pos) {
            *slot = Some(value.clone());
        }
        for (key, value) in args.kw {
            let found = (self.positional_only..N).find(|&i| self.params[i] == key.as_str());
            let Some(at) = found else {
                return Err(self.unknown_keyword(key.as_str()));
            };
            if out[at].is_some() {
                return Err(Raised::type_error(format!(
                    "argument for {}() given by name ('{}') and position ({})",
                    self.name,
                    key,
                    at + 1
                )));
            }
            out[at] = Some(value.clone());
        }
        if let Some(missing) = (0..self.required).find(|&i| out[i].is_none()) {
            return Err(self.missing(missing, given));
        }
        Ok(out)
    }

    /// As [`Self::parse`] for a method, whose `self` comes first and is not among the parameters.
    pub fn parse_method<'a>(&self, args: Args<'a>) -> PyResult<(&'a Value, [Option<Value>; N])> {
        let (this, rest) = args.split_self(self.name)?;
        Ok((this, self.parse(rest)?))
    }

    fn range_words(&self) -> (&'static str, usize) {
        if self.required == self.keyword_only {
            ("", self.required)
        } else {
            ("at most ", N)
        }
    }

    fn too_many(&self, given: usize, keywords: usize) -> Raised {
        let name = self.name;
        let total = given + keywords;
        if self.positional_only == N {
            return match N {
                0 => Raised::type_error(format!("{name}() takes no arguments ({given} given)")),
                1 if self.required == 1 => Raised::type_error(format!(
                    "{name}() takes exactly one argument ({given} given)"
                )),
                _ => {
                    let (words, limit) = self.range_words();
                    let s = if limit == 1 { "" } else { "s" };
                    let name = short_name(name);
                    Raised::type_error(format!(
                        "{name} expected {words}{limit} argument{s}, got {given}"
                    ))
                }
            };
        }
        let limit = self.keyword_only;
        let s = if limit == 1 { "" } else { "s" };
        let name = short_name(name);
        if limit < N {
            return Raised::type_error(format!(
                "{name}() takes {}{limit} positional argument{s} ({given} given)",
                if self.required >= limit {
                    "exactly "
                } else {
                    "at most "
                },
            ));
        }
        Raised::type_error(format!(
            "{name}() takes {} {limit} argument{s} ({total} given)",
            if self.required == N {
                "exactly"
            } else {
                "at most"
            },
        ))
    }

    fn missing(&self, at: usize, given: usize) -> Raised {
        let name = self.name;
        if self.positional_only == N {
            if N == 1 {
                return Raised::type_error(format!(
                    "{name}() takes exactly one argument ({given} given)"
                ));
            }
            let words = if self.required == N { "" } else { "at least " };
            let s = if self.required == 1 { "" } else { "s" };
            return Raised::type_error(format!(
                "{} expected {words}{} argument{s}, got {given}",
                short_name(name),
                self.required
            ));
        }
        Raised::type_error(format!(
            "{}() missing required argument '{}' (pos {})",
            short_name(name),
            self.params[at],
            at + 1
        ))
    }

    fn unknown_keyword(&self, key: &str) -> Raised {
        if self.positional_only == N {
            return Raised::type_error(format!("{}() takes no keyword arguments", self.name));
        }
        Raised::type_error(format!(
            "'{key}' is an invalid keyword argument for {}()",
            short_name(self.name)
        ))
    }
}

impl<'a> Args<'a> {
    /// Positional and keyword arguments.
    pub fn with_kw(pos: &'a [Value], kw: &'a [(crate::Name, Value)]) -> Self {
        Args { pos, kw }
    }

    /// Number of all arguments.
    pub fn len(&self) -> usize {
        self.pos.len() + self.kw.len()
    }

    /// Whether there is no argument.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// `self` and the other arguments of a method.
    pub fn split_self(self, method: &str) -> PyResult<(&'a Value, Args<'a>)> {
        match self.pos.split_first() {
            Some((this, rest)) => Ok((
                this,
                Args {
                    pos: rest,
                    kw: self.kw,
                },
            )),
            None => Err(Raised::type_error(format!(
                "unbound method {method}() needs an argument"
            ))),
        }
    }

    /// The keyword argument of that name.
    pub fn keyword(&self, name: &str) -> Option<&'a Value> {
        self.kw
            .iter()
            .find(|(key, _)| key.as_str() == name)
            .map(|(_, value)| value)
    }

    /// Exactly `N` positional arguments and no keywords.
    pub fn exactly<const N: usize>(&self, name: &'static str) -> PyResult<&'a [Value; N]> {
        self.no_keywords(name)?;
        <&[Value; N]>::try_from(self.pos).map_err(|_| {
            let given = self.pos.len();
            Raised::type_error(match N {
                0 => format!("{name}() takes no arguments ({given} given)"),
                1 => format!("{name}() takes exactly one argument ({given} given)"),
                _ => {
                    format!("{} expected {N} arguments, got {given}", short_name(name))
                }
            })
        })
    }

    /// `self` and exactly `N` further positional arguments, no keywords.
    pub fn method<const N: usize>(
        &self,
        name: &'static str,
    ) -> PyResult<(&'a Value, &'a [Value; N])> {
        let (this, rest) = self.split_self(name)?;
        Ok((this, rest.exactly(name)?))
    }

    /// Between `min` and `max` positional arguments, no keywords.
    pub fn between(&self, name: &'static str, min: usize, max: usize) -> PyResult<&'a [Value]> {
        self.no_keywords(name)?;
        let given = self.pos.len();
        let (bound, limit) = if given < min {
            (if min == max { "" } else { "at least " }, min)
        } else if given > max {
            (if min == max { "" } else { "at most " }, max)
        } else {
            return Ok(self.pos);
        };
        let s = if limit == 1 { "" } else { "s" };
        Err(Raised::type_error(format!(
            "{} expected {bound}{limit} argument{s}, got {given}",
            short_name(name)
        )))
    }

    /// Refuses keyword arguments.
    pub fn no_keywords(&self, name: &str) -> PyResult<()> {
        if self.kw.is_empty() {
            return Ok(());
        }
        Err(Raised::type_error(format!(
            "{name}() takes no keyword arguments"
        )))
    }
}

/// The error of a method called on a value of another type.
pub(crate) fn wrong_self(method: &str, class: &str, got: &Value) -> Raised {
    let got = class_of(got);
    let short = method.rsplit('.').next().unwrap_or(method);
    Raised::type_error(format!(
        "descriptor '{short}' for '{class}' objects doesn't apply to a '{}' object",
        got.name.borrow()
    ))
}
