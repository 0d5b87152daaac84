//! The memory of a process that runs a program stays within its limit, for any program. Each measurement is a child
//! process with one program and one limit.
#![cfg(target_os = "linux")]

use std::process::Command;

use binade_hlo::eval::{EvalError, Options};
use binade_hlo::{Evaluate, Program, Type};

/// Memory outside of the limit: the test, the text and its plan, threads, the allocator's reserve, and 64 MiB that are
/// kept for later tensors.
const BESIDES: u64 = 112 << 20;

const MIB: usize = 1 << 20;

/// The bytes of a constant that the child writes out as text.
const CONSTANT: usize = 6 * MIB;

/// The limits of each program: the first one refuses all programs, the last one none.
const LIMITS: [usize; 4] = [8 * MIB, 64 * MIB, 256 * MIB, 2048 * MIB];

/// Programs that need between 8 MiB and 2 GiB, each mostly for the purpose in its name.
fn programs() -> Vec<(&'static str, String)> {
    let sum = "({^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>})";
    let ge = "({^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %s : tensor<i1>})";
    // A comparison that the parser does not recognise as an order by keys.
    let odd = "({^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %a : tensor<f32>
        %t = stablehlo.compare LT, %s, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %t : tensor<i1>})";
    let x = |shape: &str| {
        format!(
            "%one = stablehlo.constant dense<1.0> : tensor<f32>\n\
            %x = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<{shape}xf32>\n"
        )
    };
    let bodies = vec![
        ("constants", format!("%0 = stablehlo.constant dense<\"0xBLOB\"> : tensor<{CONSTANT}xi8>
            %1 = stablehlo.reverse %0, dims = [0] : tensor<{CONSTANT}xi8>")),
        ("values", (0..8).fold(x("4194304"), |text, k| {
            format!("{text}%v{k} = stablehlo.reverse %x, dims = [0] : tensor<4194304xf32>\n")
        }) + &(0..7).fold("%s0 = stablehlo.add %v0, %v1 : tensor<4194304xf32>\n".to_owned(), |text, k| {
            format!("{text}%s{} = stablehlo.add %s{k}, %v{} : tensor<4194304xf32>\n", k + 1, k + 1)
        }) + "interpreter.print %s7 : tensor<4194304xf32>"),
        ("while", format!("{}%zero = stablehlo.constant dense<0> : tensor<i64>\n%ten = stablehlo.constant dense<10> : \
            tensor<i64>\n%up = stablehlo.constant dense<1> : tensor<i64>
            %r:3 = stablehlo.while(%i = %zero, %y = %x, %z = %x) : tensor<i64>, tensor<4194304xf32>, tensor<4194304xf32>
            cond {{ %p = stablehlo.compare LT, %i, %ten : (tensor<i64>, tensor<i64>) -> tensor<i1>
              stablehlo.return %p : tensor<i1> }}
            do {{ %n = stablehlo.add %i, %up : tensor<i64>
              %w = stablehlo.reverse %y, dims = [0] : tensor<4194304xf32>
              stablehlo.return %n, %z, %w : tensor<i64>, tensor<4194304xf32>, tensor<4194304xf32> }}", x("4194304"))),
        ("products of narrow types", format!("{}%n = stablehlo.convert %x : (tensor<2048x4096xf32>) -> tensor<2048x4096xf8E4M3FN>
            %m = stablehlo.slice %n [0:8, 0:4096] : (tensor<2048x4096xf8E4M3FN>) -> tensor<8x4096xf8E4M3FN>
            %0 = stablehlo.dot_general %n, %m, contracting_dims = [1] x [1] : (tensor<2048x4096xf8E4M3FN>, \
            tensor<8x4096xf8E4M3FN>) -> tensor<2048x8xf32>", x("2048x4096"))),
        ("unfolded convolution", format!("{}%y = stablehlo.constant dense<1.0> : tensor<9x9x1x1xf64>
            %d = stablehlo.convert %x : (tensor<1x512x512x1xf32>) -> tensor<1x512x512x1xf64>
            %0 = stablehlo.convolution(%d, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], \
            window = {{pad = [[4, 4], [4, 4]]}} {{feature_group_count = 1 : i64, batch_group_count = 1 : i64}} : \
            (tensor<1x512x512x1xf64>, tensor<9x9x1x1xf64>) -> tensor<1x512x512x1xf64>", x("1x512x512x1"))),
        ("padding of windows", format!("{}%0 = \"stablehlo.reduce_window\"(%x, %one) <{{window_dimensions = array<i64: 4>, \
            window_strides = array<i64: 1048576>, base_dilations = array<i64: 1048576>}}> {sum} : \
            (tensor<32xf32>, tensor<f32>) -> tensor<31xf32>", x("32"))),
        ("selected windows", format!("{}%0 = \"stablehlo.select_and_scatter\"(%x, %x, %one) <{{window_dimensions = \
            array<i64: 1>}}> {ge}, {sum} : (tensor<1048576xf32>, tensor<1048576xf32>, tensor<f32>) -> \
            tensor<1048576xf32>", x("1048576")).replace("}), ({", "}, {")),
        ("sorting by keys", format!("{}%0 = \"stablehlo.sort\"(%x) <{{dimension = 0 : i64}}> {} : (tensor<2097152xf32>) \
            -> tensor<2097152xf32>", x("2097152"), ge.replace("GE", "LT"))),
        ("sorting by comparison", format!("{}%0 = \"stablehlo.sort\"(%x) <{{dimension = 0 : i64}}> {odd} : \
            (tensor<262144xf32>) -> tensor<262144xf32>", x("262144"))),
        ("random numbers", "%a = stablehlo.constant dense<0.0> : tensor<bf16>\n%b = stablehlo.constant dense<1.0> : tensor<bf16>
            %n = stablehlo.constant dense<2097152> : tensor<1xi64>
            %0 = stablehlo.rng %a, %b, %n, distribution = UNIFORM : (tensor<bf16>, tensor<bf16>, tensor<1xi64>) -> \
            tensor<2097152xbf16>".to_owned()),
        ("random bits", "%a = stablehlo.constant dense<1> : tensor<2xui64>
            %0:2 = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, \
            tensor<4194304xui8>)".to_owned()),
        ("fourier transform", format!("{}%c = stablehlo.complex %x, %x : tensor<1048583xcomplex<f32>>
            %0 = stablehlo.fft %c, type = FFT, length = [1048583] : (tensor<1048583xcomplex<f32>>) -> \
            tensor<1048583xcomplex<f32>>", x("1048583"))),
        ("gathered indices", format!("{}%z = stablehlo.iota dim = 0 : tensor<2097152x1xi32>
            %0 = \"stablehlo.gather\"(%x, %z) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], \
            start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}}> : (tensor<16xf32>, \
            tensor<2097152x1xi32>) -> tensor<2097152xf32>", x("16"))),
        ("scattered updates", format!("{}%z = stablehlo.iota dim = 0 : tensor<1048576x1xi32>
            %u = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f32>) -> tensor<1048576xf32>
            %0 = \"stablehlo.scatter\"(%x, %z, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims \
            = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> {sum} : (tensor<16xf32>, \
            tensor<1048576x1xi32>, tensor<1048576xf32>) -> tensor<16xf32>", x("16"))),
        ("linear systems", format!("{}%0 = stablehlo.cholesky %x, lower = true : tensor<1024x32x32xf32>", x("1024x32x32"))),
        ("normalisation", format!("{}%f = stablehlo.constant dense<1.0> : tensor<16xf32>
            %0 = \"stablehlo.batch_norm_inference\"(%x, %f, %f, %f, %f) <{{epsilon = 0.0 : f32, feature_index = 1 : i64}}> : \
            (tensor<131072x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) -> \
            tensor<131072x16xf32>", x("131072x16"))),
    ];
    bodies
        .into_iter()
        .map(|(name, body)| (name, format!("func.func @main() {{\n{body}\nreturn\n}}")))
        .collect()
}

/// The peak memory of this process in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    1024 * line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap()
}

/// In a child: runs the program under the limit that the environment names. Prints the outcome, and the growth of peak
/// memory during the run.
#[test]
#[ignore = "what a_process_stays_within_its_limit runs"]
fn child() {
    let Ok(job) = std::env::var("BINADE_HLO_MEMORY") else { return };
    let (limit, name) = job.split_once(' ').unwrap();
    let (_, text) = programs().into_iter().find(|(other, _)| *other == name).unwrap();
    let text = if name == "constants" { text.replace("BLOB", &"00".repeat(CONSTANT)) } else { text };
    let program = Program::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(program.functions[0].values.iter().all(|ty| matches!(ty, Type::Tensor(_))));
    drop(text);
    let options = Options { memory_limit: limit.parse().unwrap(), threads: Some(2), ..Options::default() };
    let outcome = match program.evaluate("main", vec![], options) {
        Ok(_) => "done",
        Err(EvalError::At { source, .. })
            if matches!(*source, EvalError::Memory { .. } | EvalError::Scratch { .. }) =>
        {
            "refused"
        }
        Err(error) => panic!("{name}: {error}"),
    };
    println!("outcome {outcome} {}", peak());
}

#[test]
fn a_process_stays_within_its_limit() {
    let mut wrong = vec![];
    for (name, _) in programs() {
        let mut outcomes = vec![];
        for limit in LIMITS {
            let output = Command::new(std::env::current_exe().unwrap())
                .args(["child", "--exact", "--ignored", "--nocapture"])
                .env("BINADE_HLO_MEMORY", format!("{limit} {name}"))
                .output()
                .unwrap();
            let shown = String::from_utf8_lossy(&output.stdout).into_owned();
            let line = shown.lines().find_map(|line| line.split("outcome ").nth(1));
            let Some((outcome, peak)) = line.and_then(|line| line.split_once(' ')) else {
                panic!("{name}: {shown}{}", String::from_utf8_lossy(&output.stderr));
            };
            let peak: u64 = peak.parse().unwrap();
            // The text of a constant consists of its digits, and is in memory while they are read.
            let text = if name == "constants" { 5 * CONSTANT as u64 } else { 0 };
            let excess = peak.saturating_sub(limit as u64 + text);
            println!("{name}: {outcome} under {} MiB, {} MiB at most", limit / MIB, peak >> 20);
            if excess > BESIDES {
                wrong.push(format!("{name} under {} MiB: {} MiB", limit / MIB, peak >> 20));
            }
            outcomes.push(outcome.to_owned());
        }
        if outcomes.first().is_none_or(|first| first != "refused")
            || outcomes.last().is_none_or(|last| last != "done")
        {
            wrong.push(format!("{name}: {outcomes:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
