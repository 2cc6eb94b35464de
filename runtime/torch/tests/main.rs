//! Torch programs against what PyTorch printed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::{Path, PathBuf};

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/programs/torch")
}

/// One program that must print what its `.out` says, recorded from PyTorch.
fn check(name: &str) {
    let path = programs().join(format!("{name}.py"));
    let want = std::fs::read_to_string(path.with_extension("out")).unwrap();
    let printed = support::run(&path);
    if printed.code != 0 {
        panic!("{name} failed:\n{}\nafter:\n{}", printed.err, printed.out);
    }
    if let Some(difference) = support::difference(&printed.out, &want) {
        panic!("{name}:\n{difference}");
    }
}

macro_rules! programs {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check(concat!("torch_", stringify!($name))); })*

        /// Every program is in the list above.
        #[test]
        fn list_is_complete() {
            let listed = [$(concat!("torch_", stringify!($name), ".py")),*];
            for entry in std::fs::read_dir(programs()).unwrap() {
                let name = entry.unwrap().file_name().into_string().unwrap();
                if name.starts_with("torch_") && name.ends_with(".py") {
                    assert!(listed.contains(&&*name), "{name} is not listed");
                }
            }
        }
    };
}

programs! {
    activations activations_in_place arguments arithmetic assigned_overlap attention autocast autograd autograd_function bicubic broadcast
    charrnn cholesky choices clip conv conv_of_small_images corners_of_numbers creation data distributed_one distributions
    code_in_several_namespaces complex_functions complex_gradients complex_modules distributions_more distributions_support dropout dtype_pairs fft flags_for_ints flags_that_move func func_transforms function_overrides functions_marked_dirty fx_graphs gan gather getattr_hooks gpt gradients_of_flat_parts gradients_through_flat_parts half histc hooks_more hooks_of_all_modules indexing init inplace kept_results layouts_of_indexing unsigned
    linalg_solve load_files losses matrix_factors names_of_packages functions_by_integrals safetensors masked_changes matmul memory_order memory_format misc modules_that_scripts_import more_in_graphs new_tensors no_grad_views nn_linear nn_module nn_more norms norms_of_matrices
    older_arguments optim_adam optim_lbfgs optim_more optim_sgd packed packed_directions parametrize parts_and_outs state_of_python written_through_aliases corners_of_gradients penalty_of_gradients pool pool_windows printing
    promotion pytree random rearrange reduce refused_by_kind refused_corners rl rnn samplers save_load saved_by_functions scans scatter_more schedulers shapes sharding_settings
    bits_seen_before_writes class_made_in_function extents_from_elements functions_of_one_tensor_twice hooks_while_hot identity_of_values index_copy_refused names_change_places order_of_effects parts_of_lengths_that_move words_of_sizes
    special_functions strides_of_results sync_batch_norm tensorboard train_regression train_xor transformer trigonometry triangular_systems vae versions_merge versions_of_sides views_of_parts warnings
    zero_signs distributions_all gradcheck images_of_ints lstm_projections names_of_functions numbers_over_tensors results_changed_in_place targets_of_classes modules_lazy_rest names_in_place norms_by_singular_values pools_undone sparse_coo argument_types loss_dtypes index_overlap complex_systems foreach
    segments forward_ad pathwise sparse_in_place signs_of_vectors meta_device flop_counter floats_of_16_bits_apart tangents_without_gradients argument_names windows_refused out_of_other_dtypes rows_turned_and_resized choices_by_tensors
    kept_for_backward repeated_values checked_arguments assert_close schedulers_in_sequence loader_without_batches sparse_elements
    hooks_of_saved_tensors nodes_of_the_tape checkpoint_again checkpoint_trains batched_gradients sparse_embeddings sparse_rows sobol compiled_modules
    profiled save_older set_memory transforms_of_closures categories_of_texts
    prioritized_replay storages_made
    gradients_of_rows_in_loops new_without_init profiler_operators numpy_arithmetic_in_graphs warnings_given_before
    windows_of_no_extent operands_that_do_not_fit operands_of_numpys_bool sums_of_ints_with_gradients
}

#[test]
fn the_example_prints_what_pytorch_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/digits_mlp.py");
    let want = std::fs::read_to_string(path.with_extension("out")).unwrap();
    let printed = support::run(&path);
    assert_eq!(printed.code, 0, "{}", printed.err);
    assert_eq!(support::difference(&printed.out, &want), None);
}

#[test]
fn comparing_allows_rounding_and_nothing_else() {
    assert_eq!(
        support::difference("loss 1.23456 at 7\n", "loss 1.23457 at 7\n"),
        None
    );
    assert_eq!(
        support::difference("[ 1.5000,  2.0]", "[1.5000, 2.0]"),
        None
    );
    assert!(support::difference("loss 1.234", "loss 1.334").is_some());
    assert!(support::difference("step 3", "step 4").is_some());
    assert!(support::difference("float32", "float64").is_some());
    assert!(support::difference("a", "a b").is_some());
}
