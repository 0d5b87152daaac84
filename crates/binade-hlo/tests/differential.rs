//! Random programs give the same bits by the optimised plan and by the plain one, which executes operations one at a
//! time. This holds for any number of threads, and with and without a rule of arithmetic.
//!
//! `BINADE_FUZZ_PROGRAMS` is the number of programs (200), `BINADE_FUZZ_SEED` the first seed (0). A failure prints its
//! own seed.

use binade::philox::Stream;
use binade_hlo::eval::rules::Rules;
use binade_hlo::eval::{Event, Executable, Observer, Options};
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, Type, Value};

/// An observer that makes operations run one at a time.
struct PassiveObserver;

impl Observer for PassiveObserver {
    fn done(&self, _: &Event<'_>) -> bool {
        true
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Kind {
    element: &'static str,
    shape: Vec<usize>,
}

impl Kind {
    fn text(&self) -> String {
        let sizes: String = self.shape.iter().map(|size| format!("{size}x")).collect();
        format!("tensor<{sizes}{}>", self.element)
    }

    fn of(&self, shape: &[usize]) -> Kind {
        Kind { shape: shape.to_vec(), ..self.clone() }
    }

    fn is_float(&self) -> bool {
        self.element.contains('f')
    }

    fn elements(&self) -> usize {
        self.shape.iter().product()
    }
}

const FLOATS: &[&str] = &["f32", "f32", "f32", "bf16", "f16", "f64", "f8E4M3FN"];
const INTEGERS: &[&str] = &["i32", "ui32", "i64", "i8", "ui8"];
const SHAPES: &[&[usize]] = &[
    &[],
    &[1],
    &[7],
    &[64],
    &[4, 5],
    &[5, 4],
    &[8, 33],
    &[3, 1, 6],
    &[2, 3, 4, 5],
    &[0, 3],
    &[40, 130],
    &[2100],
    &[70, 1000],
];
/// Shapes of values that loops keep in registers.
const SHORT: &[&[usize]] = &[&[], &[], &[2], &[2], &[3], &[16], &[17], &[4, 5], &[64]];

/// A program in progress: its text, and the values that later operations can read.
struct Writer {
    random: Stream,
    text: String,
    values: Vec<(String, Kind)>,
    count: usize,
}

impl Writer {
    fn put(&mut self, kind: Kind, operation: impl AsRef<str>) -> String {
        let name = format!("%v{}", self.count);
        self.count += 1;
        self.text += &format!("  {name} = stablehlo.{}\n", operation.as_ref());
        self.values.push((name.clone(), kind));
        name
    }

    fn any(&mut self) -> (String, Kind) {
        // Later values are more frequent.
        let length = self.values.len();
        let back = self.random.below(length).min(self.random.below(length));
        self.values[length - 1 - back].clone()
    }

    fn find(&mut self, wanted: impl Fn(&Kind) -> bool) -> Option<(String, Kind)> {
        let found: Vec<_> = self.values.iter().filter(|(_, kind)| wanted(kind)).cloned().collect();
        (!found.is_empty()).then(|| self.random.one_of(&found).clone())
    }

    fn like(&mut self, kind: &Kind) -> String {
        match self.find(|other| other == kind) {
            Some((name, _)) => name,
            None => self.constant(kind),
        }
    }

    fn constant(&mut self, kind: &Kind) -> String {
        let value = match kind.element {
            "i1" => ["true", "false"][self.random.below(2)].to_owned(),
            element if element.contains('f') => {
                let special = match element {
                    "f32" => ["0x7F800000", "0x7FC00000", "0xFF800000", "1.0e-40", "-0.0", "3.0e38"],
                    _ => ["0.0", "-0.0", "1.0", "-1.0", "0.5", "4.0"],
                };
                match self.random.one_in(4) {
                    true => (*self.random.one_of(&special)).to_owned(),
                    false => format!("{:?}", self.random.below(4000) as f64 / 512.0 - 4.0),
                }
            }
            "i8" | "i32" | "i64" => format!("{}", self.random.below(80) as i64 - 40),
            _ => format!("{}", self.random.below(40)),
        };
        self.put(kind.clone(), format!("constant dense<{value}> : {}", kind.text()))
    }

    /// Adds a random operation; `None` if its operands are missing.
    fn operation(&mut self, depth: usize) -> Option<()> {
        let (x, kind) = self.any();
        let t = kind.text();
        let rank = kind.shape.len();
        match self.random.below([22, 21, 19][depth]) {
            0..4 => {
                let ops: &[&str] = match kind.element {
                    "i1" => &["and", "or", "xor"],
                    _ if kind.is_float() => &[
                        "add", "subtract", "multiply", "divide", "maximum", "minimum", "add", "multiply",
                        "power",
                    ],
                    _ => &[
                        "add",
                        "subtract",
                        "multiply",
                        "divide",
                        "remainder",
                        "and",
                        "or",
                        "xor",
                        "maximum",
                        "minimum",
                        "shift_left",
                        "shift_right_logical",
                        "shift_right_arithmetic",
                    ],
                };
                let (op, y) = (*self.random.one_of(ops), self.like(&kind));
                self.put(kind, format!("{op} {x}, {y} : {t}"));
            }
            4..6 => {
                let ops: &[&str] = match kind.element {
                    "i1" => &["not"],
                    _ if kind.is_float() => &[
                        "tanh",
                        "exponential",
                        "log",
                        "logistic",
                        "abs",
                        "negate",
                        "sqrt",
                        "rsqrt",
                        "sine",
                        "cosine",
                        "floor",
                        "ceil",
                        "sign",
                        "exponential_minus_one",
                        "cbrt",
                    ],
                    "ui32" | "ui8" => &["not", "popcnt", "count_leading_zeros"],
                    _ => &["not", "negate", "abs", "sign", "popcnt"],
                };
                let op = *self.random.one_of(ops);
                self.put(kind, format!("{op} {x} : {t}"));
            }
            6 => {
                let direction = *self.random.one_of(&["LT", "LE", "GT", "GE", "EQ", "NE"]);
                let y = self.like(&kind);
                let truth = Kind { element: "i1", shape: kind.shape };
                let p = self.put(
                    truth.clone(),
                    format!("compare {direction}, {x}, {y} : ({t}, {t}) -> {}", truth.text()),
                );
                let element = *self.random.one_of(FLOATS);
                let kind = Kind { element, shape: truth.shape.clone() };
                let (yes, no) = (self.like(&kind), self.like(&kind));
                self.put(
                    kind.clone(),
                    format!("select {p}, {yes}, {no} : {}, {}", truth.text(), kind.text()),
                );
            }
            7 => {
                let all = [FLOATS, INTEGERS][self.random.below(2)];
                let element = *self.random.one_of(all);
                let to = Kind { element, shape: kind.shape.clone() };
                self.put(to.clone(), format!("convert {x} : ({t}) -> {}", to.text()));
            }
            8 | 9 => {
                // Adds dimensions, and broadcasts those of one element.
                let mut shape = kind.shape.clone();
                let mut dimensions: Vec<usize> = (0..rank).collect();
                for size in shape.iter_mut().filter(|size| **size == 1) {
                    *size = 1 + self.random.below(5);
                }
                if rank < 3 {
                    let at = self.random.below(rank + 1);
                    shape.insert(at, 1 + self.random.below(9));
                    dimensions
                        .iter_mut()
                        .filter(|dimension| **dimension >= at)
                        .for_each(|dimension| *dimension += 1);
                }
                let to = kind.of(&shape);
                if to.elements() > 100_000 {
                    return None;
                }
                self.put(
                    to.clone(),
                    format!("broadcast_in_dim {x}, dims = {dimensions:?} : ({t}) -> {}", to.text()),
                );
            }
            10 => {
                let mut shape = kind.shape.clone();
                match rank {
                    2.. => {
                        let last = shape.pop()?;
                        *shape.last_mut()? *= last;
                    }
                    _ => shape.push(1),
                }
                let to = kind.of(&shape);
                self.put(to.clone(), format!("reshape {x} : ({t}) -> {}", to.text()));
            }
            11 if rank > 1 => {
                let mut order: Vec<usize> = (0..rank).collect();
                let (a, b) = (self.random.below(rank), self.random.below(rank));
                order.swap(a, b);
                let shape: Vec<usize> = order.iter().map(|&at| kind.shape[at]).collect();
                let to = kind.of(&shape);
                self.put(to.clone(), format!("transpose {x}, dims = {order:?} : ({t}) -> {}", to.text()));
            }
            12 if rank > 0 => {
                let (mut ranges, mut shape) = (vec![], vec![]);
                for &size in &kind.shape {
                    let start = self.random.below(size + 1);
                    let limit = start + self.random.below(size - start + 1);
                    let step = if self.random.one_in(3) { 2 } else { 1 };
                    shape.push((limit - start).div_ceil(step));
                    ranges.push(format!("{start}:{limit}:{step}"));
                }
                let to = kind.of(&shape);
                self.put(to.clone(), format!("slice {x} [{}] : ({t}) -> {}", ranges.join(", "), to.text()));
            }
            13 if rank > 0 => {
                let (y, at) = (self.like(&kind), self.random.below(rank));
                let mut shape = kind.shape.clone();
                shape[at] *= 2;
                let to = kind.of(&shape);
                if to.elements() > 200_000 {
                    return None;
                }
                self.put(
                    to.clone(),
                    format!("concatenate {x}, {y}, dim = {at} : ({t}, {t}) -> {}", to.text()),
                );
            }
            14 | 15 if rank > 0 && kind.element != "i1" => {
                let op = *self.random.one_of(&["add", "maximum", "minimum", "multiply"]);
                let dimensions: Vec<usize> = (0..rank).filter(|_| self.random.one_in(2)).collect();
                let kept: Vec<usize> =
                    (0..rank).filter(|at| !dimensions.contains(at)).map(|at| kind.shape[at]).collect();
                let initial = self.constant(&kind.of(&[]));
                let to = kind.of(&kept);
                let scalar = kind.of(&[]).text();
                self.put(
                    to.clone(),
                    format!(
                        "reduce({x} init: {initial}) applies stablehlo.{op} across dimensions = {dimensions:?} : \
                        ({t}, {scalar}) -> {}",
                        to.text()
                    ),
                );
            }
            16 | 17 if rank > 0 && kind.element != "i1" && kind.element != "f8E4M3FN" => {
                let at = self.random.below(rank);
                let wanted =
                    |other: &Kind| other.element == kind.element && other.shape.contains(&kind.shape[at]);
                let (y, other) = self.find(wanted)?;
                let with = other.shape.iter().position(|&size| size == kind.shape[at])?;
                let mut shape = kind.shape.clone();
                shape.remove(at);
                let mut rest = other.shape.clone();
                rest.remove(with);
                shape.extend(rest);
                let element = match kind.element {
                    "i8" if self.random.one_in(2) => "i32",
                    "bf16" if self.random.one_in(2) => "f32",
                    element => element,
                };
                let to = Kind { element, shape };
                if to.elements() * kind.shape[at].max(1) > 1 << 22
                    || to.elements() > 200_000
                    || to.shape.len() > 5
                {
                    return None;
                }
                let u = other.text();
                self.put(
                    to.clone(),
                    format!(
                        "dot_general {x}, {y}, contracting_dims = [{at}] x [{with}] : ({t}, {u}) -> {}",
                        to.text()
                    ),
                );
            }
            18 if rank > 0 => {
                let index = Kind { element: "i32", shape: vec![] };
                let indices: Vec<String> = (0..rank).map(|_| self.like(&index)).collect();
                let shape: Vec<usize> =
                    kind.shape.iter().map(|&size| self.random.below(size.min(300) + 1)).collect();
                let to = kind.of(&shape);
                let indices = indices.join(", ");
                let scalars = vec!["tensor<i32>"; rank].join(", ");
                if self.random.one_in(2) {
                    self.put(
                        to.clone(),
                        format!(
                            "dynamic_slice {x}, {indices}, sizes = {shape:?} : ({t}, {scalars}) -> {}",
                            to.text()
                        ),
                    );
                } else {
                    let part = self.like(&to);
                    let u = to.text();
                    self.put(
                        kind,
                        format!("dynamic_update_slice {x}, {part}, {indices} : ({t}, {u}, {scalars}) -> {t}"),
                    );
                }
            }
            20 => self.chosen(depth),
            19 | 21 => self.repeated(depth),
            _ => return None,
        }
        Some(())
    }

    /// A choice between operations, by an index that may be out of range.
    fn chosen(&mut self, depth: usize) {
        let index = self.like(&Kind { element: "i32", shape: vec![] });
        let kinds: Vec<Kind> = (0..1 + self.random.below(2)).map(|_| self.any().1).collect();
        let types: Vec<String> = kinds.iter().map(Kind::text).collect();
        let types = types.join(", ");
        let id = self.count;
        self.count += 1;
        self.text += &format!("  %b{id}:{} = \"stablehlo.case\"({index}) (", kinds.len());
        let outside = self.values.clone();
        for branch in 0..2 {
            self.text += if branch == 0 { "{\n" } else { ", {\n" };
            for _ in 0..1 + self.random.below(4) {
                self.operation(depth + 1);
            }
            let results: Vec<String> = kinds.iter().map(|kind| self.like(kind)).collect();
            self.text += &format!("  stablehlo.return {} : {types}\n  }}", results.join(", "));
            self.values = outside.clone();
        }
        self.text += &format!(") : (tensor<i32>) -> ({types})\n");
        self.values.extend(kinds.into_iter().enumerate().map(|(at, kind)| (format!("%b{id}#{at}"), kind)));
    }

    /// A loop that carries some values.
    fn repeated(&mut self, depth: usize) {
        let state: Vec<(String, Kind)> = (0..1 + self.random.below(3)).map(|_| self.any()).collect();
        let number = Kind { element: "i32", shape: vec![] };
        let turns = self.random.below(if depth == 0 { 12 } else { 4 });
        let limit = self.put(number.clone(), format!("constant dense<{turns}> : tensor<i32>"));
        let start = self.put(number.clone(), "constant dense<0> : tensor<i32>");
        let one = self.put(number.clone(), "constant dense<1> : tensor<i32>");
        let id = self.count;
        self.count += 1;
        let types: Vec<String> = state.iter().map(|(_, kind)| kind.text()).collect();
        let types = format!("tensor<i32>, {}", types.join(", "));
        let initial: Vec<String> =
            state.iter().enumerate().map(|(at, (name, _))| format!("%s{id}_{at} = {name}")).collect();
        self.text += &format!(
            "  %w{id}:{} = stablehlo.while(%i{id} = {start}, {}) : {types}\n  cond {{\n  %c{id} = stablehlo.compare LT, \
            %i{id}, {limit} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %c{id} : tensor<i1>\n  }} do {{\n  \
            %n{id} = stablehlo.add %i{id}, {one} : tensor<i32>\n",
            state.len() + 1,
            initial.join(", "),
        );
        let outside = self.values.clone();
        self.values.push((format!("%i{id}"), number.clone()));
        for (at, (_, kind)) in state.iter().enumerate() {
            self.values.push((format!("%s{id}_{at}"), kind.clone()));
        }
        for _ in 0..2 + self.random.below(8) {
            self.operation(depth + 1);
        }
        let results: Vec<String> = state.iter().map(|(_, kind)| self.like(kind)).collect();
        self.text += &format!("  stablehlo.return %n{id}, {} : {types}\n  }}\n", results.join(", "));
        self.values = outside;
        for (at, (_, kind)) in state.into_iter().enumerate() {
            self.values.push((format!("%w{id}#{}", at + 1), kind));
        }
    }
}

/// A random program.
fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Stream::new(seed.wrapping_mul(0x1234_5678_9abc_def1)),
        text: String::new(),
        values: vec![],
        count: 0,
    };
    let shapes = if writer.random.one_in(3) { SHORT } else { SHAPES };
    let mut parameters = vec![];
    for at in 0..3 {
        let element = match writer.random.below(3) {
            0 => *writer.random.one_of(INTEGERS),
            _ => *writer.random.one_of(FLOATS),
        };
        let kind = Kind { element, shape: writer.random.one_of(shapes).to_vec() };
        parameters.push(format!("%p{at}: {}", kind.text()));
        writer.values.push((format!("%p{at}"), kind));
    }
    let operations = 4 + writer.random.below(40);
    for _ in 0..operations {
        writer.operation(0);
    }
    let mut returned: Vec<(String, Kind)> = (0..6).map(|_| writer.any()).collect();
    returned.push(writer.values[writer.values.len() - 1].clone());
    let names: Vec<&str> = returned.iter().map(|(name, _)| &name[..]).collect();
    let types: Vec<String> = returned.iter().map(|(_, kind)| kind.text()).collect();
    let (names, types) = (names.join(", "), types.join(", "));
    format!(
        "func.func @main({}) -> ({types}) {{\n{}  return {names} : {types}\n}}\n",
        parameters.join(", "),
        writer.text
    )
}

