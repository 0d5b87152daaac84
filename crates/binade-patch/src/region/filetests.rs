//! Each pass on its own: a file of `filetests/` has a function, for later passes operations, and the pass to run; what that
//! makes of them is a snapshot beside it.
//!
//! A file begins with `test PASS` and what the pass needs: `operator=bf16:bf16`, `level=avx2`, `registers=0,1,2,3`. A line of
//! the function has an instruction's bytes and, after `;`, its assembly, which has to be that of the bytes. After a line
//! `operations` follow [operations](super::text).

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use iced_x86::{Decoder, DecoderOptions, Instruction, Register};

use super::allocate::allocate;
use super::fold::fold;
use super::graph::{Graph, Vectors};
use super::ir::{Constant, Operation, Resources, Width};
use super::lower::{Adders, Destination, Exit, Held, Item, Lowering, Rule};
use super::narrow::Avx2Resources;
use super::schedule::schedule;
use super::text::{assembly, print, read};
use super::{Builder, Request, translate_all};
use crate::fma::Fma;
use crate::trampoline::{Level, ProgramRounding, Target, Units};

/// The address of a file's function, and the expected result.
const FUNCTION: u64 = 0x1000;
const REGION: u64 = 0x4000;

/// The contents of a file.
struct Case {
    pass: String,
    options: BTreeMap<String, String>,
    function: Vec<Instruction>,
    operations: Vec<Operation>,
}

impl Case {
    fn read(text: &str) -> Case {
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        let head = lines.next().unwrap();
        let mut words = head.strip_prefix("test ").unwrap().split_whitespace();
        let pass = words.next().unwrap().to_owned();
        let options = words.map(|word| word.split_once('=').unwrap_or((word, "")));
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let (mut function, mut operations, mut at) = (Vec::new(), Vec::new(), FUNCTION);
        for line in lines.by_ref().take_while(|line| *line != "operations") {
            let (bytes, expected) = line.split_once(';').unwrap();
            let bytes = bytes.trim();
            let digit = |k| u8::from_str_radix(&bytes[k..k + 2], 16).unwrap();
            let bytes: Vec<u8> = (0..bytes.len()).step_by(2).map(digit).collect();
            let instruction = Decoder::with_ip(64, &bytes, at, DecoderOptions::NONE).decode();
            assert_eq!((instruction.len(), assembly(&instruction).as_str()), (bytes.len(), expected.trim()));
            at = instruction.next_ip();
            function.push(instruction);
        }
        for line in lines {
            operations.push(read(line, &function).unwrap_or_else(|| panic!("no operation: {line}")));
        }
        Case { pass, options, function, operations }
    }

    fn target(&self) -> Target {
        let level = match self.options.get("level").map(String::as_str) {
            None | Some("vnni") => Level::Avx512 { vnni: true },
            Some("avx512") => Level::Avx512 { vnni: false },
            Some("avx2") => Level::Avx2,
            Some(other) => panic!("no level: {other}"),
        };
        let target = Target::new(self.options["operator"].parse().unwrap(), level);
        let units = if self.options.contains_key("shared") { Units::Shared } else { Units::Apart };
        let rounding = self.options.get("rounding").map(|name| match name.as_str() {
            "up" => ProgramRounding::Up,
            "down" => ProgramRounding::Down,
            "random" => ProgramRounding::Random,
            other => panic!("no rounding: {other}"),
        });
        Target { units, rounding, ..target }
    }

    fn registers(&self) -> Vec<u8> {
        self.options["registers"].split(',').map(|register| register.parse().unwrap()).collect()
    }

    /// The pass's output.
    fn run(&self) -> String {
        let graph = Graph::new(&self.function, &Fma::fused);
        match self.pass.as_str() {
            "graph" => self.graph(&graph),
            "lower" => self.lower(&graph),
            "schedule" => lines(&schedule(&self.operations, &graph.effects, self.registers().len(), true)),
            "fold" => lines(&fold(self.operations.clone())),
            "allocate" => lines(&allocate(&self.operations, &self.registers(), Width::Zmm)),
            "emit" => self.emit(),
            "region" => self.region(),
            other => panic!("no pass: {other}"),
        }
    }

    /// The function's graph, and the ranges worth translating.
    fn graph(&self, graph: &Graph) -> String {
        let mut out = String::new();
        for (k, instruction) in self.function.iter().enumerate() {
            let (effects, label) = (&graph.effects[k], if graph.leaders.contains(&k) { ":" } else { " " });
            write!(out, "{k}{label} {}", assembly(instruction)).unwrap();
            write!(out, " ; reads {} writes {}", set(effects.reads), set(effects.writes)).unwrap();
            writeln!(out, " live {}", set(graph.live[k])).unwrap();
        }
        let long = self.options.get("long").map(|count| count.parse().unwrap());
        for range in graph.candidates(super::LEASTS, &|_| true, long) {
            writeln!(out, "{}..={}", range.start(), range.end()).unwrap();
        }
        out
    }

