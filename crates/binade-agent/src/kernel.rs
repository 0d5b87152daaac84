//! System calls about signals, made past the C library, whose functions the agent hooks.

use std::ptr;

/// All signals, as a mask.
pub(crate) static ALL_SIGNALS: u64 = !0;

/// The bit of SIGSEGV in a mask.
pub(crate) const SEGV_BIT: u64 = 1 << (libc::SIGSEGV - 1);

/// The flag of an action that has a restorer.
pub(crate) const SA_RESTORER: u64 = 0x0400_0000;

/// The action of a signal in the kernel's layout.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct KernelAction {
    pub(crate) handler: u64,
    pub(crate) flags: u64,
    pub(crate) restorer: u64,
    pub(crate) mask: u64,
}

/// Sets the thread's signal mask and returns the old one.
pub(crate) fn set_signal_mask(mask: u64) -> u64 {
    let mut old = 0u64;
    // SAFETY: rt_sigprocmask reads `mask` and writes `old`, 8 bytes each.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const mask, &raw mut old, 8usize)
    };
    old
}

/// Sets the action for SIGSEGV, if one is given, and returns the old one.
pub(crate) fn set_segv_action(new: Option<&KernelAction>) -> KernelAction {
    let mut old = KernelAction::default();
    let new = new.map_or(ptr::null(), ptr::from_ref);
    // SAFETY: both structures have the kernel's layout, with masks of 8 bytes; `new` may be null.
    unsafe { libc::syscall(libc::SYS_rt_sigaction, libc::SIGSEGV, new, &raw mut old, 8usize) };
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_signal_mask_returns_the_mask_before() {
        let before = set_signal_mask(SEGV_BIT);
        assert_eq!(set_signal_mask(before), SEGV_BIT);
    }

    #[test]
    fn set_segv_action_without_new_changes_nothing() {
        let first = set_segv_action(None);
        assert_eq!(set_segv_action(None).handler, first.handler);
    }
}
