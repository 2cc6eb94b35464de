//! `_digests`: message digests.
//!
//! In: the name of an algorithm and bytes. Out: hash objects. Always: the algorithms come from the
//! RustCrypto crates; a hash object can be read at any time and goes on.

use std::cell::RefCell;

use janus_interp::Interp;
use janus_object::{
    Args, Class, ExcKind, Foreign, Instance, NativeDef, PyRef, PyResult, Raised, Value, Vm,
};
use sha2::Digest;
use sha2::digest::{ExtendableOutput, Update};

use crate::support::{bytes_like, foreign_class, int, module};

/// A hash object's state.
struct Hash {
    name: &'static str,
    block: i64,
    state: RefCell<Box<dyn Cloneable>>,
}

impl Foreign for Hash {}

/// A digest whose state can be copied.
trait Cloneable {
    fn update(&mut self, data: &[u8]);
    /// The digest of what was given so far; `length` counts where the algorithm gives as much as is asked for.
    fn digest(&self, length: usize) -> Vec<u8>;
    fn copy(&self) -> Box<dyn Cloneable>;
    /// How long the digest is; 0 where that is for the caller to say.
    fn output_size(&self) -> usize;
}

/// Digests of one length.
#[derive(Clone)]
struct Fixed<T>(T);

impl<T: Digest + Clone + 'static> Cloneable for Fixed<T> {
    fn update(&mut self, data: &[u8]) {
        Digest::update(&mut self.0, data);
    }
    fn digest(&self, _: usize) -> Vec<u8> {
        self.0.clone().finalize().to_vec()
    }
    fn copy(&self) -> Box<dyn Cloneable> {
        Box::new(self.clone())
    }
    fn output_size(&self) -> usize {
        <T as Digest>::output_size()
    }
}

/// Digests of any length.
#[derive(Clone)]
struct Endless<T>(T);

impl<T: ExtendableOutput + Update + Clone + 'static> Cloneable for Endless<T> {
    fn update(&mut self, data: &[u8]) {
        Update::update(&mut self.0, data);
    }
    fn digest(&self, length: usize) -> Vec<u8> {
        let mut out = vec![0; length];
        self.0.clone().finalize_xof_into(&mut out);
        out
    }
    fn copy(&self) -> Box<dyn Cloneable> {
        Box::new(self.clone())
    }
    fn output_size(&self) -> usize {
        0
    }
}

/// BLAKE2, whose digests are as long as was said when they were begun.
#[derive(Clone)]
struct Blake<T> {
    state: T,
    length: usize,
}

macro_rules! blake {
    ($state:ty, $params:path, $name:literal, $block:literal, $most:literal, $salt:literal, $start:ident) => {
        impl Cloneable for Blake<$state> {
            fn update(&mut self, data: &[u8]) {
                self.state.update(data);
            }
            fn digest(&self, _: usize) -> Vec<u8> {
                self.state.finalize().as_bytes().to_vec()
            }
            fn copy(&self) -> Box<dyn Cloneable> {
                Box::new(self.clone())
            }
            fn output_size(&self) -> usize {
                self.length
            }
        }

        /// `new(data, digest_size, key, salt, person, fanout, depth, leaf_size, node_offset, node_depth,
        /// inner_size, last_node)`; the Python side knows the defaults.
        fn $start(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
            let [
                data,
                size,
                key,
                salt,
                person,
                fanout,
                depth,
                leaf,
                offset,
                node,
                inner,
                last,
            ] = args.exactly($name)?;
            let (key, salt, person) = (bytes_like(key)?, bytes_like(salt)?, bytes_like(person)?);
            let wrong = |what: &str| Err(Raised::value_error(what));
            let size = int(vm, size)?;
            if !(1..=$most).contains(&size) {
                return wrong(&format!(
                    "digest_size for {} must be between 1 and {} bytes, here it is {size}",
                    $name, $most
                ));
            }
            for (what, given, most) in [
                ("key", key.len(), $most as usize),
                ("salt", salt.len(), $salt),
                ("person", person.len(), $salt),
            ] {
                if given > most {
                    return wrong(&format!("maximum {what} length is {most} bytes"));
                }
            }
            let mut small = |value: &Value, what: &str, from: i64| -> PyResult<u8> {
                let value = int(vm, value)?;
                match u8::try_from(value) {
                    Ok(small) if value >= from => Ok(small),
                    _ => Err(Raised::value_error(format!(
                        "{what} must be between {from} and 255"
                    ))),
                }
            };
            let (fanout, depth) = (small(fanout, "fanout", 0)?, small(depth, "depth", 1)?);
            let (node, inner) = (
                small(node, "node_depth", 0)?,
                small(inner, "inner_size", 0)?,
            );
            if i64::from(inner) > $most {
                return wrong(concat!("inner_size must be between 0 and is ", $most));
            }
            let leaf = u32::try_from(int(vm, leaf)?)
                .map_err(|_| Raised::new(ExcKind::OverflowError, "leaf_size is too large"))?;
            let offset = u64::try_from(int(vm, offset)?)
                .map_err(|_| Raised::new(ExcKind::OverflowError, "node_offset is too large"))?;
            let mut params = <$params>::new();
            params
                .hash_length(size as usize)
                .key(&key)
                .salt(&salt)
                .personal(&person)
                .fanout(fanout)
                .max_depth(depth)
                .max_leaf_length(leaf)
                .node_offset(offset)
                .node_depth(node)
                .inner_hash_length(usize::from(inner))
                .last_node(janus_object::ops::truth(vm, last)?);
            let hash = Hash {
                name: $name,
                block: $block,
                state: RefCell::new(Box::new(Blake {
                    state: params.to_state(),
                    length: size as usize,
                })),
            };
            feed(&hash, data)?;
            Ok(Instance::native(&class(), hash))
        }
    };
}

