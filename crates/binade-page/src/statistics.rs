//! Statistics of measurements that tables and pages show.

/// The median of numbers: the mean of the two in the middle if their count is even, and NaN if there are none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers[..] {
        [] => f64::NAN,
        _ if numbers.len() % 2 == 1 => numbers[middle],
        _ => (numbers[middle - 1] + numbers[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_is_in_the_middle() {
        assert_eq!(median(vec![5.0, 1.0, 9.0]), 5.0);
        assert_eq!(median(vec![4.0, 1.0, 9.0, 2.0]), 3.0);
        assert_eq!(median(vec![f64::INFINITY, 1.0, f64::NEG_INFINITY]), 1.0);
        assert!(median(vec![]).is_nan());
    }
}
