//! Tests of the interpreter: kernels against single operations, control flow, reductions, processes, limits.

use binade_stablehlo::ir::{Binary, Collective, Direction, Op, Order, Program, Unary, ValueId};
use binade_stablehlo::{Data, ElementType, Tensor, Value};

use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::options::{Options, Semantics};
use crate::testing::*;

const BOOL: ElementType = ElementType::Bool;

fn threads(threads: usize) -> Options {
    Options { threads: Some(threads), ..Options::default() }
}

/// A random program of elementwise operations, broadcasts and reshapes on `n` elements that returns some of its values.
fn random_chain(seed: u64, n: usize, keep: usize) -> Program {
    let mut choices = noise(seed, 10_000).into_iter().map(|x| ((x + 1.0) * 1e6) as usize);
    let mut pick = |of: usize| choices.next().unwrap() % of;
    let mut w = Writer::new();
    let shapes = [vec![n], vec![n / 8, 8]];
    let (a, b, row) = (w.value(&F32, &shapes[0]), w.value(&F32, &shapes[1]), w.value(&F32, &[8]));
    let scalar = w.value(&F32, &[]);
    // Values of each of the two shapes.
    let mut values: [Vec<ValueId>; 2] = [vec![a], vec![b]];
    let mut all = vec![];
    for _ in 0..30 {
        let at = pick(2);
        let shape = &shapes[at];
        let x = values[at][pick(values[at].len())];
        let y = values[at][pick(values[at].len())];
        let new = match pick(7) {
            0 => w.op(Op::Binary(Binary::Add), &[x, y], &F32, shape),
            1 => w.op(Op::Binary(Binary::Multiply), &[x, y], &F32, shape),
            2 => w.op(Op::Unary(Unary::Negate), &[x], &F32, shape),
            3 => {
                let less = w.op(
                    Op::Compare { direction: Direction::Lt, order: Order::Partial },
                    &[x, y],
                    &BOOL,
                    shape,
                );
                w.op(Op::Select, &[less, y, x], &F32, shape)
            }
            4 if at == 1 => w.op(Op::BroadcastInDim { dimensions: vec![1] }, &[row], &F32, shape),
            4 => w.op(Op::BroadcastInDim { dimensions: vec![] }, &[scalar], &F32, shape),
            5 => w.op(Op::Clamp, &[scalar, x, y], &F32, shape),
            _ => {
                let reshaped = w.op(Op::Reshape, &[x], &F32, &shapes[1 - at]);
                values[1 - at].push(reshaped);
                all.push(reshaped);
                continue;
            }
        };
        values[at].push(new);
        all.push(new);
    }
    let results: Vec<ValueId> = (0..keep).map(|_| all[pick(all.len())]).collect();
    program(vec![w.function("main", &[a, b, row, scalar], &results)])
}

fn inputs(n: usize) -> Vec<Tensor> {
    vec![
        f32s(&[n], noise(1, n)),
        f32s(&[n / 8, 8], noise(2, n)),
        f32s(&[8], noise(3, 8)),
        f32s(&[], vec![0.25]),
    ]
}

/// Chains give the results of single operations, on any number of threads. If all values are returned, nothing is
/// fused.
#[test]
fn chains_equal_single_operations() {
    for seed in 0..40 {
        for n in [8, 4096 + 8, 200_000] {
            let few = random_chain(seed, n, 3);
            // The same operations, with every value returned.
            let mut every = few.clone();
            let function = &mut every.functions[0];
            let wanted = function.body.results.clone();
            let made: Vec<ValueId> =
                function.body.operations.iter().flat_map(|op| op.results.clone()).collect();
            function.body.results.extend(made);
            let one = run(&few, inputs(n), threads(1)).unwrap();
            let two = run(&few, inputs(n), threads(3)).unwrap();
            let all = run(&every, inputs(n), threads(1)).unwrap();
            for at in 0..wanted.len() {
                let bits = |tensor: &Tensor| floats(tensor).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&one[at]), bits(&two[at]), "seed {seed}, {n} elements, threads");
                assert_eq!(bits(&one[at]), bits(&all[at]), "seed {seed}, {n} elements, fused");
            }
        }
    }
}

