//! A safetensors file is refused, or its tensors lie side by side and read the same in one piece and in chunks.
#![no_main]

use binade_files::{Error, safetensors};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let _ = safetensors::parse_header(data);
    let reader = match safetensors::Reader::from_bytes(data) {
        Ok(reader) => reader,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let mut total = 0;
    for tensor in reader.tensors() {
        let whole = tensor.read_all().expect("the data are in memory");
        assert_eq!(whole.len() as u64, tensor.byte_len());
        total += whole.len();
        assert!(reader.get(tensor.name()).is_some());
        let mut chunks = vec![];
        tensor
            .visit_bytes(24, |_, bytes| {
                chunks.extend_from_slice(bytes);
                Ok::<(), Error>(())
            })
            .expect("the data are in memory");
        assert_eq!(whole, chunks);
    }
    assert!(total <= data.len());
});
