//! What is to be done when a backward pass is through.
//!
//! In: functions, while a pass runs. Out: they are called at the end of that pass, in their order. Always: a pass that
//! fails drops them.

use std::cell::RefCell;
use std::rc::Rc;

use crate::error::{Result, TensorError};

/// A function that is called when a pass is through.
pub type Callback = Rc<dyn Fn() -> Result<()>>;

thread_local! {
    /// Of the passes that run, the innermost last: hooks may start another one.
    static RUNNING: RefCell<Vec<Vec<Callback>>> = const { RefCell::new(Vec::new()) };
}

/// Has a function called at the end of the pass that runs.
pub fn queue_callback(callback: Callback) -> Result<()> {
    RUNNING.with_borrow_mut(|running| match running.last_mut() {
        Some(callbacks) => {
            callbacks.push(callback);
            Ok(())
        }
        None => Err(TensorError::Runtime(
            "Final callbacks can only be installed during backward pass.".to_owned(),
        )),
    })
}

/// Runs a pass, and then what was queued meanwhile.
pub(super) fn at_end(pass: impl FnOnce() -> Result<()>) -> Result<()> {
    RUNNING.with_borrow_mut(|running| running.push(Vec::new()));
    let done = pass();
    let callbacks = RUNNING.with_borrow_mut(Vec::pop).unwrap_or_default();
    done?;
    callbacks.iter().try_for_each(|callback| callback())
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn what_is_queued_runs_at_the_end_of_its_own_pass() {
        let said = Rc::new(RefCell::new(Vec::new()));
        let say = |word: &'static str| {
            let said = said.clone();
            queue_callback(Rc::new(move || {
                said.borrow_mut().push(word);
                Ok(())
            }))
        };
        assert!(say("outside").is_err());
        let outer = at_end(|| {
            say("first")?;
            at_end(|| say("inner"))?;
            let failed = at_end(|| {
                say("dropped")?;
                Err(TensorError::GradNotScalar)
            });
            assert!(failed.is_err());
            say("second")
        });
        outer.unwrap();
        assert_eq!(*said.borrow(), ["inner", "first", "second"]);
        assert!(say("after").is_err());
    }
}
