//! `_digests`: message digests.
//!
//! In: the name of an algorithm and bytes. Out: hash objects. Always: the algorithms come from the
//! RustCrypto crates; a hash object can be read at any time and goes on.

use std::cell::RefCell;

use janus_interp::Interp;
use janus_object::{Args, Class, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm};
use sha2::Digest;
use sha2::digest::DynDigest;

use crate::support::{bytes_like, foreign_class, module};

/// A hash object's state.
struct Hash {
    name: &'static str,
    block: i64,
    state: RefCell<Box<dyn Cloneable>>,
}

impl Foreign for Hash {}

/// A digest whose state can be copied.
trait Cloneable: DynDigest {
    fn copy(&self) -> Box<dyn Cloneable>;
}

impl<T: DynDigest + Clone + 'static> Cloneable for T {
    fn copy(&self) -> Box<dyn Cloneable> {
        Box::new(self.clone())
    }
}

macro_rules! algorithms {
    ($($name:literal => $digest:ty, $block:literal;)*) => {
        /// Every algorithm.
        const NAMES: &[&str] = &[$($name),*];

        fn start(name: &str) -> Option<Hash> {
            Some(match name {
                $($name => Hash {
                    name: $name,
                    block: $block,
                    state: RefCell::new(Box::new(<$digest>::new())),
                },)*
                _ => return None,
            })
        }
    };
}

algorithms! {
    "md5" => md5::Md5, 64;
    "sha1" => sha1::Sha1, 64;
    "sha224" => sha2::Sha224, 64;
    "sha256" => sha2::Sha256, 64;
    "sha384" => sha2::Sha384, 128;
    "sha512" => sha2::Sha512, 128;
    "sha3_224" => sha3::Sha3_224, 144;
    "sha3_256" => sha3::Sha3_256, 136;
    "sha3_384" => sha3::Sha3_384, 104;
    "sha3_512" => sha3::Sha3_512, 72;
}

const METHODS: &[NativeDef] = &[
    NativeDef::method("HASH.update", update),
    NativeDef::method("HASH.digest", |_, args| Ok(Value::bytes(digest(&args)?))),
    NativeDef::method("HASH.hexdigest", |_, args| {
        let hex: String = digest(&args)?.iter().map(|b| format!("{b:02x}")).collect();
        Ok(Value::str(hex))
    }),
    NativeDef::method("HASH.copy", copy),
    NativeDef::getter("HASH.name", |_, args| Ok(Value::str(this(&args)?.name))),
    NativeDef::getter("HASH.digest_size", |_, args| {
        Ok(Value::from(this(&args)?.state.borrow().output_size()))
    }),
    NativeDef::getter("HASH.block_size", |_, args| {
        Ok(Value::Int(this(&args)?.block))
    }),
];

fn class() -> PyRef<Class> {
    janus_gil::gil_local! {
        static CLASS: PyRef<Class> = foreign_class("HASH", "_hashlib", METHODS);
    }
    CLASS.with(PyRef::clone)
}

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    let m = module("_digests", "", &[NativeDef::function("_digests.new", new)]);
    m.set(
        "names",
        Value::tuple(NAMES.iter().map(|n| Value::str(*n)).collect::<Vec<_>>()),
    );
    Ok(Value::Module(m))
}

fn new(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [algorithm, data] = args.exactly("new")?;
    let wanted = algorithm
        .as_str()
        .unwrap_or_default()
        .to_ascii_lowercase()
        .replace('-', "_");
    let Some(hash) = start(&wanted).or_else(|| start(&wanted.replace('_', ""))) else {
        return Err(Raised::value_error(format!(
            "unsupported hash type {wanted}"
        )));
    };
    feed(&hash, data)?;
    Ok(Instance::native(&class(), hash))
}

fn this<'a>(args: &Args<'a>) -> PyResult<&'a Hash> {
    args.pos
        .first()
        .and_then(Value::foreign::<Hash>)
        .ok_or_else(|| Raised::type_error("a hash object is required"))
}

fn feed(hash: &Hash, data: &Value) -> PyResult<()> {
    if data.as_str().is_some() {
        return Err(Raised::type_error("Strings must be encoded before hashing"));
    }
    hash.state.borrow_mut().update(&bytes_like(data)?);
    Ok(())
}

fn update(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let (_, [data]) = args.method("update")?;
    feed(this(&args)?, data)?;
    Ok(Value::None)
}

fn digest(args: &Args<'_>) -> PyResult<Vec<u8>> {
    args.method::<0>("digest")?;
    let state = this(args)?.state.borrow().copy();
    let mut out = vec![0; state.output_size()];
    // The buffer has the digest's own size.
    finish(state, &mut out)?;
    Ok(out)
}

fn finish(state: Box<dyn Cloneable>, out: &mut [u8]) -> PyResult<()> {
    let mut state = state;
    state
        .finalize_into_reset(out)
        .map_err(|_| Raised::system_error("digest buffer of the wrong size"))
}

fn copy(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    args.method::<0>("copy")?;
    let hash = this(&args)?;
    let state = RefCell::new(hash.state.borrow().copy());
    Ok(Instance::native(
        &class(),
        Hash {
            name: hash.name,
            block: hash.block,
            state,
        },
    ))
}
