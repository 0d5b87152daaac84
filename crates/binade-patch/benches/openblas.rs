//! A single-precision matrix product of an OpenBLAS library, with regions in place of its loops, beside the native one.
//!
//! ```text
//! OPENBLAS_NUM_THREADS=1 [OPENBLAS_CORETYPE=Haswell] \
//!     cargo bench -p binade-patch --bench openblas -- LIBRARY [SYMBOL] [OPERATOR…]
//! ```
//!
//! The symbol is that of `cblas_sgemm` with 64-bit integers, as NumPy's wheels have it. Only regions are put in place: a
//! multiply-add outside of them stays native, which times but does not compute a product under the operator.

use std::ffi::{CStr, CString, c_void};
use std::time::Instant;

use binade_patch::fma::Fma;
use binade_patch::region::{Request, translate_all};
use binade_patch::trampoline::{Level, Target};
use binade_patch::workspace;
use gimli::{BaseAddresses, CieOrFde, EhFrame, NativeEndian, UnwindSection};
use iced_x86::{Code, Decoder, DecoderOptions, Encoder, Instruction};
use object::{Object, ObjectSection};

type Sgemm = unsafe extern "C" fn(
    i32,
    i32,
    i32,
    i64,
    i64,
    i64,
    f32,
    *const f32,
    i64,
    *const f32,
    i64,
    f32,
    *mut f32,
    i64,
);

const ARENA: usize = 256 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let Some(path) = arguments.first() else {
        return eprintln!("SKIPPED: name an OpenBLAS library");
    };
    let symbol = arguments.get(1).map_or("scipy_cblas_sgemm64_", String::as_str);
    let operators: Vec<&str> = match arguments.get(2..) {
        Some(given) if !given.is_empty() => given.iter().map(String::as_str).collect(),
        _ => vec!["f32:f32", "bf16:bf16", "bf16:bf16x2", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x3:bf16x3/9"],
    };
    let Some(level @ Level::Avx512 { .. }) = Level::detect() else {
        return eprintln!("SKIPPED: this machine has no AVX-512");
    };
    let (library, name) = (CString::new(path.as_str()).unwrap(), CString::new(symbol).unwrap());
    // SAFETY: the library is one that the caller chose, loaded as any program does.
    let (sgemm, base) = unsafe {
        let handle = libc::dlopen(library.as_ptr(), libc::RTLD_NOW);
        if handle.is_null() {
            return eprintln!("{}", CStr::from_ptr(libc::dlerror()).to_string_lossy());
        }
        let at = libc::dlsym(handle, name.as_ptr());
        assert!(!at.is_null(), "{symbol} is not there");
        let mut info = std::mem::zeroed::<libc::Dl_info>();
        libc::dladdr(at, &mut info);
        (std::mem::transmute::<*mut c_void, Sgemm>(at), info.dli_fbase as u64)
    };
    let n = 1024usize;
    let number = |i: usize| ((i as u32).wrapping_mul(0x9e37_79b1) >> 8) as f32 / (1 << 24) as f32 - 0.5;
    let a: Vec<f32> = (0..n * n).map(number).collect();
    let b: Vec<f32> = (0..n * n).map(|i| number(i + n * n)).collect();
    let multiply = || {
        let mut c = vec![0f32; n * n];
        let mut best = f64::INFINITY;
        for _ in 0..6 {
            let start = seconds();
            // SAFETY: row-major n × n matrices.
            unsafe {
                let size = n as i64;
                sgemm(
                    101,
                    111,
                    111,
                    size,
                    size,
                    size,
                    1.0,
                    a.as_ptr(),
                    size,
                    b.as_ptr(),
                    size,
                    0.0,
                    c.as_mut_ptr(),
                    size,
                )
            };
            best = best.min(seconds() - start);
        }
        (best, c)
    };
    let (native, exact) = multiply();
    println!("native {:.2} ms, {:.1} GFLOP/s", native * 1e3, 2e-9 * (n * n * n) as f64 / native);
    let functions = functions(path, base);
    let arena = arena(base);
    let memory = vec![0u8; workspace::BYTES + 64];
    // SAFETY: this thread's, until the end of `main`, and this is the only thread.
    unsafe { workspace::enter((memory.as_ptr() as u64).next_multiple_of(64), 0) };
    for operator in operators {
        let target = Target::new(operator.parse().unwrap(), level);
        let request = Request {
            target: &target,
            selected: &Fma::fused,
            foreign: &|_| false,
            single: &|address| address,
            resume: &|address| address,
            word: &|_| 0,
            keeps_clean: false,
            check: None,
        };
        let (start, mut at) = (Instant::now(), arena);
        let (mut made, mut refused, mut multiply_adds) = (0, 0, 0);
        let mut undo: Vec<(u64, Vec<u8>)> = Vec::new();
        for function in &functions {
            for region in translate_all(function, &request, at) {
                let Ok(region) = region else {
                    refused += 1;
                    continue;
                };
                at = region.at + region.code.len() as u64;
                assert!(at < arena + ARENA as u64);
                made += 1;
                multiply_adds += region.multiply_adds;
                write(region.at, &region.code);
                for entry in &region.entries {
                    let jump = Instruction::with_branch(Code::Jmp_rel32_64, region.at + entry.offset as u64);
                    let mut encoder = Encoder::new(64);
                    encoder.encode(&jump.unwrap(), entry.original).unwrap();
                    let bytes = encoder.take_buffer();
                    // SAFETY: code of the library, mapped readable.
                    let old = unsafe { std::slice::from_raw_parts(entry.original as *const u8, bytes.len()) };
                    undo.push((entry.original, old.to_vec()));
                    write(entry.original, &bytes);
                }
            }
        }
        let taken = start.elapsed();
        let (time, result) = multiply();
        let error = result.iter().zip(&exact).map(|(x, y)| (x - y).abs()).sum::<f32>()
            / exact.iter().map(|x| x.abs()).sum::<f32>();
        println!(
            "{operator}: {:.2} ms, {:.2} x native, mean relative error {error:.1e}; {made} regions of {multiply_adds} \
             multiply-adds, {refused} refused, {} KiB, in {:.2} s",
            time * 1e3,
            time / native,
            (at - arena) >> 10,
            taken.as_secs_f64()
        );
        for (at, bytes) in undo.into_iter().rev() {
            write(at, &bytes);
        }
    }
}