blake!(
    blake2b_simd::State,
    blake2b_simd::Params,
    "blake2b",
    128,
    64,
    16,
    new_blake2b
);
blake!(
    blake2s_simd::State,
    blake2s_simd::Params,
    "blake2s",
    64,
    32,
    8,
    new_blake2s
);

macro_rules! algorithms {
    ($($name:literal => $digest:expr, $block:literal;)*) => {
        /// Every algorithm.
        const NAMES: &[&str] = &[$($name),*];

        fn start(name: &str) -> Option<Hash> {
            Some(match name {
                $($name => Hash {
                    name: $name,
                    block: $block,
                    state: RefCell::new(Box::new($digest)),
                },)*
                _ => return None,
            })
        }
    };
}

algorithms! {
    "md5" => Fixed(md5::Md5::new()), 64;
    "sha1" => Fixed(sha1::Sha1::new()), 64;
    "sha224" => Fixed(sha2::Sha224::new()), 64;
    "sha256" => Fixed(sha2::Sha256::new()), 64;
    "sha384" => Fixed(sha2::Sha384::new()), 128;
    "sha512" => Fixed(sha2::Sha512::new()), 128;
    "sha3_224" => Fixed(sha3::Sha3_224::new()), 144;
    "sha3_256" => Fixed(sha3::Sha3_256::new()), 136;
    "sha3_384" => Fixed(sha3::Sha3_384::new()), 104;
    "sha3_512" => Fixed(sha3::Sha3_512::new()), 72;
    "shake_128" => Endless(sha3::Shake128::default()), 168;
    "shake_256" => Endless(sha3::Shake256::default()), 136;
}

const METHODS: &[NativeDef] = &[
    NativeDef::method("HASH.update", update),
    NativeDef::method("HASH.digest", |vm, args| {
        Ok(Value::bytes(digest(vm, &args)?))
    }),
    NativeDef::method("HASH.hexdigest", |vm, args| {
        let hex: String = digest(vm, &args)?
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
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
    let m = module(
        "_digests",
        "",
        &[
            NativeDef::function("_digests.new", new),
            NativeDef::function("_digests.blake2b", new_blake2b),
            NativeDef::function("_digests.blake2s", new_blake2s),
        ],
    );
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

fn digest(vm: &mut dyn Vm, args: &Args<'_>) -> PyResult<Vec<u8>> {
    let hash = this(args)?;
    if hash.state.borrow().output_size() > 0 {
        args.method::<0>("digest")?;
        return Ok(hash.state.borrow().digest(0));
    }
    let length = match (args.pos, args.keyword("length")) {
        ([_, length], None) => int(vm, length)?,
        ([_], Some(length)) => int(vm, length)?,
        _ => {
            return Err(Raised::type_error(
                "digest() missing required argument 'length' (pos 1)",
            ));
        }
    };
    match usize::try_from(length) {
        Ok(length) if length < 1 << 29 => Ok(hash.state.borrow().digest(length)),
        _ => Err(Raised::value_error("value must be positive")),
    }
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
