//! Unpacks embedded data sets, which are zlib streams.

use std::io::Read;

use flate2::read::ZlibDecoder;

/// Unpacks an embedded stream.
///
/// # Panics
/// If the stream is damaged. It is compiled in, and a test unpacks each.
pub(crate) fn unpack(stream: &[u8]) -> Vec<u8> {
    let mut contents = vec![];
    ZlibDecoder::new(stream).read_to_end(&mut contents).expect("what was compiled in is a zlib stream");
    contents
}