/// Processor time of this thread, so that other programs count as little as may be.
fn seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// The functions of a library with several multiply-adds, from its unwind tables.
fn functions(path: &str, base: u64) -> Vec<Vec<Instruction>> {
    let file = std::fs::read(path).unwrap();
    let object = object::File::parse(&*file).unwrap();
    let section = object.section_by_name(".eh_frame").unwrap();
    let data = section.uncompressed_data().unwrap();
    let frames = EhFrame::new(&data, NativeEndian);
    let bases = BaseAddresses::default().set_eh_frame(section.address());
    let mut entries = frames.entries(&bases);
    let mut all = Vec::new();
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else { continue };
        let Ok(fde) = partial.parse(|_, bases, offset| frames.cie_from_offset(bases, offset)) else {
            continue;
        };
        let (at, length) = (base + fde.initial_address(), fde.len() as usize);
        // SAFETY: the unwind tables name code of the library that is loaded at `base`; it is made writable as well.
        let bytes = unsafe {
            let page = at & !0xfff;
            let rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            libc::mprotect(page as *mut c_void, (at - page) as usize + length, rights);
            std::slice::from_raw_parts(at as *const u8, length)
        };
        let instructions: Vec<Instruction> =
            Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).iter().collect();
        if instructions.iter().filter(|i| Fma::is_fused(i.code())).count() >= 4 {
            all.push(instructions);
        }
    }
    all
}

/// Memory for code within reach of an address.
fn arena(near: u64) -> u64 {
    let rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
    for step in 1..6 {
        let hint = (near & !0xfff) - step * ARENA as u64;
        // SAFETY: nothing that is mapped is replaced.
        let at = unsafe { libc::mmap(hint as *mut c_void, ARENA, rights, flags, -1, 0) };
        if at != libc::MAP_FAILED {
            return at as u64;
        }
    }
    panic!("no free memory near {near:x}")
}

fn write(at: u64, bytes: &[u8]) {
    // SAFETY: the arena, or code of the library that was made writable and that no thread executes now.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
}
