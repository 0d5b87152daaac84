//! `matmul`, element by element, compared with the plain definition of a dot product.

mod common;

use std::path::Path;

use binade_files::ElementType;
use binade_fma::reference;
use binade_lab::matmul::{Operand, Options, Report, run};
use binade_lab::{Error, Silent};
use common::*;

fn options(a: &Path, b: &Path, operator: &str, order: &str) -> Options {
    Options {
        a: Operand::new(a, None),
        b: Operand::new(b, None),
        add: None,
        blocks: None,
        operator: operator.parse().unwrap(),
        order: order.parse().unwrap(),
        seed: 0,
        threads: None,
        force: true,
    }
}

fn multiply(output: &Path, options: &Options) -> Result<Report, Error> {
    run(output, options, &Silent)
}

/// One product by the definition: rows of A by columns of B, added to C.
fn define(options: &Options, (m, k, n): (usize, usize, usize), a: &[f32], b: &[f32], c: &mut [f32]) {
    for row in 0..m {
        for column in 0..n {
            let right: Vec<f32> = (0..k).map(|i| b[i * n + column]).collect();
            let sum = &mut c[row * n + column];
            *sum = reference::dot(&options.operator, options.order, &a[row * k..][..k], &right, *sum);
        }
    }
}

fn assert_same(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
        assert!(same, "{what} element {at}: {found} where {expected} is right");
    }
}

#[test]
fn product_of_every_operator_and_order_equals_the_definition() {
    let folder = Folder::new();
    let (m, k, n) = (13, 37, 11);
    let values = weights(m * k + k * n + n);
    let (a, rest) = values.split_at(m * k);
    let (b, bias) = rest.split_at(k * n);
    let paths = [
        folder.npy_f32("a.npy", &[m as u64, k as u64], a),
        folder.npy_f32("b.npy", &[k as u64, n as u64], b),
        folder.npy_f32("c.npy", &[n as u64], bias),
    ];
    let output = folder.path("out.npy");
    for operator in
        ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:f32", "cfloat8_1_4_3@bias=7:bf16"]
    {
        for order in ["sequential", "pairwise", "blocked:5", "aligned:16,14", "exact"] {
            let mut options = options(&paths[0], &paths[1], operator, order);
            if multiply(&output, &options).is_err() {
                // Not every operator supports every order.
                assert!(binade_fma::Multiplier::new(options.operator, options.order).is_err());
                continue;
            }
            let mut plain = vec![0.0; m * n];
            define(&options, (m, k, n), a, b, &mut plain);
            assert_same(&f32s(&bytes(&output, "")), &plain, &format!("{operator} {order}"));
            // From one row of C for all, on any number of threads.
            options.add = Some(Operand::new(&paths[2], None));
            let mut sums: Vec<f32> = (0..m * n).map(|at| bias[at % n]).collect();
            define(&options, (m, k, n), a, b, &mut sums);
            for threads in [1, 3] {
                options.threads = Some(threads);
                let report = multiply(&output, &options).unwrap();
                assert_eq!((report.shape, report.steps), (vec![m as u64, n as u64], (m * k * n) as u128));
                assert_same(&f32s(&bytes(&output, "")), &sums, &format!("{operator} {order}, onto C"));
            }
        }
    }
}

#[test]
fn batches_are_broadcast() {
    let folder = Folder::new();
    let (m, k, n) = (3, 4, 5);
    let a = weights(2 * 3 * m * k);
    let b = weights(3 * k * n);
    let output = folder.path("out.npy");
    let a_path = folder.npy_f32("a.npy", &[2, 3, m as u64, k as u64], &a);
    for (name, shape, of_b) in
        [("each", &[3, 4, 5][..], [0, 1, 2]), ("one", &[1, 4, 5], [0; 3]), ("none", &[4, 5], [0; 3])]
    {
        let count = shape.iter().product::<u64>() as usize;
        let b_path = folder.npy_f32(&format!("{name}.npy"), shape, &b[..count]);
        let options = options(&a_path, &b_path, "bf16:f32", "sequential");
        let report = multiply(&output, &options).unwrap();
        assert_eq!(report.shape, [2, 3, 3, 5], "{name}");
        let mut expected = vec![0.0; 6 * m * n];
        for (index, sums) in expected.chunks_mut(m * n).enumerate() {
            define(&options, (m, k, n), &a[index * m * k..], &b[of_b[index % 3] * k * n..], sums);
        }
        assert_same(&f32s(&bytes(&output, "")), &expected, name);
        assert_eq!(kind(&output, ""), (ElementType::F32, vec![2, 3, 3, 5]));
    }
}

