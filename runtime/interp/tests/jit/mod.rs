//! A stand-in for the higher tiers: what the interpreter asks, and that it obeys the answers.

use std::cell::RefCell;
use std::rc::Rc;

use janus_interp::{Entry, Frame, Interp, Jit};
use janus_object::{Raised, Value};

use crate::support::run;

type Log = Rc<RefCell<Vec<String>>>;

struct Scripted {
    log: Log,
}

impl Jit for Scripted {
    fn resume_generator(&self, _: &mut Interp, _: &Frame) {}

    fn enter_rest(&self, _: &mut Interp, _: &mut Frame, _: u32) -> Entry {
        Entry::Interpret
    }

    fn enter_function(&self, _: &mut Interp, frame: &mut Frame) -> Entry {
        let name = frame.code.code.name.to_string();
        self.log
            .borrow_mut()
            .push(format!("function {name} at {}", frame.pc));
        match (&*name, frame.locals.first()) {
            ("twice", Some(Some(Value::Int(n)))) => Entry::Return(Value::Int(n * 200)),
            ("fails", _) => Entry::Raise(Raised::value_error("from compiled code")),
            _ => Entry::Interpret,
        }
    }

    fn enter_loop(&self, _: &mut Interp, frame: &mut Frame, head: u32) -> Entry {
        assert_eq!(frame.pc, head + 1);
        let item = match frame.stack.as_slice() {
            [.., Some(Value::Iter(_)), Some(Value::Int(i))] => i.to_string(),
            _ => "-".to_owned(),
        };
        self.log
            .borrow_mut()
            .push(format!("loop {} {item}", frame.code.code.name));
        // Runs `while k < 10: k += 1` to its end: sets k, and goes on at the loop's head.
        if &*frame.code.code.name == "counts" {
            if let Some(k) = frame.locals.first_mut() {
                *k = Some(Value::Int(10));
            }
            return Entry::Resume;
        }
        Entry::Interpret
    }
}

fn run_with(source: &str, first_entry: u32, first_loop: u32) -> (String, String, Vec<String>) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let printed = run(source, "x.py", move |interp| {
        let log = Log::default();
        interp.set_jit(
            Rc::new(Scripted { log: log.clone() }),
            first_entry,
            first_loop,
        );
        // The log is read when the script ends, on its thread.
        let done = janus_object::NativeFunction::closure("log.send", move |_, _| {
            let _ = sender.send(log.borrow().clone());
            Ok(Value::None)
        });
        interp.at_exit(done.clone(), done);
    });
    (printed.out, printed.err, receiver.recv().unwrap())
}

#[test]
fn functions_are_offered_when_their_countdown_ends() {
    let source = "def twice(n):\n    return n * 2\nfor i in (1, 2, 3, 4):\n    print(twice(i))\n";
    let (out, _, log) = run_with(source, 2, 1000);
    assert_eq!(out, "2\n4\n600\n800\n");
    assert_eq!(log, ["function twice at 0", "function twice at 0"]);
}

#[test]
fn what_compiled_code_raises_goes_up() {
    let source =
        "def fails():\n    pass\ntry:\n    fails()\nexcept ValueError as e:\n    print(e)\n";
    assert_eq!(run_with(source, 0, 1000).0, "from compiled code\n");
}

#[test]
fn loops_are_offered_when_their_countdown_ends() {
    let source = "def f():\n    for i in range(4):\n        pass\nf()\n";
    let (_, _, log) = run_with(source, 1000, 2);
    assert_eq!(log, ["loop f 2", "loop f 3"]);
}

#[test]
fn a_loop_goes_on_where_compiled_code_left_it() {
    let source = "def counts():\n    k = 0\n    while k < 10:\n        k += 1\n    return k\nprint(counts())\n";
    let (out, err, log) = run_with(source, 1000, 3);
    assert_eq!((out.as_str(), err.as_str()), ("10\n", ""));
    assert_eq!(log, ["loop counts -"]);
}
