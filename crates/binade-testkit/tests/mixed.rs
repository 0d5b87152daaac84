//! Every operation between formats of every kind, by generated cases.

use binade_testkit::against::{Both, KINDS, Tally, decoding, generated, limits};
use binade_testkit::generate::{Generator, custom_name};

#[test]
fn operations_between_formats_of_every_kind_equal_the_oracle() {
    let formats: Vec<Both> = KINDS.iter().map(|name| Both::named(name).unwrap()).collect();
    generated(&formats, 250_000, 2).assert_agreement();
}

/// Any valid combination of fields is a format.
#[test]
fn operations_on_random_custom_formats_equal_the_oracle() {
    let mut random = Generator::new(3);
    let mut tally = Tally::default();
    let mut valid = 0;
    while valid < 400 {
        let formats: Vec<Both> = (0..8).filter_map(|_| Both::named(&custom_name(&mut random)).ok()).collect();
        if formats.is_empty() {
            continue;
        }
        valid += formats.len();
        for both in &formats {
            limits(both, &mut tally);
            let codes: Vec<u64> = (0..20).map(|_| random.code(&both.oracle)).collect();
            decoding(both, codes.into_iter(), &mut tally);
        }
        tally.merge(generated(&formats, 1500, random.bits()));
    }
    tally.assert_agreement();
}

/// Wide formats only, where operands are long and cancellation is deep.
#[test]
fn operations_on_wide_formats_equal_the_oracle() {
    let formats: Vec<Both> =
        ["f64", "f32", "tf32", "uhp"].iter().map(|name| Both::named(name).unwrap()).collect();
    generated(&formats, 200_000, 4).assert_agreement();
}

/// P3109's formats beyond the listed widths, among themselves and with similar formats.
#[test]
fn wide_p3109_formats() {
    let names = "binary17p1se binary17p16sf binary20p4 binary20p20uf binary24p11se binary24p9ue binary32p24se binary32p32uf \
                 binary40p25sf binary48p40 binary56p53ue binary63p48uf binary64p48se binary64p53sf binary8p3se f32 f64";
    let formats: Vec<Both> = names.split_whitespace().map(|name| Both::named(name).unwrap()).collect();
    generated(&formats, 150_000, 6).assert_agreement();
}
