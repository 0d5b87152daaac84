//! An npy file is refused, or reads the same in one piece and in chunks.
#![no_main]

use binade_files::{Error, npy};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let header = npy::parse_header(data);
    let reader = match npy::Reader::from_bytes(data) {
        Ok(reader) => reader,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let header = header.expect("what the reader accepts has a header");
    let tensor = reader.tensor();
    assert_eq!(tensor.shape(), header.shape);
    assert_eq!(header.data_start + header.byte_len + reader.trailing_bytes(), data.len() as u64);
    let whole = tensor.read_all().expect("the data are in memory");
    let mut chunks = vec![];
    tensor
        .visit_bytes(24, |offset, bytes| {
            assert_eq!(offset, chunks.len() as u64);
            chunks.extend_from_slice(bytes);
            Ok::<(), Error>(())
        })
        .expect("the data are in memory");
    assert_eq!(whole, chunks);
});
