//! Attributes by the inline caches of an instruction, for compiled code that leaves the instruction to the interpreter.
//!
//! In: code, the place of an access in it, and an object. Out: what tier 0 would find there. Always: what the caches do not
//! know they learn, as when tier 0 executes the instruction.

use janus_object::{CodeObject, Name, PyResult, Raised, Value, attr, class_of};

use crate::Interp;
use crate::attr_cache::{AttrCache, Hit, layout_of};
use crate::bound_method;

impl Interp {
    /// The cache and the name of an access to an attribute.
    fn access<'c>(&self, code: &'c CodeObject, pc: u32) -> PyResult<(&'c AttrCache, &'c Name)> {
        let state = self.code_state(code);
        let found = state.ops.get(pc as usize).and_then(|quick| {
            let cache = state.attrs.get(quick.cache as usize)?;
            Some((cache, code.names.get(quick.arg as usize)?))
        });
        found.ok_or_else(|| Raised::runtime_error("an access to an attribute without a cache"))
    }

    /// `object.name`, as the `LoadAttr` or `LoadMethod` at `pc` loads it.
    pub fn load_attr_at(&mut self, code: &CodeObject, pc: u32, object: &Value) -> PyResult {
        let (cache, name) = self.access(code, pc)?;
        match cache.hit(object) {
            Some(Hit::Value(value)) => Ok(value),
            Some(Hit::Method(function)) => Ok(bound_method(function, object.clone())),
            Some(Hit::ClassMethod(function)) => {
                Ok(bound_method(function, Value::Class(class_of(object))))
            }
            Some(Hit::Getter(getter)) => self.call_one(&getter, object.clone()),
            None => {
                cache.learn(object, name);
                attr::get(self, object, name)
            }
        }
    }

    /// What `object.name(...)` calls, as the `LoadMethod` at `pc` finds it, and the receiver to be passed first, if there is one.
    pub fn load_method_at(
        &mut self,
        code: &CodeObject,
        pc: u32,
        object: &Value,
    ) -> PyResult<(Value, Option<Value>)> {
        let (cache, name) = self.access(code, pc)?;
        match cache.hit(object) {
            Some(Hit::Method(function)) => Ok((function, Some(object.clone()))),
            Some(Hit::ClassMethod(function)) => {
                Ok((function, Some(Value::Class(class_of(object)))))
            }
            Some(Hit::Value(value)) => Ok((value, None)),
            Some(Hit::Getter(getter)) => Ok((self.call_one(&getter, object.clone())?, None)),
            None => {
                cache.learn(object, name);
                attr::load_method(self, object, name)
            }
        }
    }

    /// The method of `object` that `object.name(...)` calls, as the `LoadMethod` at `pc` finds it, if its cache has it.
    #[inline]
    pub fn known_method_at(&self, code: &CodeObject, pc: u32, object: &Value) -> Option<Value> {
        let (cache, _) = self.access(code, pc).ok()?;
        cache.method(object).cloned()
    }

    /// `object.name = value`, as the `StoreAttr` at `pc` does it.
    pub fn store_attr_at(
        &mut self,
        code: &CodeObject,
        pc: u32,
        object: &Value,
        value: Value,
    ) -> PyResult<()> {
        let (cache, name) = self.access(code, pc)?;
        let Err(value) = cache.store_known(object, name, value) else {
            return Ok(());
        };
        let before = layout_of(object);
        attr::set(self, object, name, value)?;
        cache.learn_store(object, before, name);
        Ok(())
    }
}
