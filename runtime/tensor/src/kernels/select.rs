//! Orders that are only needed in part.
//!
//! In: numbers with their indices, and a strict order. Out: the same, the first ones or the k-th one in place. Always:
//! which of equal elements comes first is what PyTorch's CPU kernels make of it: introselect with the median of three,
//! heapsort of a short head (as C++ libraries have `nth_element`, `partial_sort` and `sort`), and Hoare's selection
//! around the median of three with a pivot that moves to the front.

/// Of two elements, whether the first one comes before the other.
pub(crate) trait Order<T>: Fn(&T, &T) -> bool {}
impl<T, F: Fn(&T, &T) -> bool> Order<T> for F {}

/// Below so many elements, insertion sorts.
const FEW: usize = 16;

fn depth_limit(n: usize) -> u32 {
    2 * n.checked_ilog2().unwrap_or(0)
}

/// Moves the hole at `hole` down to where `value` belongs in the heap.
fn sift<T: Copy>(heap: &mut [T], mut hole: usize, value: T, less: &impl Order<T>) {
    let (top, n) = (hole, heap.len());
    let mut child = hole;
    while child < n.saturating_sub(1) / 2 {
        child = 2 * (child + 1);
        if less(&heap[child], &heap[child - 1]) {
            child -= 1;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    if n.is_multiple_of(2) && n >= 2 && child == (n - 2) / 2 {
        child = 2 * (child + 1);
        heap[hole] = heap[child - 1];
        hole = child - 1;
    }
    while hole > top {
        let parent = (hole - 1) / 2;
        if !less(&heap[parent], &value) {
            break;
        }
        heap[hole] = heap[parent];
        hole = parent;
    }
    heap[hole] = value;
}

/// Brings the first `k` to the front, as a heap.
fn heap_select<T: Copy>(all: &mut [T], k: usize, less: &impl Order<T>) {
    let (heap, rest) = all.split_at_mut(k);
    for parent in (0..k / 2).rev() {
        sift(heap, parent, heap[parent], less);
    }
    for x in rest {
        if let Some(&largest) = heap.first()
            && less(x, &largest)
        {
            let value = std::mem::replace(x, largest);
            sift(heap, 0, value, less);
        }
    }
}

fn sort_heap<T: Copy>(heap: &mut [T], less: &impl Order<T>) {
    for n in (1..heap.len()).rev() {
        let value = heap[n];
        heap[n] = heap[0];
        sift(&mut heap[..n], 0, value, less);
    }
}

/// The first `k` of all, in order.
fn partial_sort<T: Copy>(all: &mut [T], k: usize, less: &impl Order<T>) {
    heap_select(all, k, less);
    sort_heap(&mut all[..k], less);
}

/// Puts the element at `i` where it belongs among those before it, one of which is not behind it.
fn insert<T: Copy>(all: &mut [T], mut i: usize, less: &impl Order<T>) {
    let value = all[i];
    while i > 0 && less(&value, &all[i - 1]) {
        all[i] = all[i - 1];
        i -= 1;
    }
    all[i] = value;
}

fn insertion_sort<T: Copy>(all: &mut [T], less: &impl Order<T>) {
    for i in 1..all.len() {
        insert(all, i, less);
    }
}

/// Splits at the median of the second, the middle and the last element; where the second part begins.
fn partition<T: Copy>(all: &mut [T], less: &impl Order<T>) -> usize {
    let (a, b, c) = (1, all.len() / 2, all.len() - 1);
    let before = |i: usize, j: usize| less(&all[i], &all[j]);
    let median = if before(a, b) {
        if before(b, c) {
            b
        } else if before(a, c) {
            c
        } else {
            a
        }
    } else if before(a, c) {
        a
    } else if before(b, c) {
        c
    } else {
        b
    };
    all.swap(0, median);
    let pivot = all[0];
    let (mut i, mut j) = (1, all.len());
    loop {
        while i < all.len() && less(&all[i], &pivot) {
            i += 1;
        }
        j -= 1;
        while j > 0 && less(&pivot, &all[j]) {
            j -= 1;
        }
        if i >= j {
            return i;
        }
        all.swap(i, j);
        i += 1;
    }
}

/// Brings the element number `k` to its place, what is before it to its left.
fn nth_element<T: Copy>(mut all: &mut [T], mut k: usize, less: &impl Order<T>) {
    if k >= all.len() {
        return;
    }
    let mut depth = depth_limit(all.len());
    while all.len() > 3 {
        if depth == 0 {
            heap_select(all, k + 1, less);
            all.swap(0, k);
            return;
        }
        depth -= 1;
        let cut = partition(all, less);
        let (left, right) = all.split_at_mut(cut);
        if cut <= k {
            k -= cut;
            all = right;
        } else {
            all = left;
        }
    }
    insertion_sort(all, less);
}

fn sort_coarsely<T: Copy>(mut all: &mut [T], mut depth: u32, less: &impl Order<T>) {
    while all.len() > FEW {
        if depth == 0 {
            return partial_sort(all, all.len(), less);
        }
        depth -= 1;
        let cut = partition(all, less);
        let (left, right) = all.split_at_mut(cut);
        sort_coarsely(right, depth, less);
        all = left;
    }
}

/// All in order.
pub(crate) fn sort<T: Copy>(all: &mut [T], less: &impl Order<T>) {
    sort_coarsely(all, depth_limit(all.len()), less);
    insertion_sort(all, less);
}

/// The first `k`, as `topk` finds them, in order if `in_order`.
pub(crate) fn top<T: Copy>(all: &mut [T], k: usize, in_order: bool, less: &impl Order<T>) {
    let k = k.min(all.len());
    if k.saturating_mul(64) <= all.len() {
        return partial_sort(all, k, less);
    }
    nth_element(all, k - 1, less);
    if in_order {
        sort(&mut all[..k - 1], less);
    }
}

/// Brings the element number `k` to its place, as `kthvalue` does.
pub(crate) fn kth<T: Copy>(all: &mut [T], k: usize, less: &impl Order<T>) {
    let (mut left, mut right) = (0, all.len().saturating_sub(1));
    while left < right {
        let behind = |all: &[T], i: usize, j: usize| less(&all[j], &all[i]);
        if right == left + 1 {
            if behind(all, left, right) {
                all.swap(left, right);
            }
            return;
        }
        all.swap(left + (right - left) / 2, left + 1);
        for (i, j) in [(left + 1, right), (left, right), (left + 1, left)] {
            if behind(all, i, j) {
                all.swap(i, j);
            }
        }
        let pivot = all[left];
        let (mut i, mut j) = (left + 1, right);
        loop {
            i += 1;
            while i < right && less(&all[i], &pivot) {
                i += 1;
            }
            j -= 1;
            while j > left && less(&pivot, &all[j]) {
                j -= 1;
            }
            if j < i {
                break;
            }
            all.swap(i, j);
        }
        all.swap(left, j);
        if j <= k {
            left = i;
        }
        if j >= k {
            right = j.saturating_sub(1);
        }
    }
}
