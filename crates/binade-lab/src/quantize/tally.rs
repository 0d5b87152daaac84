//! Converts the counts of the kernels to the losses of a report.

use binade::Flags;
use binade_kernels::Tally;

use super::Losses;

/// The losses of a tally.
pub(super) fn losses(tally: &Tally) -> Losses {
    let raised = |flag: Flags| {
        let sets =
            tally.flags.iter().enumerate().filter(|(bits, _)| Flags::from_bits(*bits as u8).contains(flag));
        sets.map(|(_, count)| count).sum()
    };
    Losses {
        elements: tally.flags.iter().sum(),
        not_finite: tally.not_finite,
        lost: tally.lost,
        nan: tally.nan,
        // Set by the caller: the format determines which Invalid results are NaNs that became finite.
        from_nan: 0,
        invalid: raised(Flags::INVALID),
        overflow: raised(Flags::OVERFLOW),
        underflow: raised(Flags::UNDERFLOW),
        to_zero: tally.to_zero,
        inexact: raised(Flags::INEXACT),
        mean_square: tally.measures.mean_square(),
        max_abs: tally.measures.max_abs,
        sqnr_db: tally.measures.sqnr_db(),
    }
}