/// exp(x − max) / sum: a reduction between two chains.
#[test]
fn softmax() {
    let (rows, columns) = (5, 300);
    let mut w = Writer::new();
    let x = w.value(&F32, &[rows, columns]);
    let fold = |w: &mut Writer, op: Binary, x: ValueId, initial: f32| {
        let body = w.region(&[F32, F32], |w, p| vec![w.op(Op::Binary(op), p, &F32, &[])]);
        let initial = w.op(constant(f32s(&[], vec![initial])), &[], &F32, &[]);
        let folded = w.op(Op::Reduce { dimensions: vec![1], body }, &[x, initial], &F32, &[rows]);
        w.op(Op::BroadcastInDim { dimensions: vec![0] }, &[folded], &F32, &[rows, columns])
    };
    let most = fold(&mut w, Binary::Maximum, x, f32::NEG_INFINITY);
    let centered = w.op(Op::Binary(Binary::Subtract), &[x, most], &F32, &[rows, columns]);
    let exponential = w.op(Op::Unary(Unary::Exponential), &[centered], &F32, &[rows, columns]);
    let sum = fold(&mut w, Binary::Add, exponential, 0.0);
    let result = w.op(Op::Binary(Binary::Divide), &[exponential, sum], &F32, &[rows, columns]);
    let program = program(vec![w.function("main", &[x], &[result])]);
    let data = noise(4, rows * columns);
    for semantics in [Semantics::Wide, Semantics::Reference] {
        let options = Options { semantics, ..threads(2) };
        let result = run(&program, vec![f32s(&[rows, columns], data.clone())], options).unwrap();
        for (row, result) in data.chunks(columns).zip(floats(&result[0]).chunks(columns)) {
            let sum: f64 = row.iter().map(|&x| f64::from(x).exp()).sum();
            for (&x, &y) in row.iter().zip(result) {
                assert!((f64::from(x).exp() / sum - f64::from(y)).abs() < 1e-8);
            }
        }
    }
}

/// Counts to `limit` in a loop that also writes to a tensor that it carries.
#[test]
fn loops_carry_values_in_place() {
    let mut w = Writer::new();
    let (start, carried) = (w.value(&I32, &[]), w.value(&I32, &[1000]));
    let state = |w: &mut Writer| vec![w.value(&I32, &[]), w.value(&I32, &[1000])];
    let parameters = state(&mut w);
    let condition = w.region_of(parameters, |w, p| {
        let limit = w.op(constant(i32s(&[], vec![10])), &[], &I32, &[]);
        vec![w.op(
            Op::Compare { direction: Direction::Lt, order: Order::Partial },
            &[p[0], limit],
            &BOOL,
            &[],
        )]
    });
    let parameters = state(&mut w);
    let body = w.region_of(parameters, |w, p| {
        let square = w.op(Op::Binary(Binary::Multiply), &[p[0], p[0]], &I32, &[]);
        let update = w.op(Op::Reshape, &[square], &I32, &[1]);
        let written = w.op(Op::DynamicUpdateSlice, &[p[1], update, p[0]], &I32, &[1000]);
        let one = w.op(constant(i32s(&[], vec![1])), &[], &I32, &[]);
        vec![w.op(Op::Binary(Binary::Add), &[p[0], one], &I32, &[]), written]
    });
    let results = state(&mut w);
    w.push(Op::While { condition, body }, &[start, carried], results.clone());
    let program = program(vec![w.function("main", &[start, carried], &results)]);
    let input = i32s(&[1000], vec![7; 1000]);
    let place = |tensor: &Tensor| ints(tensor).as_ptr();
    let before = place(&input);
    let result = run(&program, vec![i32s(&[], vec![3]), input], threads(1)).unwrap();
    assert_eq!(ints(&result[0]), [10]);
    assert_eq!(ints(&result[1])[..11], [7, 7, 7, 9, 16, 25, 36, 49, 64, 81, 7]);
    assert_eq!(place(&result[1]), before, "the tensor was copied");
    let options = Options { step_limit: Some(20), ..threads(1) };
    let error =
        run(&program, vec![i32s(&[], vec![-1_000_000]), i32s(&[1000], vec![0; 1000])], options).unwrap_err();
    assert!(error.to_string().contains("limit of 20 steps"), "{error}");
}

/// A result that exceeds the limit is refused before it is computed.
#[test]
fn memory_is_limited() {
    let mut w = Writer::new();
    let x = w.value(&F32, &[]);
    let huge = w.op(Op::BroadcastInDim { dimensions: vec![] }, &[x], &F32, &[1 << 20, 1 << 20]);
    let program = program(vec![w.function("main", &[x], &[huge])]);
    let options = Options { memory_limit: 1 << 20, ..threads(1) };
    let error = run(&program, vec![f32s(&[], vec![1.0])], options).unwrap_err();
    let EvalError::At { source, .. } = error else { panic!("{error}") };
    assert!(matches!(*source, EvalError::Memory { limit: 0x10_0000, .. }), "{source}");
}