    /// The operations of the first region, before their order and registers are chosen.
    fn lower(&self, graph: &Graph) -> String {
        let (target, request_at) = (self.target(), |address| address);
        let rule = Rule::of(&target).unwrap();
        let range = graph.candidates(super::LEASTS, &|fma| rule.obstacle(fma).is_none(), None).remove(0);
        let request = Request {
            target: &target,
            selected: &Fma::fused,
            foreign: &|_| false,
            single: &request_at,
            resume: &request_at,
            word: &|_| 0,
            keeps_clean: false,
            check: None,
        };
        let builder = Builder::new(graph, range.clone(), rule, &request).unwrap();
        let quick = self.options.contains_key("quick");
        let few = builder.quick_registers().filter(|_| quick);
        let hosted = few.as_ref().map_or(builder.hosted, |&(_, hosted)| hosted);
        let mut lowering =
            Lowering::new(graph, range, rule, (hosted, &builder.invariants), &|segment| segment);
        if quick {
            lowering = lowering.quick(Adders::of(rule, &target), few.is_some());
        }
        for register in (0..32).filter(|r| hosted >> r & 1 == 1) {
            lowering.slots.of(Held::Hosted(register));
        }
        let mut out = String::new();
        for k in builder.entries() {
            let label = lowering.enter(k).unwrap();
            writeln!(out, "entry {k}: L{label}").unwrap();
        }
        for item in &lowering.items {
            match item {
                Item::Label(label) => writeln!(out, "L{label}:"),
                Item::Operation(operation) => {
                    let line = print(operation);
                    let again = read(&line, &self.function);
                    assert!(again == Some(*operation), "{line} is read as {again:?}");
                    writeln!(out, "  {line}")
                }
                Item::Branch { code, target: Destination::Label(label), origin } => {
                    writeln!(out, "  {origin} {:?} L{label}", code.mnemonic())
                }
                Item::Branch { code, target: Destination::Exit(exit), origin } => {
                    writeln!(out, "  {origin} {:?} exit{exit}", code.mnemonic())
                }
            }
            .unwrap();
        }
        for (number, Exit { address, loose, first, open, live }) in lowering.exits.iter().enumerate() {
            let (loose, live) = (set(*loose), set(*live));
            let open = if *open == 0 { String::new() } else { format!(" open {}", set(*open)) };
            let first = if *first == 0 { String::new() } else { format!(" first {}", set(*first)) };
            writeln!(out, "exit{number}: {address:#x} loose {loose}{first}{open} live {live}").unwrap();
        }
        out
    }

    /// Each operation's instructions.
    fn emit(&self) -> String {
        let narrow = self.options["level"] == "avx2";
        let resources = Resources {
            words: 0,
            vnni: self.options["level"] == "vnni",
            narrow: narrow.then_some(Avx2Resources { pool: REGION, mask: 15 }),
            resident: if narrow { Vec::new() } else { vec![(Constant::Weights, 31)] },
            odd: (!narrow).then_some(Register::K7),
            frame: Register::R8,
            long: self.options.contains_key("long"),
        };
        let mut out = String::new();
        for operation in &self.operations {
            writeln!(out, "{}", print(operation)).unwrap();
            let mut made = Vec::new();
            resources.lower(operation, &mut made).unwrap();
            made.iter().for_each(|instruction| writeln!(out, "    {}", assembly(instruction)).unwrap());
        }
        out
    }

    /// The machine code of all regions, or the reasons for refusals.
    fn region(&self) -> String {
        let (target, same) = (self.target(), |address| address);
        let selected = &Fma::fused;
        let request = Request {
            target: &target,
            selected,
            foreign: &|_| false,
            single: &same,
            resume: &same,
            word: &|_| 0,
            keeps_clean: self.options.contains_key("clean"),
            check: None,
        };
        let mut out = String::new();
        for region in translate_all(&self.function, &request, REGION) {
            let region = match region {
                Ok(region) => region,
                Err(refusal) => {
                    writeln!(out, "refused: {refusal}").unwrap();
                    continue;
                }
            };
            for entry in &region.entries {
                writeln!(out, "entry {:#x}: {:#x}", entry.original, REGION + u64::from(entry.offset))
                    .unwrap();
            }
            // Constants lie ahead of the code.
            for (number, address) in region.map.addresses.iter().enumerate() {
                let next = region.map.addresses.get(number + 1);
                let end = next.map_or(region.code.len(), |next| next.offset as usize);
                let start = address.offset as usize;
                writeln!(out, "{:#x} {:?}", address.original, address.stage).unwrap();
                let at = REGION + start as u64;
                for instruction in Decoder::with_ip(64, &region.code[start..end], at, DecoderOptions::NONE) {
                    writeln!(out, "    {:#x} {}", instruction.ip(), assembly(&instruction)).unwrap();
                }
            }
        }
        out
    }
}

fn lines(operations: &[Operation]) -> String {
    operations.iter().map(|operation| print(operation) + "\n").collect()
}

/// The registers of a set.
fn set(registers: Vectors) -> String {
    match registers {
        Vectors::MAX => "all".to_owned(),
        registers => {
            let names = (0..32).filter(|r| registers >> r & 1 == 1).map(|r| format!("v{r}"));
            format!("{{{}}}", names.collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn passes_make_what_their_snapshots_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/region/filetests");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    assert!(files.len() > 5);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for file in files {
            let made = Case::read(&std::fs::read_to_string(&file).unwrap()).run();
            insta::assert_snapshot!(file.file_stem().unwrap().to_str().unwrap(), made);
        }
    });
}

#[test]
fn lines_that_are_no_operation_are_not_read() {
    assert!(read("0.1 zmm t1 = add t2 v3 ; a sum", &[]).is_some());
    for line in [
        "",
        "0 zmm t1 = add t2 v3",
        "0.1 t1 = add t2 v3",
        "0.1 zmm t1 add t2 v3",
        "0.1 zmm t1 = sum t2 v3",
        "0.1 zmm t1 = add t2 v3 t4",
        "0.1 zmm t1 = add t2 v32",
        "0.1 zmm t1 = fixup t2",
        "0.1 zmm t1 = load",
        "0.1 zmm t1 = add t2 s16384",
    ] {
        assert_eq!(read(line, &[]), None, "{line}");
    }
}