/// Random elements of a type: any bits for some floating-point inputs, otherwise small numbers.
fn input(random: &mut Stream, element: &ElementType, shape: &[usize]) -> Value {
    let length: usize = shape.iter().product();
    let wild = random.one_in(3);
    let bytes = match element {
        ElementType::Float(FloatType::F32) if !wild => {
            (0..length).flat_map(|_| (random.below(1 << 16) as f32 / 8192.0 - 4.0).to_le_bytes()).collect()
        }
        ElementType::Float(FloatType::F64) if !wild => {
            (0..length).flat_map(|_| (random.below(1 << 16) as f64 / 8192.0 - 4.0).to_le_bytes()).collect()
        }
        _ => (0..length * 8).map(|_| random.word() as u8).collect::<Vec<u8>>(),
    };
    let all = Data::from_le_bytes(element, &bytes);
    let data = Data::from_le_bytes(element, &all.to_le_bytes(0..length));
    Value::Tensor(Tensor::new(element.clone(), shape.to_vec(), data))
}

/// The bits of results, with one value for all NaN: which of two NaN a result is depends on how an operation is
/// computed.
fn bits(results: Vec<Value>) -> Vec<Vec<u64>> {
    let one = |value| {
        let Value::Tensor(tensor) = value else { return vec![] };
        match &*tensor.data {
            Data::F32(all) => {
                all.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits().into() }).collect()
            }
            Data::F64(all) => all.iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect(),
            data => {
                let (bytes, count) = (data.to_le_bytes(0..data.len()), data.len().max(1));
                let infinity = match &tensor.element {
                    ElementType::Float(FloatType::F16) => 0x7c00,
                    ElementType::Float(FloatType::Bf16) => 0x7f80,
                    ElementType::Float(_) => 0x7e,
                    _ => u64::MAX >> 1,
                };
                let sign = if bytes.len() / count == 1 { 0x80 } else { 0x8000 };
                (bytes
                    .chunks((bytes.len() / count).max(1))
                    .map(|code| code.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))))
                .map(|code| if infinity < 1 << 16 && code & !sign > infinity { u64::MAX } else { code })
                .collect()
            }
        }
    };
    results.into_iter().map(one).collect()
}

