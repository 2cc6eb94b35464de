//! From an analysed program to Cranelift's IR.
//!
//! In: [`Program`]. Out: [`Functions`], and the tables that their code refers to. Always: one module per region.

use std::sync::Arc;

use cranelift_codegen::Context;
use cranelift_codegen::ir::types::{F64, I8, I64};
use cranelift_codegen::ir::{AbiParam, InstBuilder, MemFlagsData as MemFlags, Signature, Type};
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_codegen::settings::{self, Configurable as _};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module as _, default_libcall_names};

use crate::emit::{Emitter, Imports, Tables, V, entry_depth, first_type};
use crate::generate::{Functions, Owned};
use crate::kind::Kind;
use crate::layout::{Layout, SLOTS, measure, word};
use crate::program::{Form, Program, Unit};
use crate::{Refused, RefusedFor, runtime};

/// Calls `$m!` with the functions that generated code calls: name, types of the parameters and of
/// the results.
macro_rules! for_each_helper {
    ($m:ident) => {
        $m! {
            (ListAppend list_append, [I64, I64, I64], []),
            (ListNew list_new, [], [I64]),
            (ListRepeat list_repeat, [I64, I64], [I64]),
            (DropLast drop_last, [I64, I64], [I8]),
            (InstanceNew instance_new, [I64, I64], [I64]),
            (AttrAppend attr_append, [I64, I64, I64, I64, I64, I64, I64], [I64]),
            (Build build, [I64, I64], [I64]),
            (Contains contains, [I64, I64, I64, I64], [I64]),
            (Length length, [I64, I64], [I64]),
            (Truth truth, [I64, I64], [I64]),
            (CompareStr compare_str, [I64, I64, I64], [I64]),
            (Ord ord, [I64, I64], [I64]),
            (Chr chr, [I64], [I64]),
            (TypeOf type_of, [I64, I64], [I64]),
            (StrItem str_item, [I64, I64], [I64]),
            (DictGet dict_get, [I64, I64, I64, I64], [I64]),
            (DictSet dict_set, [I64, I64, I64, I64, I64], [I64, I64]),
            (GlobalGet global_get, [I64, I64, I64], [I64, I64]),
            (Settle settle, [I64, I64, I64], [I64]),
            (CellVersion cell_version, [I64, I64, I64], [I64]),
            (GlobalSet global_set, [I64, I64, I64, I64], [I64, I64]),
            (NameSet name_set, [I64, I64, I64, I64, I64], []),
            (NameIs name_is, [I64, I64, I64, I64, I64], [I64]),
            (Arrive arrive, [I64, I64, I64], [I64]),
            (Generic generic, [I64, I64], [I64, I64]),
            (Effect effect, [I64, I64, I64, I64], [I64]),
            (NextSimple next_simple, [I64, I64, I64, I64], [I64]),
            (SendSimple send_simple, [I64, I64, I64, I64, I64], [I64]),
            (NextPair next_pair, [I64, I64, I64], [I64]),
            (Hypot hypot, [F64, F64], [F64]),
            (Pow pow, [F64, F64], [F64]),
            (CalleeExit callee_exit, [I64, I64, I64, I64, I64], [I64]),
        }
    };
}

macro_rules! helper_names {
    ($(($helper:ident $name:ident, [$($param:ident),*], [$($result:ident),*]),)*) => {
        /// A function that generated code calls; see the function of this name in
        /// [`crate::runtime`].
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Helper { $($helper,)* }
    };
}
for_each_helper!(helper_names);

/// Addresses that are set aside for the code of one region; memory is taken for what is used of them.
const CODE_SPACE: usize = 16 << 20;

/// The machine that code is generated for.
pub(crate) struct Lowering {
    isa: OwnedTargetIsa,
    builder: FunctionBuilderContext,
    layout: Layout,
}

pub(crate) fn failed(what: impl std::fmt::Display) -> Refused {
    Refused::new(format!("the code generator failed: {what}"), 0).of(RefusedFor::Defect)
}

impl Lowering {
    pub fn new() -> Result<Lowering, Refused> {
        let mut flags = settings::builder();
        for (name, value) in [
            ("opt_level", "speed"),
            ("is_pic", "false"),
            (
                "enable_verifier",
                if cfg!(debug_assertions) {
                    "true"
                } else {
                    "false"
                },
            ),
            ("use_colocated_libcalls", "false"),
        ] {
            flags.set(name, value).map_err(failed)?;
        }
        let isa = cranelift_native::builder()
            .map_err(failed)?
            .finish(settings::Flags::new(flags))
            .map_err(failed)?;
        Ok(Lowering {
            isa,
            builder: FunctionBuilderContext::new(),
            layout: measure().ok_or_else(|| failed("objects lie differently"))?,
        })
    }

