//! What suspends a frame, and what resumes one.

macro_rules! yield_value {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident, $resumed:ident, $callers:ident, $sink:ident) => {{
        let value = pop!();
        $frame.pc = $pc as u32 + 1;
        let Purpose::Generator(driven) = std::mem::take(&mut $frame.purpose) else {
            $self.suspended = Some($frame.into_box());
            return Ok(value);
        };
        if $self.frames.len() <= $callers {
            let Some($sink) = $sink.as_mut() else {
                return Err($self.internal("nobody waits for what is yielded"));
            };
            // Where compiled code is to go on, whoever drains the generator asks for the next value.
            if $sink(value) && !$self.is_for_code(&$frame.code) {
                $frame.purpose = Purpose::Generator(driven);
                $frame.stack.push(Some(Value::None));
                $pc += 1;
                continue;
            }
            $self.park($frame.into_box(), driven);
            return Ok(Value::None);
        }
        $self.park($frame.into_box(), driven);
        $self.depth -= 1;
        let Some(caller) = $self.frames.pop() else {
            return Err($self.internal("frame lost"));
        };
        $frame = Current::new($self.hand_on(caller, $callers));
        switch!();
        $pc = $frame.pc as usize;
        $resumed = Some(Step::Yield(value));
        continue;
    }};
}
pub(super) use yield_value;

macro_rules! send {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident, $resumed:ident) => {{
        let arg = $quick.arg as usize;
        let step = match $resumed.take() {
            Some(step) => step,
            None => {
                let value = pop!();
                let iterator = peek!(1).clone();
                if let (Value::Generator(generator), Value::None) = (&iterator, &value)
                    && let Some(new) = $self.drive(generator)
                {
                    $frame.pc = $pc as u32;
                    push_to(&mut $self.frames, $frame.into_box());
                    let innermost = $self.drive_innermost(new);
                    $frame = Current::new(innermost);
                    switch!();
                    $pc = $frame.pc as usize;
                    continue;
                }
                attempt!(outside!($self.send(&iterator, value)))
            }
        };
        match step {
            Step::Yield(value) => {
                push!(value);
                next!();
            }
            Step::Return(value) => {
                $frame.stack.pop();
                push!(value);
                $pc = arg;
                continue;
            }
        }
    }};
}
pub(super) use send;

macro_rules! delegate {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let value = pop!();
        let awaits = $quick.op == Op::GetAwaitable;
        push!(attempt!(outside!($self.delegate(awaits, value))));
        settle!();
    }};
}
pub(super) use delegate;