#[test]
fn operands_of_every_type_are_read() {
    let folder = Folder::new();
    let values = [1.5, -2.0, 0.25, 3.0];
    let tensors = [
        ("bf16", ElementType::Bf16, &[2, 2][..], bytes_of("bf16", &values)),
        ("f16", ElementType::F16, &[2, 2], bytes_of("f16", &values)),
        ("f64", ElementType::F64, &[2, 2], bytes_of_f64(&values)),
        ("e4m3", ElementType::F8E4M3, &[2, 2], bytes_of("float8_e4m3fn", &values)),
    ];
    folder.safetensors("x.safetensors", &tensors, &[]);
    let identity = folder.npy("i.npy", ElementType::U8, &[2, 2], &[1, 0, 0, 1]);
    let output = folder.path("out.npy");
    for name in ["bf16", "f16", "f64", "e4m3"] {
        let named = folder.path(&format!("x.safetensors:{name}"));
        multiply(&output, &options(&named, &identity, "f32:f32", "sequential")).unwrap();
        assert_eq!(f32s(&bytes(&output, "")), values.map(|x| x as f32), "{name}");
    }
    // Codes in an array without a note.
    let codes = folder.npy("codes.npy", ElementType::U8, &[2, 2], &bytes_of("float8_e5m2", &values));
    let mut options = options(&codes, &identity, "f32:f32", "sequential");
    options.a.format = Some("float8_e5m2".parse().unwrap());
    multiply(&output, &options).unwrap();
    assert_eq!(f32s(&bytes(&output, "")), values.map(|x| x as f32));
    // Codes with their scales, as `quantize` writes them.
    let plain = folder.npy_f32("p.npy", &[2, 2], &values.map(|x| x as f32 * 100.0));
    let mut scaled = common::options("float8_e4m3fn");
    scaled.scale = "tensor".parse().unwrap();
    quantize(&plain, &folder.path("q.npy"), &scaled).unwrap();
    let compared = |order: &str| {
        let options = self::options(&folder.path("q.npy"), &identity, "f32:f32", order);
        multiply(&output, &options).map(|_| f32s(&bytes(&output, "")))
    };
    match compared("sequential") {
        Ok(found) => {
            found.iter().zip(values).for_each(|(x, y)| assert!((x / (100.0 * y as f32) - 1.0).abs() < 0.1))
        }
        // A code times its scale may need more bits than binary32 has.
        Err(error) => assert!(matches!(error, Error::NotBinary32 { .. }), "{error}"),
    }
}

#[test]
fn products_without_terms_are_zero() {
    let folder = Folder::new();
    let output = folder.path("out.npy");
    for (a, b, expected) in
        [([2, 0], [0, 3], vec![0.0f32; 6]), ([0, 4], [4, 3], vec![]), ([2, 4], [4, 0], vec![])]
    {
        let zeros = |shape: [u64; 2]| vec![1.0; (shape[0] * shape[1]) as usize];
        let left = folder.npy_f32(&format!("a{a:?}.npy"), &a, &zeros(a));
        let right = folder.npy_f32(&format!("b{b:?}.npy"), &b, &zeros(b));
        let report = multiply(&output, &options(&left, &right, "bf16:bf16", "sequential")).unwrap();
        assert_eq!(report.shape, [a[0], b[1]]);
        assert_eq!(f32s(&bytes(&output, "")), expected);
    }
}

#[test]
fn errors_are_reported_and_leave_no_file() {
    let folder = Folder::new();
    let a = folder.npy_f32("a.npy", &[2, 3], &[1.0; 6]);
    let b = folder.npy_f32("b.npy", &[2, 2], &[1.0; 4]);
    let vector = folder.npy_f32("v.npy", &[3], &[1.0; 3]);
    let third = folder.npy("d.npy", ElementType::F64, &[1, 1], &bytes_of_f64(&[1.0 / 3.0]));
    let before = folder.names();
    let output = folder.path("out.npy");
    let wrong = |options: &Options| {
        let error = multiply(&output, options).err().unwrap();
        assert_eq!(folder.names(), before, "{error}");
        error.to_string().replace(&format!("{}/", folder.path("").display()).replace("//", "/"), "")
    };
    let given = |a: &Path, b: &Path| options(a, b, "bf16:f32", "sequential");
    assert_eq!(
        wrong(&given(&a, &b)),
        "B of shape [2, 2] does not fit: A is [2, 3], so its second last axis must be 3"
    );
    assert!(
        wrong(&given(&vector, &b)).starts_with("A of shape [3] does not fit: a matrix must have two axes")
    );
    let mut added = given(&b, &b);
    added.add = Some(Operand::new(&vector, None));
    assert_eq!(
        wrong(&added),
        "C of shape [3] does not fit: the product is [2, 2]; C must be that, or broadcast to it"
    );
    assert!(wrong(&given(&third, &third)).contains("element 0 is 3.333333333333333e-1, which binary32"));
    assert!(wrong(&options(&b, &b, "bf16:f32", "any")).contains("it goes with f32:f32"));
    assert!(wrong(&given(&folder.path("none.npy"), &b)).contains("none.npy"));
    let safetensors = run(&folder.path("o.safetensors"), &given(&b, &b), &Silent).err().unwrap();
    assert!(matches!(safetensors, Error::Kind { .. }), "{safetensors}");
}
