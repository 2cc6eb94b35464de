//! Exceptions that are handled, and `with`.

macro_rules! push_exc_info {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let exception = pop!();
        let previous = $self.push_handled(&exception);
        push!(previous);
        push!(exception);
        next!();
    }};
}
pub(super) use push_exc_info;

macro_rules! pop_except {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let previous = pop!();
        $self.pop_handled(&previous);
        settle!();
    }};
}
pub(super) use pop_except;

macro_rules! check_exc_match {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let class = pop!();
        let exception = peek!(1).clone();
        let matches = attempt!(outside!($self.exception_matches(&exception, &class)));
        push!(Value::bool(matches));
        settle!();
    }};
}
pub(super) use check_exc_match;

macro_rules! before_with {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let manager = pop!();
        let (exit, entered) = attempt!(outside!($self.before_with(&manager)));
        drop(manager);
        push!(exit);
        let entered = match entered {
            Bound::Frame(new) => enter_frame!(new, None),
            Bound::Suspended(value) => Ok(value),
        };
        push!(attempt!(entered));
        settle!();
    }};
}
pub(super) use before_with;

macro_rules! with_except_start {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        let exit = peek!(3).clone();
        let exception = peek!(1).clone();
        push!(attempt!(outside!($self.with_except(&exit, &exception))));
        settle!();
    }};
}
pub(super) use with_except_start;

macro_rules! load_assertion_error {
    ($self:ident, $frame:ident, $pc:ident, $active:ident, $quick:ident) => {{
        push!(Value::Class(janus_object::ExcKind::AssertionError.class()));
        next!();
    }};
}
pub(super) use load_assertion_error;
