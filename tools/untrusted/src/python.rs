//! Readers that are Python code, or that Python code calls.
//!
//! In: a function of `readers.py` and bytes. Out: what it says is wrong. Always: one interpreter for all inputs of a
//! process, on a thread of its own with the stack that scripts have.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, OnceLock};

use janus_interp::Interp;
use janus_object::{Args, Value, Vm as _};

const READERS: &str = include_str!("readers.py");

type Question = (&'static str, Vec<u8>);
type Answer = Result<(), String>;

fn interpreter() -> Result<Interp, String> {
    let mut interp = janus_session::plain();
    match interp.run_source(READERS, "<readers>").code {
        0 => Ok(interp),
        _ => Err("readers.py does not run".to_owned()),
    }
}

fn answer(interp: &mut Interp, (name, bytes): Question) -> Answer {
    let main = match interp.modules().get_str("__main__") {
        Some(Value::Module(main)) => main,
        _ => return Err("readers.py is no module".to_owned()),
    };
    let function = main.get("check").unwrap_or(Value::None);
    let said = interp.call(
        &function,
        Args::new(&[Value::str(name), Value::bytes(bytes)]),
    );
    match said {
        Ok(Value::None) => Ok(()),
        Ok(said) => Err(said.as_str().unwrap_or("no text").to_owned()),
        Err(raised) => Err(format!(
            "an exception that `check` does not expect: {raised:?}"
        )),
    }
}

fn serve(questions: &Receiver<Question>, answers: &SyncSender<Answer>) {
    let mut interp = match interpreter() {
        Ok(interp) => interp,
        Err(message) => {
            // Nobody listens only where the process ends.
            let _ = answers.send(Err(message));
            return;
        }
    };
    while let Ok(question) = questions.recv() {
        if answers.send(answer(&mut interp, question)).is_err() {
            return;
        }
    }
}

/// Both ends of the thread's channels.
type Line = (SyncSender<Question>, Receiver<Answer>);

fn line() -> Line {
    let (ask, questions) = sync_channel(0);
    let (answers, told) = sync_channel(1);
    std::thread::spawn(move || janus_session::on_large_stack(move || serve(&questions, &answers)));
    (ask, told)
}

/// Calls the function of that name.
pub fn check(name: &'static str, bytes: &[u8]) -> Answer {
    static LINE: OnceLock<Mutex<Line>> = OnceLock::new();
    let line = LINE.get_or_init(|| Mutex::new(line()));
    let (ask, told) = &*line.lock().map_err(|e| e.to_string())?;
    // Where the thread is gone, it has said why, or it panicked.
    let _ = ask.send((name, bytes.to_vec()));
    told.recv()
        .unwrap_or_else(|_| Err("the interpreter's thread panicked".to_owned()))
}