fn parallel(
    write: impl Fn(&mut Writer, ValueId) -> ValueId,
    shape: &[usize],
    grid: (usize, usize),
) -> Program {
    let mut w = Writer::new();
    let x = w.value(&F32, shape);
    let result = write(&mut w, x);
    let process = w.function("process", &[x], &[result]);
    let result_type = process.results[0].clone();
    let mut w = Writer::new();
    let count = grid.0 * grid.1;
    let parameters: Vec<ValueId> = (0..count).map(|_| w.value(&F32, shape)).collect();
    let binade_stablehlo::Type::Tensor(result) = result_type else { panic!("a tensor") };
    let sizes: Vec<usize> = result.shape.iter().map(|size| size.unwrap()).collect();
    let results: Vec<ValueId> = (0..count).map(|_| w.value(&result.element, &sizes)).collect();
    let programs = vec![vec![0; grid.1]; grid.0];
    w.push(Op::RunParallel { programs, infeed: vec![] }, &parameters, results.clone());
    program(vec![process, w.function("main", &parameters, &results)])
}

fn collective(groups: &[&[usize]]) -> Collective {
    let groups = groups.iter().map(|group| group.to_vec()).collect();
    Collective { groups, channel: 0, use_global_device_ids: false }
}

#[test]
fn processes_sum_and_exchange() {
    let grid = (2, 2);
    let inputs = || (0..4).map(|at| f32s(&[2], vec![at as f32, 10.0 * at as f32])).collect::<Vec<_>>();
    // Processes in the order (replica, partition): (0,0), (0,1), (1,0), (1,1).
    let sum = parallel(
        |w, x| {
            let body = w.region(&[F32, F32], |w, p| vec![w.op(Op::Binary(Binary::Add), p, &F32, &[])]);
            w.op(Op::AllReduce { collective: collective(&[&[0, 1]]), body }, &[x], &F32, &[2])
        },
        &[2],
        grid,
    );
    let results = run(&sum, inputs(), threads(1)).unwrap();
    let values: Vec<&[f32]> = results.iter().map(floats).collect();
    assert_eq!(values, [[2.0, 20.0], [4.0, 40.0], [2.0, 20.0], [4.0, 40.0]]);
    let gather = parallel(
        |w, x| w.op(Op::AllGather { dimension: 0, collective: collective(&[&[1, 0]]) }, &[x], &F32, &[4]),
        &[2],
        grid,
    );
    let results = run(&gather, inputs(), threads(1)).unwrap();
    assert_eq!(floats(&results[0]), [2.0, 20.0, 0.0, 0.0]);
    assert_eq!(floats(&results[3]), [3.0, 30.0, 1.0, 10.0]);
    let permute = parallel(
        |w, x| {
            w.op(Op::CollectivePermute(Collective { channel: 1, ..collective(&[&[0, 1]]) }), &[x], &F32, &[2])
        },
        &[2],
        grid,
    );
    let results = run(&permute, inputs(), threads(1)).unwrap();
    let values: Vec<&[f32]> = results.iter().map(floats).collect();
    assert_eq!(values, [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [2.0, 20.0]]);
}

/// A process that waits for one that has ended gets an error.
#[test]
fn deadlock_is_an_error() {
    let lonely = parallel(
        |w, x| {
            let id = w.op(Op::ReplicaId, &[], &ElementType::Integer { signed: false, width: 32 }, &[]);
            let body = w.region(&[F32, F32], |w, p| vec![w.op(Op::Binary(Binary::Add), p, &F32, &[])]);
            let then = w.region_of(vec![], |w, _| {
                vec![w.op(Op::AllReduce { collective: collective(&[&[0, 1]]), body }, &[x], &F32, &[2])]
            });
            let otherwise = w.region_of(vec![], |_, _| vec![x]);
            let zero = w.op(Op::Convert, &[id], &BOOL, &[]);
            w.op(Op::If { then: otherwise, otherwise: then }, &[zero], &F32, &[2])
        },
        &[2],
        (2, 1),
    );
    let inputs = || (0..2).map(|_| f32s(&[2], vec![0.0; 2])).collect::<Vec<_>>();
    let error = run(&lonely, inputs(), threads(1)).unwrap_err();
    assert!(
        error.to_string().contains("deadlock: process (0, 0) waits in all_reduce for process (1, 0)"),
        "{error}"
    );
}

