//! Arrays that are not filled.

use bytemuck::Pod;

/// An array of `length` elements with any values, for those who write all of them before they read one: filling a large
/// array takes as long as computing it.
///
/// ```
/// let mut squares = binade_heap::any::<u64>(100);
/// (0..).zip(&mut squares).for_each(|(i, square)| *square = i * i);
/// assert_eq!(squares[99], 9801);
/// ```
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
#[must_use]
pub fn any<T: Pod>(length: usize) -> Vec<T> {
    let mut elements: Vec<T> = Vec::with_capacity(length);
    // SAFETY: there is room for them. The assembly is given the address, and may, for all that the compiler knows, have
    // written there: what it finds are initialised bytes, and any bytes are a T.
    unsafe {
        std::arch::asm!("/* {} */", in(reg) elements.as_mut_ptr(), options(nostack, preserves_flags));
        elements.set_len(length);
    }
    elements
}

/// An array of `length` elements with any values, for those who write all of them before they read one.
#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
#[must_use]
pub fn any<T: Pod>(length: usize) -> Vec<T> {
    vec![T::zeroed(); length]
}
