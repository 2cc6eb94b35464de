//! Modules that lie on the path, but in no directory: what `sys.path_hooks` finds, zip files among them.
//!
//! In: a module's name and the entries of a path. Out: the spec that an entry's finder gives. Always: directories are not
//! asked of hooks, and of two entries that have a module the first one counts.

use std::path::Path;

use janus_object::{Args, ExcKind, PyRef, PyResult, Raised, Value, attr, name, ops};

use crate::Interp;
use crate::import::Found;

impl Interp {
    /// The spec of a module that an entry of the path has which is no directory, if none before that has the module.
    pub(crate) fn find_by_hooks(
        &mut self,
        full: &str,
        parent: Option<&(String, Value)>,
        found: Option<&Found>,
    ) -> PyResult<Option<Value>> {
        if matches!(found, Some(Found::Native(_) | Found::Embedded(_))) {
            return Ok(None);
        }
        let entries = match parent {
            None => self.search_path(),
            Some((_, module)) => match attr::get_opt(self, module, name!("__path__"))? {
                Some(path) => self.collect(&path)?,
                None => return Ok(None),
            },
        };
        let last = full.rsplit_once('.').map_or(full, |(_, last)| last);
        for (at, entry) in entries.iter().enumerate() {
            if !entry.as_str().is_some_and(may_be_archive) {
                continue;
            }
            let spec = self.spec_in_entry(full, entry)?;
            if spec.is_none() {
                continue;
            }
            let before = entries.get(..at).unwrap_or(&[]);
            let earlier = self.find_in(before, last);
            return Ok(match earlier {
                Some(Found::Namespace(_)) | None => Some(spec),
                Some(_) => None,
            });
        }
        Ok(None)
    }

    /// What the finder for an entry of the path says of a module.
    fn spec_in_entry(&mut self, full: &str, entry: &Value) -> PyResult {
        let finder = self.finder_of(entry)?;
        if finder.is_none() {
            return Ok(Value::None);
        }
        match attr::get_opt(self, &finder, name!("find_spec"))? {
            Some(find) => self.call_value(&find, Args::new(&[Value::str(full), Value::None])),
            None => Ok(Value::None),
        }
    }

    /// The finder for an entry of the path: the one in `sys.path_importer_cache`, or that of the first hook that takes it.
    fn finder_of(&mut self, entry: &Value) -> PyResult {
        let Some(Value::Module(sys)) = self.modules.get_str("sys") else {
            return Ok(Value::None);
        };
        let cache = sys.get("path_importer_cache");
        if let Some(Value::Dict(cache)) = &cache
            && let Some(known) = cache.get(self, entry)?
        {
            return Ok(known);
        }
        let mut finder = Value::None;
        for hook in self.hooks(&sys)? {
            match self.call_value(&hook, Args::new(std::slice::from_ref(entry))) {
                Ok(made) => {
                    finder = made;
                    break;
                }
                Err(raised) if raised.is(ExcKind::ImportError) => {}
                Err(raised) => return Err(raised),
            }
        }
        if let Some(cache) = cache {
            ops::set_item(self, &cache, entry, finder.clone())?;
        }
        Ok(finder)
    }

    /// `sys.path_hooks`, with the one for zip files where a script has not said otherwise.
    fn hooks(&mut self, sys: &PyRef<janus_object::PyModule>) -> PyResult<Vec<Value>> {
        let Some(Value::List(hooks)) = sys.get("path_hooks") else {
            return Err(Raised::new(
                ExcKind::RuntimeError,
                "sys.path_hooks must be a list of import hooks",
            ));
        };
        let module = self.import_module("zipimport")?;
        let zip = attr::get(self, &module, name!("zipimporter"))?;
        let mut all = hooks.to_vec();
        if !all.iter().any(|hook| ops::is(hook, &zip)) {
            all.insert(0, zip);
        }
        Ok(all)
    }
}

/// Whether an entry of the path is a file, or lies in one.
fn may_be_archive(entry: &str) -> bool {
    let path = Path::new(entry);
    if entry.is_empty() || path.is_dir() {
        return false;
    }
    path.ancestors()
        .find(|p| p.exists())
        .is_some_and(Path::is_file)
}