#[test]
fn tokens_pass_through_manual_computations() {
    let text = r#"sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {
  %t = stablehlo.create_token : !stablehlo.token
  %0:2 = sdy.manual_computation(%t, %a) in_shardings=[<@m, []>, <@m, [{"x"}]>] out_shardings=[<@m, []>, <@m, [{"x"}]>] manual_axes={"x"} (%u: !stablehlo.token, %b: tensor<2xi32>) {
    %1 = stablehlo.after_all %u : !stablehlo.token
    %2 = stablehlo.add %b, %b : tensor<2xi32>
    sdy.return %1, %2 : !stablehlo.token, tensor<2xi32>
  } : (!stablehlo.token, tensor<4xi32>) -> (!stablehlo.token, tensor<4xi32>)
  %3 = stablehlo.after_all %0#0 : !stablehlo.token
  return %0#1 : tensor<4xi32>
}"#;
    let program = Program::parse(text).unwrap();
    let results = run(&program, vec![i32s(&[4], vec![1, 2, 3, 4])], threads(2)).unwrap();
    assert!(matches!(&*results[0].data, Data::I32(items) if items == &[2, 4, 6, 8]));
}

/// A program in which the devices where `waits` says so wait for all others, in two nested computations.
fn half_waits(depth: &str) -> String {
    format!(
        "sdy.mesh @m = <[\"x\"=2, \"y\"=2]>\nfunc.func @main(%a: tensor<4xi32>) -> tensor<4xi32> {{
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{{\"x\"}}]>] out_shardings=[<@m, [{{\"x\"}}]>] manual_axes={{\"x\"}} (%b: tensor<2xi32>) {{
    %1 = sdy.manual_computation(%b) in_shardings=[<@m, [{{\"y\"}}]>] out_shardings=[<@m, [{{\"y\"}}]>] manual_axes={{\"y\"}} (%c: tensor<1xi32>) {{
      %id = stablehlo.partition_id : tensor<ui32>
      %half = stablehlo.constant dense<{depth}> : tensor<ui32>
      %p = stablehlo.compare LT, %id, %half : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %2 = \"stablehlo.if\"(%p) ({{
        %3 = \"stablehlo.all_reduce\"(%c) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}}> ({{
        ^bb0(%l: tensor<i32>, %r: tensor<i32>):
          %s = stablehlo.add %l, %r : tensor<i32>
          stablehlo.return %s : tensor<i32>
        }}) : (tensor<1xi32>) -> tensor<1xi32>
        stablehlo.return %3 : tensor<1xi32>
      }}, {{
        stablehlo.return %c : tensor<1xi32>
      }}) : (tensor<i1>) -> tensor<1xi32>
      sdy.return %2 : tensor<1xi32>
    }} : (tensor<2xi32>) -> tensor<2xi32>
    sdy.return %1 : tensor<2xi32>
  }} : (tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}}"
    )
}

#[test]
fn devices_that_wait_for_others_in_vain_are_an_error() {
    let input = || vec![i32s(&[4], vec![1, 2, 3, 4])];
    let all = Program::parse(&half_waits("4")).unwrap();
    let results = run(&all, input(), Options::default()).unwrap();
    assert!(matches!(&*results[0].data, Data::I32(items) if items == &[10; 4]));
    let half = Program::parse(&half_waits("2")).unwrap();
    let error = run(&half, input(), Options::default()).unwrap_err().to_string();
    assert!(error.contains("deadlock: process (0, 0) waits in all_reduce for process (0, "), "{error}");
}

#[test]
fn replicas_of_a_program_exchange_values() {
    let text = "func.func @main(%a: tensor<i32>) -> tensor<i32> {
      %0 = \"stablehlo.all_reduce\"(%a) <{replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> ({
      ^bb0(%l: tensor<i32>, %r: tensor<i32>):
        %s = stablehlo.subtract %l, %r : tensor<i32>
        stablehlo.return %s : tensor<i32>
      }) : (tensor<i32>) -> tensor<i32>
      %id = stablehlo.replica_id : tensor<ui32>
      %1 = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
      %2 = stablehlo.add %0, %1 : tensor<i32>
      return %2 : tensor<i32>
    }";
    let program = Program::parse(text).unwrap();
    let executable = Executable::new(&program, Options::default()).unwrap();
    let inputs = [100, 20, 3].map(|x| vec![Value::Tensor(i32s(&[], vec![x]))]);
    let results = executable.run_replicas("main", inputs.to_vec()).unwrap();
    let found: Vec<i32> = results
        .iter()
        .map(|results| match &results[..] {
            [Value::Tensor(Tensor { data, .. })] => match &**data {
                Data::I32(items) => items[0],
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(found, [77, 78, 79]);
    assert!(executable.run_replicas("main", vec![vec![], vec![]]).is_err());
}
