//! The costs that are estimated before a run equal those that an observer of the run counts.

use std::sync::Mutex;

use binade_stablehlo::ir::{Op, Program, Region};

use crate::evaluate::Evaluate;
use crate::machine::run::Executable;
use crate::observe::{Event, Observer};
use crate::options::Options;
use crate::plan::work::Work;
use crate::testing::programs_of_operations;

fn work(text: &str) -> Option<Work> {
    Program::parse(text).unwrap().work("main")
}

/// The flops and bytes of executed operations.
struct Counter(Mutex<(f64, f64)>);

impl Observer for Counter {
    fn done(&self, event: &Event<'_>) -> bool {
        if !event.is_control() {
            let mut sums = self.0.lock().unwrap();
            sums.0 += event.flops();
            sums.1 += event.bytes() as f64;
        }
        true
    }
}

fn has_control(region: &Region) -> bool {
    region.operations.iter().any(|operation| operation.kind.is_control())
}

/// Returns true if every result is read, so that the run omits no operation.
fn is_all_read(region: &Region) -> bool {
    let read = |value| {
        let reads = |region: &Region| region.results.contains(value);
        region.results.contains(value)
            || region.operations.iter().any(|operation| {
                operation.operands.contains(value) || operation.kind.regions().into_iter().any(reads)
            })
    };
    region
        .operations
        .iter()
        .all(|operation| operation.results.is_empty() || operation.results.iter().any(read))
}

#[test]
fn flops_of_every_operation_are_those_of_a_run() {
    let mut functions = 0;
    for (path, program) in programs_of_operations() {
        for function in &program.functions {
            let counts = function.body.parameters.is_empty() && !has_control(&function.body);
            // Only a run can count padding that is data, and the operations of processes.
            let differs = |operation: &binade_stablehlo::ir::Operation| {
                matches!(operation.kind, Op::DynamicConv(_) | Op::RunParallel { .. })
            };
            if !counts || program.replicas > 1 || function.body.operations.iter().any(differs) {
                continue;
            }
            let Some(work) = program.work(&function.name) else { continue };
            let counter = Counter(Mutex::default());
            let options = Options { threads: Some(1), ..Options::default() };
            let executable = Executable::observed(&program, options, &counter).unwrap();
            if executable.run(&function.name, vec![]).is_err() || program.partitions > 1 {
                continue;
            }
            let (flops, bytes) = *counter.0.lock().unwrap();
            let found = work.flops + work.transcendentals;
            assert!(
                found >= flops && work.bytes >= bytes,
                "{} @{}: {work:?} {flops} {bytes}",
                path.display(),
                function.name
            );
            if is_all_read(&function.body) {
                assert_eq!(found, flops, "{} @{}", path.display(), function.name);
                functions += 1;
            }
        }
    }
    assert!(functions > 50, "{functions}");
}

#[test]
fn products_and_functions_are_counted_by_their_sizes() {
    let found = work(
        "func.func @main(%x: tensor<4x8xf32>, %y: tensor<8x16xf32>) -> tensor<4x16xf32> {
          %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
          %1 = stablehlo.tanh %0 : tensor<4x16xf32>
          %2 = stablehlo.divide %1, %0 : tensor<4x16xf32>
          %3 = stablehlo.negate %2 : tensor<4x16xf32>
          return %3 : tensor<4x16xf32>
        }",
    );
    let bytes = 4.0 * ((32 + 128 + 64) + 2 * 64 + 3 * 64 + 2 * 64) as f64;
    let expected = Work { flops: 2.0 * 4.0 * 8.0 * 16.0 + 64.0, transcendentals: 64.0, bytes };
    assert_eq!(found, Some(expected));
}

/// A loop from `start` by `step` while the counter and `bound` compare as `direction`, over ten additions.
fn counting(start: &str, direction: &str, bound: &str, step: &str) -> f64 {
    let text = format!(
        "func.func @main(%x: tensor<10xf32>, %n: tensor<i32>) -> tensor<10xf32> {{
          %i = stablehlo.constant dense<{start}> : tensor<i32>
          %0:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<10xf32>
            cond {{
              %b = {bound}
              %c = stablehlo.compare {direction}, %k, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1>
            }} do {{
              %one = stablehlo.constant dense<{step}> : tensor<i32>
              %next = stablehlo.add %k, %one : tensor<i32>
              %w = func.call @step(%v) : (tensor<10xf32>) -> tensor<10xf32>
              stablehlo.return %next, %w : tensor<i32>, tensor<10xf32>
            }}
          return %0#1 : tensor<10xf32>
        }}
        func.func private @step(%x: tensor<10xf32>) -> tensor<10xf32> {{
          %0 = stablehlo.add %x, %x : tensor<10xf32>
          return %0 : tensor<10xf32>
        }}"
    );
    let program = Program::parse(&text).unwrap();
    program.work("main").unwrap().flops
}

#[test]
fn loops_are_counted_as_often_as_they_go_on() {
    let constant = |bound: &str| format!("stablehlo.constant dense<{bound}> : tensor<i32>");
    // Eleven additions per iteration, including the counter's.
    for (start, direction, bound, step, times) in [
        ("0", "LT", "7", "1", 7.0),
        ("0", "LE", "7", "1", 8.0),
        ("0", "LT", "7", "2", 4.0),
        ("5", "GT", "0", "-1", 5.0),
        ("5", "GE", "0", "-2", 3.0),
        ("9", "LT", "7", "1", 0.0),
        // If this loop ends, it ends by overflow.
        ("0", "LT", "7", "-1", 1.0),
        ("0", "NE", "7", "1", 1.0),
    ] {
        assert_eq!(
            counting(start, direction, &constant(bound), step),
            11.0 * times,
            "{start} {direction} {bound} {step}"
        );
    }
    // A bound that is only known during the run.
    assert_eq!(counting("0", "LT", "stablehlo.add %n, %n : tensor<i32>", "1"), 12.0);
}

#[test]
fn of_branches_the_larger_one_is_counted_and_of_replicas_all() {
    let text = "module attributes {mhlo.num_replicas = 3 : i32} {
      func.func @main(%p: tensor<i1>, %x: tensor<10xf32>) -> tensor<10xf32> {
        %0 = \"stablehlo.if\"(%p) ({
          %a = stablehlo.add %x, %x : tensor<10xf32>
          stablehlo.return %a : tensor<10xf32>
        }, {
          %b = stablehlo.exponential %x : tensor<10xf32>
          %c = stablehlo.exponential %b : tensor<10xf32>
          stablehlo.return %c : tensor<10xf32>
        }) : (tensor<i1>) -> tensor<10xf32>
        return %0 : tensor<10xf32>
      }
    }";
    assert_eq!(work(text), Some(Work { flops: 30.0, transcendentals: 60.0, bytes: 3.0 * 160.0 }));
}

#[test]
fn sizes_that_only_a_run_tells_are_not_counted() {
    let text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
      %0 = stablehlo.add %x, %x : tensor<?xf32>
      return %0 : tensor<?xf32>
    }";
    assert_eq!(work(text), None);
    // Exceeds the memory, and is counted all the same.
    let text = "func.func @main(%x: tensor<1000000000x1000000xi8>) -> tensor<1000000000x1000000xi8> {
      %0 = stablehlo.add %x, %x : tensor<1000000000x1000000xi8>
      return %0 : tensor<1000000000x1000000xi8>
    }";
    assert_eq!(work(text).map(|work| work.flops), Some(1e15));
}
