//! No kernel accesses memory outside its slices: they are placed next to pages without access rights.
#![cfg(unix)]

mod common;

use binade::{Operation, Projection, Rounding, Saturation};
use binade_kernels::{BlockDecoder, BlockEncoder, Decoder, Encoder, Rounder, codes::Arithmetic, pack};
use common::{format, legs, stochastics};

/// Memory between two pages without access rights.
struct Guarded {
    base: *mut u8,
    page: usize,
    room: usize,
}

impl Guarded {
    fn new(bytes: usize) -> Guarded {
        // SAFETY: plain system calls whose results are checked.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let room = bytes.next_multiple_of(page);
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let base = libc::mmap(std::ptr::null_mut(), room + 2 * page, libc::PROT_NONE, flags, -1, 0);
            assert_ne!(base, libc::MAP_FAILED);
            let inner = base.cast::<u8>().add(page);
            assert_eq!(libc::mprotect(inner.cast(), room, libc::PROT_READ | libc::PROT_WRITE), 0);
            Guarded { base: base.cast(), page, room }
        }
    }

    /// `count` elements that begin at the lower guard page or end at the upper one.
    fn slice<T>(&mut self, count: usize, at_end: bool) -> &mut [T] {
        let bytes = count * size_of::<T>();
        assert!(bytes <= self.room);
        let offset = self.page + if at_end { self.room - bytes } else { 0 };
        // SAFETY: the slice is within the accessible pages, which are zeroed. It is aligned because pages are, and
        // sizes are multiples of alignments. All bit patterns of the types used are valid.
        unsafe { std::slice::from_raw_parts_mut(self.base.add(offset).cast(), count) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: unmaps the memory that `new` mapped.
        unsafe { libc::munmap(self.base.cast(), self.room + 2 * self.page) };
    }
}

#[test]
fn slices_next_to_guard_pages_are_not_exceeded() {
    let (mut a, mut b, mut c) = (Guarded::new(64 << 10), Guarded::new(64 << 10), Guarded::new(64 << 10));
    let e4m3 = format("float8_e4m3fn");
    let (cfloat, shp) = (format("cfloat8_1_4_3@bias=7"), format("shp@bias=31"));
    for isa in legs() {
        let how = Projection::default();
        let add = Arithmetic::new(Operation::Add, &[e4m3, e4m3], cfloat, how).unwrap().with_isa(isa);
        let exp = Arithmetic::new(Operation::Exp, &[e4m3], e4m3, how).unwrap().with_isa(isa);
        let widen = Arithmetic::new(Operation::Exp, &[e4m3], shp, how).unwrap().with_isa(isa);
        for rounding in [Rounding::NearestEven, Rounding::TowardPositive, stochastics()[0]] {
            let encoder = |to| Encoder::new(to, rounding, Saturation::Finite).unwrap().with_isa(isa);
            for length in (0..200).chain([1000, 1023, 1024, 1025, 2047, 4096, 5000]) {
                for at_end in [false, true] {
                    for to in [e4m3, cfloat] {
                        encoder(to)
                            .encode_f32(a.slice(length, at_end), b.slice::<u8>(length, at_end))
                            .unwrap();
                        encoder(to)
                            .encode_f64(a.slice(length, at_end), b.slice::<u8>(length, at_end))
                            .unwrap();
                    }
                    encoder(shp).encode_f32(a.slice(length, at_end), b.slice::<u16>(length, at_end)).unwrap();
                    encoder(shp).encode_f16(a.slice(length, at_end), b.slice::<u16>(length, at_end)).unwrap();
                    encoder(e4m3).flags_f32(a.slice(length, at_end));
                    encoder(e4m3).flags_f64(a.slice(length, at_end));
                    if rounding != Rounding::NearestEven {
                        continue;
                    }
                    for from in [e4m3, shp] {
                        let decoder = Decoder::new(from).unwrap().with_isa(isa);
                        if from == e4m3 {
                            decoder
                                .decode_f32(&*b.slice::<u8>(length, at_end), a.slice(length, at_end))
                                .unwrap();
                            decoder
                                .decode_f16(&*b.slice::<u8>(length, at_end), a.slice(length, at_end))
                                .unwrap();
                        }
                        decoder
                            .decode_f32(&*b.slice::<u16>(length, at_end), a.slice(length, at_end))
                            .unwrap();
                        decoder
                            .decode_f64(&*b.slice::<u16>(length, at_end), a.slice(length, at_end))
                            .unwrap();
                    }
                    Rounder::new(shp, rounding, Saturation::Finite)
                        .unwrap()
                        .with_isa(isa)
                        .round_in_place(a.slice(length, at_end));
                    let operands =
                        [(&*a.slice::<u8>(length, at_end)).into(), (&*b.slice::<u8>(length, at_end)).into()];
                    add.apply(&operands, c.slice::<u8>(length, at_end)).unwrap();
                    exp.apply(&operands[..1], c.slice::<u8>(length, at_end)).unwrap();
                    widen.apply(&operands[..1], c.slice::<u16>(length, at_end)).unwrap();
                }
            }
        }
    }
}

/// Blocks, whose last bytes of 6-bit elements do not fill a vector.
#[test]
fn blocks_next_to_guard_pages_are_not_exceeded() {
    let [mut a, mut b, mut c] = [(); 3].map(|()| Guarded::new(16 << 10));
    for name in ["mxfp8_e5m2", "mxfp6_e2m3", "mxfp4", "mxint8", "nvfp4"] {
        let block: binade::block::BlockFormat = name.parse().unwrap();
        let (length, width) = (block.shape.1, block.element.width());
        for isa in legs() {
            let encoder = BlockEncoder::new(block).unwrap().with_isa(isa);
            let decoder = BlockDecoder::new(block).unwrap().with_isa(isa);
            for (blocks, at_end) in (0..20).chain([64, 65, 97]).flat_map(|n| [(n, false), (n, true)]) {
                let (count, packed) = (blocks * length, pack::bytes(blocks * length, width));
                let scales = b.slice::<u8>(blocks, at_end);
                let elements = c.slice::<u8>(packed, at_end);
                encoder.encode_f32(a.slice(count, at_end), length, scales, elements).unwrap();
                encoder.encode_bf16(a.slice(count, at_end), length, scales, elements).unwrap();
                encoder.encode_f16(a.slice(count, at_end), length, scales, elements).unwrap();
                decoder.decode_f32(scales, elements, length, a.slice(count, at_end)).unwrap();
                decoder.decode_bf16(scales, elements, length, a.slice(count, at_end)).unwrap();
                decoder.decode_f16(scales, elements, length, a.slice(count, at_end)).unwrap();
            }
        }
    }
}

/// Slices large enough to be streamed.
#[test]
fn streamed_slices_next_to_guard_pages_are_not_exceeded() {
    let count = (2 << 20) + 5;
    let (mut a, mut b) = (Guarded::new(4 * count), Guarded::new(count));
    let to = format("float8_e4m3fn");
    for isa in legs() {
        for at_end in [false, true] {
            let encoder = Encoder::new(to, Rounding::NearestEven, Saturation::Finite).unwrap().with_isa(isa);
            encoder.encode_f32(a.slice(count, at_end), b.slice::<u8>(count, at_end)).unwrap();
            let decoder = Decoder::new(to).unwrap().with_isa(isa);
            decoder.decode_f32(&*b.slice::<u8>(count, at_end), a.slice(count, at_end)).unwrap();
        }
    }
}
