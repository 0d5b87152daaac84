//! Round trips of random arrays in chunks of any size; Fortran order; damaged files that must not panic.

use binade_files::{ElementType, Error, IfExists, Input, npy, safetensors};
use proptest::prelude::*;

fn elements() -> impl Strategy<Value = ElementType> {
    use ElementType::*;
    let plain = [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, F32, F64, C64];
    prop_oneof![
        prop::sample::select(plain.to_vec()),
        prop::sample::select(vec![Bf16, F8E4M3, F8E5M2, F8E8M0, F8E4M3Fnuz, F6E2M3, F6E3M2, F4]),
    ]
}

fn shapes() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(prop_oneof![4 => 1_u64..6, 1 => Just(0)], 0..5)
}

/// Bytes whose values repeat only after a long period.
fn noise(len: u64) -> Vec<u8> {
    (0..len).map(|at| (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect()
}

fn visited(tensor: &binade_files::Tensor, budget: usize) -> Vec<u8> {
    let mut all = Vec::new();
    tensor
        .visit(budget, |chunk| {
            let bits = u64::from(tensor.element().bits().unwrap());
            assert_eq!(chunk.first * bits, 8 * all.len() as u64);
            assert!(chunk.bytes.len() <= budget.max(16));
            all.extend(chunk.bytes);
            Ok::<(), Error>(())
        })
        .unwrap();
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn safetensors_round_trip_is_identity(
        tensors in prop::collection::btree_map("\\PC{0,8}", (elements(), shapes()), 0..6),
        metadata in prop::collection::btree_map("\\PC{0,8}", "\\PC{0,8}", 0..4),
        piece in 1_usize..40,
        budget in 0_usize..100,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.safetensors");
        let metadata: Vec<(String, String)> = metadata.into_iter().rev().collect();
        let tensors: Vec<_> = tensors
            .into_iter()
            .rev()
            .filter_map(|(name, (element, shape))| {
                let bits = shape.iter().product::<u64>() * u64::from(element.bits().unwrap());
                bits.is_multiple_of(8).then(|| (name, element, shape, noise(bits / 8)))
            })
            .collect();
        let entries: Vec<_> = tensors
            .iter()
            .map(|(name, element, shape, _)| safetensors::Entry::new(name, element.clone(), shape.clone()))
            .collect();
        let writer = safetensors::Writer::create(&path, &entries, &metadata, IfExists::Refuse).unwrap();
        for (index, (.., data)) in tensors.iter().enumerate().rev() {
            for (at, bytes) in data.chunks(piece).enumerate().rev() {
                writer.write_at(index, (at * piece) as u64, bytes).unwrap();
            }
        }
        writer.finish().unwrap();

        let input = Input::open(&path).unwrap();
        prop_assert_eq!(input.metadata(), &metadata[..]);
        prop_assert_eq!(input.tensors().len(), tensors.len());
        for (tensor, (name, element, shape, data)) in input.tensors().iter().zip(&tensors) {
            prop_assert_eq!((tensor.name(), tensor.element(), tensor.shape()), (&**name, element, &**shape));
            prop_assert_eq!(&tensor.read_all().unwrap(), data);
            prop_assert_eq!(&visited(tensor, budget), data);
            prop_assert_eq!(input.get(name).unwrap().shape(), &**shape);
        }
    }

    #[test]
    fn npy_round_trip_is_identity(element in elements(), shape in shapes(), piece in 1_usize..40, budget in 0_usize..100) {
        prop_assume!(element.npy_descr().is_some());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        let data = noise(shape.iter().product::<u64>() * u64::from(element.bits().unwrap()) / 8);
        let writer = npy::Writer::create(&path, element.clone(), &shape, IfExists::Refuse).unwrap();
        for (at, bytes) in data.chunks(piece).enumerate().rev() {
            writer.write_at((at * piece) as u64, bytes).unwrap();
        }
        writer.finish().unwrap();
        let input = Input::open(&path).unwrap();
        let tensor = &input.tensors()[0];
        prop_assert_eq!((tensor.element(), tensor.shape()), (&element, &*shape));
        prop_assert_eq!(&tensor.read_all().unwrap(), &data);
        prop_assert_eq!(visited(tensor, budget), data);
    }

    /// The definition: the element at indices i is at the sum of i times the strides.
    #[test]
    fn fortran_and_big_endian_arrays_read_in_c_order(
        shape in prop::collection::vec(prop_oneof![6 => 1_u64..12, 1 => Just(0), 1 => 20_u64..60], 0..5),
        descr in prop::sample::select(vec!["|u1", "<u2", ">u2", ">f4", "<f8", ">c8", ">c16", "|V3"]),
        budget in 1_usize..3000,
        cut in any::<(prop::sample::Index, prop::sample::Index)>(),
    ) {
        let count: u64 = shape.iter().product();
        prop_assume!(count < 200_000);
        let width: usize = match &descr[1..] { "u1" => 1, "u2" => 2, "V3" => 3, "f4" => 4, "c16" => 16, _ => 8 };
        let unit = match &descr[1..] { "c8" | "c16" => width / 2, _ => width };
        let data = noise(count * width as u64);
        let lengths: String = shape.iter().map(|length| format!("{length},")).collect();
        let dict = format!("{{'descr': '{descr}', 'fortran_order': True, 'shape': ({lengths})}}");
        let length = (dict.len() as u16).to_le_bytes();
        let file = [b"\x93NUMPY\x01\x00", &length[..], dict.as_bytes(), &data].concat();

        let mut expected = Vec::new();
        let mut indices = vec![0_u64; shape.len()];
        for _ in 0..count {
            let mut at = 0;
            for (index, length) in indices.iter().zip(&shape).rev() {
                at = at * length + index;
            }
            let mut element = data[at as usize * width..][..width].to_vec();
            if descr.starts_with('>') {
                element.chunks_mut(unit).for_each(<[u8]>::reverse);
            }
            expected.extend(element);
            for (index, length) in indices.iter_mut().zip(&shape).rev() {
                *index += 1;
                if *index < *length {
                    break;
                }
                *index = 0;
            }
        }

        let reader = npy::Reader::from_bytes(file).unwrap();
        let tensor = reader.tensor();
        prop_assert_eq!(&tensor.read_all().unwrap(), &expected);
        prop_assert_eq!(&visited(tensor, budget), &expected);
        let (a, b) = (cut.0.index(count as usize + 1), cut.1.index(count as usize + 1));
        let (from, to) = (a.min(b), a.max(b));
        let mut out = vec![0; (to - from) * width];
        tensor.read(from as u64, &mut out).unwrap();
        prop_assert_eq!(&out, &expected[from * width..to * width]);
    }

    #[test]
    fn damaged_files_never_panic(
        json in any::<bool>(),
        cut in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let header = r#"{"__metadata__":{"k":"v"},"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}"#;
        let dict = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n";
        let mut file = if json {
            [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[0; 16]].concat()
        } else {
            [b"\x93NUMPY\x01\x00", &(dict.len() as u16).to_le_bytes()[..], dict.as_bytes(), &[0; 16]].concat()
        };
        for (at, value) in edits {
            let at = at.index(file.len());
            file[at] = value;
        }
        file.truncate(cut.index(2 * file.len()));
        let _ = npy::parse_header(&file);
        let _ = safetensors::parse_header(&file);
        if let Ok(reader) = npy::Reader::from_bytes(file.clone()) {
            prop_assert_eq!(reader.tensor().read_all().unwrap().len() as u64, reader.tensor().byte_len());
        }
        if let Ok(reader) = safetensors::Reader::from_bytes(file) {
            for tensor in reader.tensors() {
                prop_assert_eq!(tensor.read_all().unwrap().len() as u64, tensor.byte_len());
            }
        }
    }
}

/// Runs longer than a read, gaps wider than a page, and full collections of runs.
#[test]
fn large_fortran_arrays_read_in_c_order() {
    for shape in [[1_500_000_u64, 2], [2, 1_500_000], [3000, 701]] {
        let data = noise(shape[0] * shape[1]);
        let dict =
            format!("{{'descr': '|u1', 'fortran_order': True, 'shape': ({}, {})}}", shape[0], shape[1]);
        let length = (dict.len() as u16).to_le_bytes();
        let file = [b"\x93NUMPY\x01\x00", &length[..], dict.as_bytes(), &data].concat();
        let reader = npy::Reader::from_bytes(file).unwrap();
        let (rows, columns) = (shape[0] as usize, shape[1] as usize);
        let expected: Vec<u8> =
            (0..rows * columns).map(|at| data[at / columns + at % columns * rows]).collect();
        assert!(reader.tensor().read_all().unwrap() == expected);
        assert!(visited(reader.tensor(), 1 << 16) == expected);
    }
}
