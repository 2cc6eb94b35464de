//! Imports of modules that are there already: a look into `sys.modules`.
//!
//! In: an `import` in hot code. Out: the module. Always: that it is still there under its name is guarded; what would run a module,
//! or what a script put in the place of `__import__`, ends a graph.

use janus_object::{Name, Value};
use janus_plan::{Namespace, ReasonId};

use crate::Res;
use crate::executor::Executor;
use crate::state::sym::Sym;

/// Why most imports have no graph form.
const RUNS_MODULE: &str = "an import inside hot code";

impl Executor<'_> {
    /// `import name`, or with names behind `from name import`.
    pub(crate) fn imported(&mut self, name: &Name, from_list: &Sym, level: &Sym) -> Res<Sym> {
        let full = name.as_str();
        if !matches!(level, Sym::Known(Value::Int(0))) {
            return self.refuse(ReasonId::Import, RUNS_MODULE);
        }
        if !self.vm.is_imported(full) {
            return self.refuse(
                ReasonId::CExtension,
                format!("an import of {full}, a module in C or none at all"),
            );
        }
        let builtins = Namespace::Globals(janus_object::Vm::builtins(self.vm));
        match self.load_namespace(&builtins, &Name::new("__import__"))? {
            Some(Sym::Known(Value::Native(own))) if own.qualname == "builtins.__import__" => {}
            _ => return self.refuse(ReasonId::Import, RUNS_MODULE),
        }
        let modules = Namespace::Globals(self.vm.loaded_modules().clone());
        let mut found = Vec::new();
        let ends = full.match_indices('.').map(|(at, _)| at);
        for end in ends.chain([full.len()]) {
            let part = full.get(..end).unwrap_or(full);
            match self.load_namespace(&modules, &Name::new(part))? {
                Some(module @ Sym::Known(Value::Module(_))) => found.push(module),
                _ => return self.refuse(ReasonId::Import, RUNS_MODULE),
            }
        }
        let module = match from_list {
            Sym::Known(Value::None) => found.first(),
            _ => found.last(),
        };
        match module {
            Some(module) => Ok(module.clone()),
            None => self.defect("an import of no module"),
        }
    }

    /// `from module import name`, of what the module has.
    pub(crate) fn imported_name(&mut self, module: &Sym, name: &Name) -> Res<Sym> {
        match self.find_attr(module, name)? {
            Some(v) => Ok(v),
            None => self.refuse(ReasonId::Import, RUNS_MODULE),
        }
    }
}
