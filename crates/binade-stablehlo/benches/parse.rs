//! The speed of reading programs (parsing and verifying): `cargo bench -p binade-stablehlo --bench parse`. Medians of rounds,
//! in megabytes of text a second.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use binade_stablehlo::Program;

/// Elements of the constants.
const ELEMENTS: usize = 1 << 20;

const ROUNDS: usize = 9;

/// A program that returns a constant of this type.
fn constant(value: &str, ty: &str) -> String {
    format!(
        "func.func @main() -> {ty} {{\n  %0 = stablehlo.constant dense<{value}> : {ty}\n  return %0 : {ty}\n}}\n"
    )
}

/// Numbers between commas, in as many rows as there are in a square.
fn rows(number: impl Fn(usize) -> String) -> String {
    let side = 1 << (ELEMENTS.ilog2() / 2);
    let row = |row: usize| {
        let numbers: Vec<String> = (0..side).map(|column| number(row * side + column)).collect();
        format!("[{}]", numbers.join(", "))
    };
    format!("[{}]", (0..side).map(row).collect::<Vec<_>>().join(", "))
}

fn programs() -> Vec<(&'static str, String)> {
    let value = |i: usize| ((i as f64 * 0.618_033_988_749_895).fract() - 0.5) * 1e3;
    let bytes: String = (0..ELEMENTS).fold(String::from("\"0x"), |mut text, i| {
        let _ = write!(text, "{:08X}", (value(i) as f32).to_bits().swap_bytes());
        text
    }) + "\"";
    let mut chain = String::from("func.func @main(%0: tensor<8x8xf32>) -> tensor<8x8xf32> {\n");
    let count = 50_000;
    for i in 0..count {
        let _ =
            writeln!(chain, "  %{} = stablehlo.add %{i}, %{i} : tensor<8x8xf32> loc(\"layer/add\")", i + 1);
    }
    let _ = writeln!(chain, "  return %{count} : tensor<8x8xf32>\n}}");
    vec![
        ("hexadecimal bytes of f32", constant(&bytes, "tensor<1024x1024xf32>")),
        ("decimal f32", constant(&rows(|i| format!("{:.6e}", value(i))), "tensor<1024x1024xf32>")),
        ("decimal i32", constant(&rows(|i| (value(i) as i32).to_string()), "tensor<1024x1024xi32>")),
        (
            "hexadecimal f32",
            constant(&rows(|i| format!("0x{:08X}", (value(i) as f32).to_bits())), "tensor<1024x1024xf32>"),
        ),
        ("i1", constant(&rows(|i| (i % 3 == 0).to_string()), "tensor<1024x1024xi1>")),
        ("50,000 operations", chain),
    ]
}

fn main() {
    for (name, text) in programs() {
        let mut speeds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                let program = black_box(Program::from_bytes(text.as_bytes()));
                let seconds = start.elapsed().as_secs_f64();
                assert!(program.is_ok(), "{name}");
                text.len() as f64 / seconds / 1e6
            })
            .collect();
        speeds.sort_by(f64::total_cmp);
        println!("{name:<28} {:7.1} MB of text, {:7.0} MB/s", text.len() as f64 / 1e6, speeds[ROUNDS / 2]);
    }
}
