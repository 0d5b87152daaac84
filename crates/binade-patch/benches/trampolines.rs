//! Time of one multiply-add at a patched site, against the native instruction, in a loop of eight independent ones, of
//! binary32, of binary64, and of one binary32; with MXCSR as it is by default and with FTZ and DAZ, of normal numbers and
//! of subnormal ones: `cargo bench -p binade-patch --bench trampolines [OPERATOR…]`.

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
#[path = "../tests/machine/mod.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod machine;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn main() {
    use binade_patch::trampoline::{Level, Target};
    use iced_x86::{Code, Instruction, Register};
    use machine::{Machine, State};

    let Some(level) = Level::detect() else {
        println!("SKIPPED: this machine has no fused multiply-add on AVX2");
        return;
    };
    let levels = if level.wide() { vec![level, Level::Avx2] } else { vec![level] };
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let elements = ["binary32", "binary64", "a binary32"];
    for (level, element) in levels.into_iter().flat_map(|level| elements.map(|element| (level, element))) {
        let code = match (level.wide(), element) {
            (true, "binary32") => Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er,
            (false, "binary32") => Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256,
            (_, "a binary32") => Code::VEX_Vfmadd231ss_xmm_xmm_xmmm32,
            (true, _) => Code::EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er,
            (false, _) => Code::VEX_Vfmadd231pd_ymm_ymm_ymmm256,
        };
        let first = match (element, level.wide()) {
            ("a binary32", _) => Register::XMM0,
            (_, true) => Register::ZMM0,
            (_, false) => Register::YMM0,
        };
        let body: Vec<Instruction> =
            (0..8).map(|d| Instruction::with3(code, first + d, first + 8, first + 9).unwrap()).collect();
        let mut state = State {
            vectors: [[0.25f32.to_bits(); 16]; 32],
            masks: [0; 8],
            general: [0; 16],
            flags: 0x202,
            mxcsr: 0x1f80,
        };
        let mut time = |target: Option<&Target>, iterations: u64, (mxcsr, value): (u32, u32)| {
            let mut machine = Machine::new(level);
            if let Some(target) = target {
                machine.set_operator(level, &target.operator, binade_simd::Isa::detect());
            }
            machine.place_loop(&body, target);
            state.general[4] = machine.stack();
            state.general[15] = iterations;
            state.mxcsr = mxcsr;
            state.vectors = [[value; 16]; 32];
            let run = || {
                let start = seconds();
                machine.run(&state);
                (seconds() - start) * 1e9 / (iterations * body.len() as u64) as f64
            };
            (0..7).map(|_| run()).fold(f64::INFINITY, f64::min)
        };
        let quarter = 0.25f32.to_bits();
        let cases = [(0x1f80, quarter), (0x9fc0, quarter), (0x1f80, 1000), (0x9fc0, 1000)];
        let native = time(None, 1_000_000, cases[0]);
        println!("{level:?}, {element}: native {native:.2} ns an instruction");
        let observed = Target { observed: true, ..Target::new("f32:f32".parse().unwrap(), level) };
        let gate = time(Some(&observed), 5_000, cases[0]);
        println!("  {:44} {gate:8.1} ns, {:6.1} × native", "through the gate and back", gate / native);
        for name in [
            "f32:f32",
            "bf16:bf16",
            "bf16:bf16x2",
            "bf16:bf16x3",
            "bf16x2:bf16x2/3",
            "bf16x2:bf16x2/4",
            "bf16x3:bf16x3/6",
            "bf16x3:bf16x3/9",
            "bf16:f32",
            "bf16:bf16+flush",
            "float8_e4m3fn:f32",
            "float8_e5m2:bf16",
            "f16:f16",
            "f16:f32",
            "float8_e4m3fnuz:float8_e4m3fnuz",
            "binary8p3:binary16p8",
            "cfloat8_1_4_3@bias=10,subnormals=ieee:bf16",
            "cfloat8_1_4_3@bias=10:bf16",
            "cfloat8_1_4_3@bias=10:shp@bias=31",
            "cfloat8_1_5_2@bias=20:uhp",
            "bf16:bf16+exact",
            "bf16:bf16x2+exact",
            "bf16x2:bf16x2/3+exact",
            "bf16x3:bf16x3/9+exact",
            "bf16x2:bf16x2/3+listing",
            "bf16x3:bf16x3/9+flush",
            "bf16:f64",
            "float8_e8m0fnu:f32",
            "f32:float8_e8m0fnu",
            "binary8p1:binary8p1",
            "binary8p1se:bf16",
            "uhp:uhp",
            "uhp:f32",
            "f32:bf16",
            "bf16x3:bf16x3/9+listing",
            "bf16x2:bf16x2/4+exact+flush",
            "f64:f64",
            "binary16p1se:f32",
            "float8_e4m3fnuz:cfloat8_1_4_3@bias=7",
        ] {
            if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
                continue;
            }
            let target = Target::new(name.parse().unwrap(), level);
            let [emulated, flushing, small, both] = cases.map(|case| time(Some(&target), 5_000, case));
            println!(
                "  {name:44} {emulated:8.1} ns, {:6.1} × native; flushing {flushing:.1}, subnormal {small:.1}, both {both:.1} ns",
                emulated / native
            );
        }
    }
}

/// Processor time of this thread, so that other programs count as little as may be.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes one timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
fn main() {
    println!("SKIPPED: sites are of x86-64 Linux programs");
}
