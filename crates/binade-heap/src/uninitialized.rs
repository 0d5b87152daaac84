//! Uninitialised arrays that are safe to use.

use bytemuck::Pod;

/// An array of `length` elements with arbitrary values, for callers that write all elements before they read one.
/// Filling a large array takes as long as computing it.
///
/// ```
/// let mut squares = binade_heap::uninitialized::<u64>(100);
/// (0..).zip(&mut squares).for_each(|(i, square)| *square = i * i);
/// assert_eq!(squares[99], 9801);
/// ```
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[must_use]
pub fn uninitialized<T: Pod>(length: usize) -> Vec<T> {
    let mut elements: Vec<T> = Vec::with_capacity(length);
    // SAFETY: the vector has capacity for them. The assembly receives the address, so for the compiler it may have
    // written there. The bytes that are found count as initialised, and any bytes are a valid T.
    unsafe {
        std::arch::asm!("/* {} */", in(reg) elements.as_mut_ptr(), options(nostack, preserves_flags));
        elements.set_len(length);
    }
    elements
}

/// An array of `length` elements with arbitrary values, for callers that write all elements before they read one.
#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
#[must_use]
pub fn uninitialized<T: Pod>(length: usize) -> Vec<T> {
    vec![T::zeroed(); length]
}
