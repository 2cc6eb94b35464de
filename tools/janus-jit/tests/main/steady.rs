//! Which constructs stay in tier 2: programs of `test/programs` whose hot loop, or what it calls, was once kept out.

use crate::support::{Dir, repository};

/// A program, a line of its hot loop or function, and how many of its entries may be interpreted.
const STEADY: &[(&str, u64, u64)] = &[
    // Sets that live outside.
    ("types_sets_kept", 28, 45),
    // `|` of dicts, `%` with a float and an int.
    ("types_merged_dicts", 19, 10),
    ("types_round_and_text", 18, 20),
    // Text repeated by an int that moves, a slice of text.
    ("types_fstrings", 18, 20),
    // It has more ways through it than there may be versions.
    ("types_string_keys", 22, 60),
    // The entries of `__dict__`.
    ("state_vars_of_objects", 23, 20),
    // Recursion over objects, with its gradient.
    ("calls_recursion_children", 30, 20),
    ("calls_recursion_tuples", 19, 20),
    ("grad_recursion_tree", 60, 20),
    ("grad_recursion_state", 31, 10),
    // Words as text, nodes as dicts; trees that are made anew at each step; state that is kept on the nodes.
    ("recursion_texts", 54, 15),
    ("recursion_dicts", 41, 15),
    ("recursion_made_anew", 57, 10),
    ("recursion_keeps_state", 60, 15),
    ("recursion_keeps_state", 105, 15),
    // Any number of children; a list that all nodes append to, and parameters that some trees do not use.
    ("grad_recursion_children", 49, 15),
    ("grad_recursion_outputs", 68, 10),
    // One of several tensors, or None, from a function with several returns.
    ("flow_choice_of_returns", 19, 20),
    // The user's own `torch.autograd.Function`s, forward and backward.
    ("grad_functions_in_steps", 73, 10),
    ("grad_functions_in_steps", 82, 10),
    // A policy gradient: lists of an object that begin empty, and one that gets items before its first one.
    ("grown_in_front", 89, 8),
    // An actor-critic whose state is the list of its environment.
    ("flow_actor_critic", 86, 12),
    // A list in whose place one side of a branch puts another one.
    ("branch_replaced_lists", 123, 15),
    // Names and gradients that one side of a branch sets: gradients added up over several steps.
    ("set_on_one_side", 7, 10),
    ("set_on_one_side", 77, 10),
    // A backward on one side of a branch, whose graph leaves.
    ("backward_on_a_side", 36, 8),
    ("backward_on_a_side", 60, 8),
    // The best state so far is kept by deepcopy, and snapshots of nested data.
    ("copies_of_state", 9, 6),
    ("copies_of_state", 22, 6),
    // Counters under ints that the graph computes.
    ("counts_by_key", 39, 14),
    // Episodes of unknown length: lists that grow side by side.
    ("loops_episodes", 39, 8),
    // Lists whose length is another one at each call.
    ("lists_of_moving_length", 13, 4),
    ("lists_of_moving_length", 20, 6),
    ("lists_of_moving_length", 27, 6),
    ("lists_of_moving_length", 35, 6),
    ("lists_of_moving_length", 41, 6),
    ("lists_of_moving_length", 60, 6),
    // Draws from generator objects.
    ("state_own_generators", 23, 6),
    // Functions made in the loop that outlive it.
    ("functions_made", 13, 6),
    ("functions_made", 25, 12),
    // Text that branches decide on, as keys, in parts and joined; bounds from either end.
    ("texts_decided", 15, 6),
    ("slices_from_either_end", 22, 12),
    // The states of an RNN, kept after their backward, and lengths in a set.
    ("states_kept", 31, 10),
    // Text that a branch replaces, and views that one side makes.
    ("merged_texts_and_views", 8, 10),
    ("merged_texts_and_views", 48, 10),
    ("merged_texts_and_views", 62, 10),
    // The first and the last of rows whose number moves.
    ("extents_first_and_last", 20, 6),
    ("extents_first_and_last", 28, 10),
    ("extents_first_and_last", 40, 6),
    // Loops over rows that are left early, out of several loops at once.
    ("search_loops", 59, 8),
    ("search_loops", 62, 8),
    ("search_loops", 71, 8),
    ("search_loops", 74, 8),
    // Logs that some steps append to, and whose last entry is read.
    ("logs_read_back", 31, 10),
    // Extents that are drawn, and padding to the longest.
    ("extents_drawn", 29, 10),
    // Sums of lists from outside.
    ("list_folds", 34, 10),
    // A name that is set where a loop is left.
    ("loop_set_at_break", 24, 10),
    ("ints_among_ints", 33, 12),
    ("format_method", 58, 10),
    ("window_generate", 49, 8),
    // Each iteration of a `while` enters compiled code, and none is left to tier 0 in between.
    ("loops_while_again", 7, 20),
    // Lists that are added, in a loop and from one entry to the next; lists of lists that are padded.
    ("containers_joined_lists", 19, 10),
    ("containers_joined_lists", 30, 10),
    ("containers_padded_batches", 23, 10),
    // Tuples in a dict, and items of sequences, under ints and tensors that the graph computes.
    ("containers_moves", 34, 8),
    ("containers_tensor_indexes", 36, 8),
    ("scalars_moving_powers", 17, 8),
    // A loss that is added up in place from one iteration to the next.
    ("grad_accumulated_in_place", 10, 8),
    // Generators from outside: what lies between two yields.
    ("generators_between_yields", 10, 14),
    ("generators_between_yields", 24, 6),
    // Objects that each iteration makes anew.
    ("loops_objects_made_anew", 45, 6),
    ("loops_objects_made_anew", 75, 6),
    // `reversed` of ranges.
    ("loops_reversed", 31, 6),
    // A loop whose condition has several parts.
    ("loops_while_conditions", 101, 6),
    // Lists that grow and are read whole, or that are windows.
    ("lists_histories", 35, 5),
    ("lists_histories", 46, 6),
    ("lists_histories", 59, 20),
    // Slices with known bounds of what moves; a callee that is replaced.
    ("tensors_slices_known_bounds", 28, 8),
    ("calls_replaced_by_partial", 34, 6),
    // topk by an int that moves.
    ("ops_topk_moving", 21, 6),
    // Branches on floats that are settings.
    ("branches_by_settings", 17, 6),
    // Items replaced at a position that moves.
    ("lists_replaced_items", 85, 14),
    ("lists_replaced_items", 118, 6),
];

#[test]
fn hot_loops_stay_in_tier_2() {
    for (program, line, interpreted) in STEADY {
        let dir = Dir::new();
        let script = repository(&format!("test/programs/{program}.py"));
        let flags = ["--compile", "sync", "--profiled", "3", "--cache", "off"];
        let (ran, stats) = dir.stats(&flags, &script);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let regions = stats["regions"].as_array().unwrap();
        let found = regions
            .iter()
            .find(|r| r["line"] == *line && r["file"] == *script.to_string_lossy());
        let region = found.unwrap_or_else(|| panic!("no region at line {line} of {program}"));
        let in_tier_0 = region["entries_by_tier"]["0"].as_u64().unwrap();
        assert!(in_tier_0 <= *interpreted, "{program}: {region}");
    }
}