fn variable(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn fast_plans_keep_the_bits() {
    let (first, count) = (variable("BINADE_FUZZ_SEED", 0), variable("BINADE_FUZZ_PROGRAMS", 200));
    for seed in first..first + count {
        let text = program(seed);
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let main = &program.functions[0];
        let mut random = Stream::new(seed);
        let inputs: Vec<Value> = (main.body.parameters.iter())
            .map(|parameter| match &main.values[parameter.0 as usize] {
                Type::Tensor(ty) => {
                    let shape: Vec<usize> = ty.shape.iter().map(|size| size.expect("a size")).collect();
                    input(&mut random, &ty.element, &shape)
                }
                _ => unreachable!("parameters are tensors"),
            })
            .collect();
        let all = ["bf16:bf16", "*=bf16", "bf16x2:bf16x2/3", "*=float8_e4m3fn", "float8_e4m3fn:f32"];
        let rule = all[(seed / 4) as usize % all.len()];
        for rules in [&[][..], &[rule]].into_iter().take(if seed % 4 == 0 { 2 } else { 1 }) {
            let options = |threads| Options {
                threads: Some(threads),
                rules: Rules::parse(rules).unwrap(),
                ..Options::default()
            };
            let observer = PassiveObserver;
            let plain = Executable::observed(&program, options(1), &observer).unwrap();
            let plain = bits(
                (plain.run("main", inputs.clone()))
                    .unwrap_or_else(|error| panic!("seed {seed}, {rules:?}: {error}\n{text}")),
            );
            for threads in [1, 3] {
                let fast = Executable::new(&program, options(threads)).unwrap();
                // The second run uses recycled memory.
                for time in 0..2 {
                    let fast = bits(fast.run("main", inputs.clone()).unwrap());
                    for (at, (plain, fast)) in plain.iter().zip(&fast).enumerate() {
                        let wrong = plain.iter().zip(fast).position(|(a, b)| a != b);
                        assert!(
                            wrong.is_none() && plain.len() == fast.len(),
                            "seed {seed}, {rules:?}, {threads} threads, time {time}: element {wrong:?} of result {at}: \
                            {:x?} for {:x?}\n{text}",
                            wrong.map(|wrong| fast[wrong]),
                            wrong.map(|wrong| plain[wrong])
                        );
                    }
                }
            }
        }
    }
}