    /// The functions of a program, and their text if somebody `shows` it.
    pub fn lower(
        &mut self,
        program: &Program,
        shows: bool,
    ) -> Result<(Functions, Tables, String), Refused> {
        let mut jit = JITBuilder::with_isa(Arc::clone(&self.isa), default_libcall_names());
        // Functions that call each other, and their constants, have to lie within reach.
        let memory = ArenaMemoryProvider::new_with_size(CODE_SPACE).map_err(failed)?;
        jit.memory_provider(Box::new(memory));
        macro_rules! symbols {
            ($(($helper:ident $name:ident, [$($param:ident),*], [$($result:ident),*]),)*) => {
                $(jit.symbol(concat!("janus_", stringify!($name)), runtime::$name as *const u8);)*
            };
        }
        for_each_helper!(symbols);
        let mut module = Owned::new(JITModule::new(jit));
        let mut tables = Tables::default();
        let mut bodies = Vec::new();
        let built = self.build(program, module.get()?, &mut tables, &mut bodies);
        let entry = built.inspect_err(|_| {
            // A function may have been left half built.
            self.builder = FunctionBuilderContext::new();
        })?;
        // What a function is entered by is no part of the text.
        let units = bodies.iter().take(program.units.len());
        let text = match shows {
            true => units.map(|(_, b)| b.func.display().to_string()).collect(),
            false => String::new(),
        };
        Ok((Functions::new(module, bodies, entry), tables, text))
    }

