//! The order in which bases are asked, and classes whose bases change.

use std::rc::Rc;

use crate::class::{BaseKind, Class};
use crate::{PyRef, PyResult, Raised, Value, Vm, name, ops, types};

/// The built-in class whose layout instances of `class` have.
fn solid_base(class: &PyRef<Class>) -> PyRef<Class> {
    let mro = class.mro.borrow();
    mro.iter()
        .find(|c| !c.flags.get().mutable && c.kind.get() != BaseKind::Object)
        .or(mro.last())
        .unwrap_or(class)
        .clone()
}

pub(crate) fn best_base(bases: &[PyRef<Class>]) -> PyResult<PyRef<Class>> {
    let mut best: Option<PyRef<Class>> = None;
    for base in bases {
        let solid = solid_base(base);
        best = Some(match best {
            None => solid,
            Some(best) if best.is_subclass_of(&solid) => best,
            Some(best) if solid.is_subclass_of(&best) => solid,
            // All built-in exceptions have one layout here.
            Some(best)
                if best.kind.get() == BaseKind::Exception
                    && solid.kind.get() == BaseKind::Exception =>
            {
                best
            }
            Some(_) => {
                return Err(Raised::type_error(
                    "multiple bases have instance lay-out conflict",
                ));
            }
        });
    }
    Ok(best.unwrap_or_else(|| types().object.clone()))
}

/// The C3 linearization.
pub(crate) fn linearize(class: &PyRef<Class>) -> PyResult<Rc<[PyRef<Class>]>> {
    let bases = class.bases.borrow().clone();
    for (i, base) in bases.iter().enumerate() {
        if bases
            .iter()
            .skip(i + 1)
            .any(|other| PyRef::ptr_eq(other, base))
        {
            return Err(Raised::type_error(format!(
                "duplicate base class {}",
                base.name.borrow()
            )));
        }
    }
    let mut sequences: Vec<Vec<PyRef<Class>>> = bases
        .iter()
        .map(|base| base.mro.borrow().to_vec())
        .collect();
    sequences.push(bases);
    let mut mro = vec![class.clone()];
    loop {
        sequences.retain(|s| !s.is_empty());
        if sequences.is_empty() {
            return Ok(mro.into());
        }
        let next = sequences
            .iter()
            .filter_map(|s| s.first())
            .find(|candidate| {
                !sequences
                    .iter()
                    .any(|s| s.iter().skip(1).any(|c| PyRef::ptr_eq(c, candidate)))
            });
        let Some(next) = next.cloned() else {
            let mut names: Vec<String> = Vec::new();
            for candidate in sequences.iter().filter_map(|s| s.first()) {
                let text = candidate.display_name();
                if !names.contains(&text) {
                    names.push(text);
                }
            }
            return Err(Raised::type_error(format!(
                "Cannot create a consistent method resolution\norder (MRO) for bases {}",
                names.join(", ")
            )));
        };
        for sequence in &mut sequences {
            if sequence.first().is_some_and(|c| PyRef::ptr_eq(c, &next)) {
                sequence.remove(0);
            }
        }
        mro.push(next);
    }
}

impl Class {
    /// Replaces the bases.
    pub(crate) fn set_bases(
        vm: &mut dyn Vm,
        this: &PyRef<Self>,
        bases: Vec<PyRef<Class>>,
    ) -> PyResult<()> {
        if bases.iter().any(|base| base.is_subclass_of(this)) {
            return Err(Raised::type_error(
                "a __bases__ item causes an inheritance cycle",
            ));
        }
        if let Some(sealed) = bases.iter().find(|base| base.flags.get().sealed) {
            return Err(Raised::type_error(format!(
                "type '{}' is not an acceptable base type",
                sealed.full_name()
            )));
        }
        let (old_solid, new_solid) = (solid_base(this), best_base(&bases)?);
        if old_solid.kind.get() != new_solid.kind.get() {
            let first = |bases: &[PyRef<Class>]| {
                let first = bases.first();
                first.map_or_else(String::new, |base| base.display_name())
            };
            return Err(Raised::type_error(format!(
                "__bases__ assignment: '{}' object layout differs from '{}'",
                first(&bases),
                first(&this.bases.borrow())
            )));
        }
        let old = this.bases.replace(bases);
        if let Err(raised) = Self::relinearize(vm, this) {
            // What was linearized already goes back to what it was, which is possible.
            *this.bases.borrow_mut() = old;
            Self::relinearize(vm, this)?;
            return Err(raised);
        }
        for base in &old {
            base.subclasses
                .borrow_mut()
                .retain(|subclass| !subclass.is(this));
        }
        Self::link(this);
        this.touch();
        Ok(())
    }

    /// Computes the method resolution order of this class and of all derived from it again.
    fn relinearize(vm: &mut dyn Vm, this: &PyRef<Self>) -> PyResult<()> {
        let mro = linearize(this)?;
        *this.mro.borrow_mut() = mro;
        Self::ask_for_mro(vm, this)?;
        let subclasses = this.direct_subclasses();
        let mut subclasses = subclasses.iter();
        subclasses.try_for_each(|subclass| Class::relinearize(vm, subclass))
    }

    /// Takes the order that the metaclass's own `mro` gives, if it has one.
    pub(crate) fn ask_for_mro(vm: &mut dyn Vm, this: &PyRef<Self>) -> PyResult<()> {
        let Some(metaclass) = this.own_metaclass() else {
            return Ok(());
        };
        let method = match metaclass.lookup(name!("mro")) {
            None | Some(Value::Native(_)) => return Ok(()),
            Some(method) => method,
        };
        let class = Value::Class(this.clone());
        let given = ops::call_special(vm, &method, &class, &[])?;
        let mut order = Vec::new();
        for entry in ops::collect(vm, &given)? {
            let Value::Class(entry) = &entry else {
                return Err(Raised::type_error(format!(
                    "mro() returned a non-class ('{}')",
                    entry.type_name()
                )));
            };
            if !solid_base(this).is_subclass_of(&solid_base(entry)) {
                return Err(Raised::type_error(format!(
                    "mro() returned base with unsuitable layout ('{}')",
                    entry.name.borrow()
                )));
            }
            order.push(entry.clone());
        }
        *this.mro.borrow_mut() = order.into();
        this.touch();
        Ok(())
    }

    /// The order of the bases by the rule (C3), as classes are made.
    pub(crate) fn linear_mro(this: &PyRef<Self>) -> PyResult<Rc<[PyRef<Class>]>> {
        linearize(this)
    }
}