    fn build(
        &mut self,
        program: &Program,
        module: &mut JITModule,
        tables: &mut Tables,
        bodies: &mut Vec<(FuncId, Context)>,
    ) -> Result<FuncId, Refused> {
        let mut ids = Vec::new();
        for (at, unit) in program.units.iter().enumerate() {
            let signature = signature_of(module, unit);
            let name = format!("{}_{at}", unit.code.code.name);
            ids.push(
                module
                    .declare_function(&name, Linkage::Local, &signature)
                    .map_err(failed)?,
            );
        }
        let helpers = declare_helpers(module)?;
        for (at, (unit, id)) in program.units.iter().zip(&ids).enumerate() {
            let mut context = module.make_context();
            context.func.signature = signature_of(module, unit);
            let mut b = FunctionBuilder::new(&mut context.func, &mut self.builder);
            let block = b.create_block();
            b.append_block_params_for_function_params(block);
            b.switch_to_block(block);
            let params = b.block_params(block).to_vec();
            let Some((&ctx, rest)) = params.split_first() else {
                return Err(failed("no context"));
            };
            let (depth, mut rest) = match rest.split_first() {
                Some((&depth, rest)) => (depth, rest.iter().copied()),
                None => (entry_depth(&mut b, ctx), [].iter().copied()),
            };
            let mut at_word = SLOTS;
            let mut entry = |b: &mut FunctionBuilder<'_>, kind: &Kind| {
                let leaves = kind.types().into_iter().map(|ty| match unit.form {
                    Form::Function => rest.next().ok_or_else(|| failed("parameters")),
                    Form::Loop(_) | Form::Generator => {
                        at_word += 1;
                        Ok(b.ins()
                            .load(ty, MemFlags::trusted(), ctx, word(at_word - 1)))
                    }
                });
                Ok::<V, Refused>(V::new(kind.clone(), leaves.collect::<Result<_, _>>()?))
            };
            // What a suspended frame holds is read where it goes on.
            let (locals, stack) = match unit.form {
                Form::Generator => (&[][..], &[][..]),
                Form::Function | Form::Loop(_) => {
                    (unit.entry.locals.as_slice(), unit.entry.stack.as_slice())
                }
            };
            let locals = locals
                .iter()
                .map(|k| entry(&mut b, k))
                .collect::<Result<Vec<_>, _>>()?;
            let stack = stack
                .iter()
                .map(|k| entry(&mut b, k))
                .collect::<Result<Vec<_>, _>>()?;
            let cells = rest.next().filter(|_| unit.takes_cells);
            let imports = Imports::new(&mut *module, &helpers, &ids);
            let mut emitter = Emitter::new(
                program,
                at,
                &mut b,
                tables,
                imports,
                self.layout,
                ctx,
                depth,
            );
            emitter.cells = cells;
            match unit.form {
                Form::Generator => emitter.generator_body()?,
                Form::Function | Form::Loop(_) => emitter.body(locals, stack)?,
            }
            b.seal_all_blocks();
            b.finalize(module.target_config());
            bodies.push((*id, context));
        }
        let (Some(main), Some(&id)) = (program.units.first(), ids.first()) else {
            return Err(failed("no unit"));
        };
        match main.form {
            Form::Loop(_) | Form::Generator => Ok(id),
            Form::Function => {
                let (id, context) = self.wrapper(module, main, id, tables)?;
                bodies.push((id, context));
                Ok(id)
            }
        }
    }

    /// The entry of a function region: arguments out of the context, the result into it.
    fn wrapper(
        &mut self,
        module: &mut JITModule,
        unit: &Unit,
        target: FuncId,
        tables: &mut Tables,
    ) -> Result<(FuncId, Context), Refused> {
        let mut context = module.make_context();
        context.func.signature.params.push(AbiParam::new(I64));
        context.func.signature.returns.push(AbiParam::new(I64));
        let id = module
            .declare_function("enter", Linkage::Local, &context.func.signature)
            .map_err(failed)?;
        let target = module.declare_func_in_func(target, &mut context.func);
        let mut b = FunctionBuilder::new(&mut context.func, &mut self.builder);
        let block = b.create_block();
        b.append_block_params_for_function_params(block);
        b.switch_to_block(block);
        let Some(&ctx) = b.block_params(block).first() else {
            return Err(failed("no context"));
        };
        let mut args = vec![ctx, entry_depth(&mut b, ctx)];
        let cells = unit.takes_cells.then_some(I64);
        for (at, ty) in (SLOTS..).zip(parameters(unit).into_iter().chain(cells)) {
            args.push(b.ins().load(ty, MemFlags::trusted(), ctx, word(at)));
            tables.words = tables.words.max(at + 1);
        }
        let call = b.ins().call(target, &args);
        let results = b.inst_results(call).to_vec();
        let Some(&status) = results.first() else {
            return Err(failed("no status"));
        };
        if let Some(&result) = results.get(1) {
            // An exit has written there what the frame is to get, and a function that returned so its result.
            let (store, done) = (b.create_block(), b.create_block());
            b.ins().brif(status, done, &[], store, &[]);
            b.switch_to_block(store);
            b.ins().store(MemFlags::trusted(), result, ctx, word(SLOTS));
            b.ins().jump(done, &[]);
            b.switch_to_block(done);
        }
        b.ins().return_(&[status]);
        b.seal_all_blocks();
        b.finalize(module.target_config());
        tables.words = tables.words.max(SLOTS + 1);
        Ok((id, context))
    }
}

/// Machine types of a function's parameters.
fn parameters(unit: &Unit) -> Vec<Type> {
    let mut types = Vec::new();
    unit.entry.locals.iter().for_each(|k| k.leaves(&mut types));
    types
}

fn signature_of(module: &JITModule, unit: &Unit) -> Signature {
    let mut signature = module.make_signature();
    signature.params.push(AbiParam::new(I64));
    signature.returns.push(AbiParam::new(I64));
    if unit.form == Form::Function {
        signature.params.push(AbiParam::new(I64));
        signature
            .params
            .extend(parameters(unit).into_iter().map(AbiParam::new));
        if unit.takes_cells {
            signature.params.push(AbiParam::new(I64));
        }
        signature
            .returns
            .extend(first_type(unit.result.as_ref()).map(AbiParam::new));
    }
    signature
}

/// Declares the helpers, in the order of [`Helper`].
fn declare_helpers(module: &mut JITModule) -> Result<Vec<FuncId>, Refused> {
    let mut helper = |name: &str, params: &[Type], results: &[Type]| {
        let mut signature = module.make_signature();
        let param = |ty: &Type| AbiParam::new(*ty);
        signature.params.extend(params.iter().map(param));
        signature.returns.extend(results.iter().map(param));
        module
            .declare_function(name, Linkage::Import, &signature)
            .map_err(failed)
    };
    macro_rules! helpers {
        ($(($helper:ident $name:ident, [$($param:ident),*], [$($result:ident),*]),)*) => {
            vec![$(helper(concat!("janus_", stringify!($name)), &[$($param),*], &[$($result),*])?,)*]
        };
    }
    Ok(for_each_helper!(helpers))
}
