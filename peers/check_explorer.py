"""The format explorer's page in headless Chromium against the command.

    check_explorer.py target/format-explorer/index.html [--questions N] [--record FILE.md]

Every named format is shown, rounded to and tabulated, through the page's own fields and through the questions that the page
asks; operations, steps of operators and measures of files are compared, too: every answer must be the command's, letter by
letter (measures to 12 digits). Then what a browser alone can tell: size, start, addresses, keys, names of controls,
contrast, narrow windows. `--questions` has a number of random questions for each kind.
"""

import argparse
import functools
import http.server
import json
import os
import pathlib
import platform
import random
import struct
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np

from browser import Browser, find
from command import run

ROUNDINGS = ["nearest_even", "nearest_away", "toward_positive", "toward_negative", "toward_zero", "to_odd"]
STOCHASTIC = ["stochastic_a", "stochastic_b", "stochastic_c", "random"]
SATURATIONS = ["overflow", "finite", "max"]
VIEWS = ["format", "round", "operate", "compare", "fma", "unit"]
OPERATORS = [
    "bf16:bf16", "bf16:bf16x2", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x2:bf16x2/4", "bf16x3:bf16x3/6", "bf16x3:bf16x3/9",
    "bf16:bf16+flush", "bf16x2:bf16x2/3+listing", "bf16x2:bf16x2/4+exact", "bf16:f32", "float8_e4m3fn:f32", "f16:f16",
]
STOCHASTIC_OPERATORS = ["bf16:bf16/rounding=stochastic", "float8_e4m3fn:bf16/rounding=stochastic_b:8", "bf16:bf16/rounding=random"]
UNITS = [
    "v100:f16", "a100:tf32", "h100:f16", "h100:e4m3", "h100:e4m3*e5m2", "b200:e2m1", "mi100:bf16", "mi250:f16", "mi300x:bf16", "mi300x:e4m3fnuz",
    "amx:bf16", "avx512-bf16:bf16", "h100:f16/result=f16", "unit(products=5,bits=12):bf16",
]
MOST_BYTES = 1_500_000
MOST_MILLISECONDS = 1000

# Answers to questions, one after the other, each as text.
ASK = """(questions, keep) => questions.map((question) => {
  try { return keep(window.binadeExplorer.ask(question)); } catch (error) { return `error: ${error.message}`; }
})"""


class Check:
    """Counts what agrees, and shows what does not."""

    def __init__(self, browser, seed, questions):
        self.browser, self.random, self.questions = browser, random.Random(seed), questions
        self.counts, self.wrong = {}, 0
        self.formats = json.loads(run("formats", "--json"))

    def same(self, what, ours, page, about):
        """Compares lists of texts; `about` is what was asked, one by one."""
        assert len(ours) == len(page) == len(about), f"{what}: {len(ours)} {len(page)} {len(about)}"
        self.counts[what] = self.counts.get(what, 0) + len(ours)
        for command, answer, question in zip(ours, page, about):
            if command != answer:
                self.wrong += 1
                if self.wrong <= 20:
                    print(f"DIFFERENT {what} {question}: command {command!r}, page {answer!r}")

    def expect(self, what, holds, seen=""):
        """One thing that must be so."""
        self.counts[what] = self.counts.get(what, 0) + 1
        if not holds:
            self.wrong += 1
            print(f"NOT SO: {what} {seen}")

    def ask(self, questions, keep):
        """The page's answers, so many at a time."""
        answers = []
        for first in range(0, len(questions), 5000):
            part = json.dumps(questions[first : first + 5000])
            answers += self.browser.run(f"({ASK})({part}, {keep})")
        return answers

    def names(self, biases=1):
        """Every named format, those with a configurable bias with some."""
        for row in self.formats:
            if row["bias"] is None:
                first, last = row["bias_range"]
                for bias in self.random.sample(range(first, last + 1), biases):
                    yield f"{row['name']}@bias={bias}", row["width"]
            else:
                yield row["name"], row["width"]

    def format(self):
        """A random format, rarely one of no name."""
        draw = self.random
        if draw.random() < 0.1:
            width = draw.randint(4, 24)
            precision = draw.randint(max(2, width - 9), width - 2)
            nan, infinities = draw.choice(["none", "ieee", "all_ones", "negative_zero"]), draw.choice(["yes", "no"])
            rule = draw.choice(["ieee", "tesla", "flush"])
            return f"custom@width={width},precision={precision},bias={draw.randint(-3, 20)},nan={nan},infinities={infinities},subnormals={rule}", width
        return draw.choice(self._list())

    @functools.cache
    def _list(self):
        wide = [("f32", 32), ("f64", 64), ("f16", 16), ("bf16", 16), ("tf32", 19)]
        return list(self.names(3)) + 8 * wide + 8 * [("float8_e4m3fn", 8), ("float8_e5m2", 8)]

    def code(self, width):
        """A code of a format, often near an end of its magnitudes."""
        draw = self.random.random()
        if draw < 0.3:
            edge = self.random.choice([0, 1 << (width - 1), (1 << width) - 1])
            return (edge + self.random.randint(-9, 9)) % (1 << width)
        return self.random.getrandbits(width)

    def value(self):
        """A value as somebody would type it."""
        draw, sign = self.random, self.random.choice(["", "", "-"])
        kind = draw.random()
        if kind < 0.1:
            return sign + draw.choice(["0", "inf", "nan", "1", "0x1p-9", "1e400", "1e-400", "0.0", "infinity", "1e5"])
        if kind < 0.4:
            return f"{sign}0x{draw.getrandbits(draw.randint(1, 60)):x}p{draw.randint(-90, 40)}"
        if kind < 0.6:
            return f"{sign}{draw.randint(1, 9999)}e-{draw.randint(0, 6)}"
        return f"{sign}{draw.random():.17f}e{draw.randint(-40, 40) // draw.choice([1, 10])}"

    # What the page knows.

    def lists(self):
        """The formats, in the command's order, and all that it shows of some."""
        page = self.browser.run("window.binadeExplorer.ask({ask: 'formats'}).formats")
        keys = ["name", "aliases", "source", "width", "precision", "bias"]
        shown = [json.dumps([row[key] for key in keys]) for row in page]
        self.same("formats", [json.dumps([row[key] for key in keys]) for row in self.formats], shown, [row["name"] for row in self.formats])
        names = [name for name, _ in self.names()]
        # A process each: some of them in the short run.
        if self.questions < len(names):
            names = names[:20] + self.random.sample(names, 40)
        ours = []
        for name in names:
            facts = json.loads(run("show", name, "--json"))
            ours.append(json.dumps({key: value for key, value in facts.items() if not key.endswith("_decimal")}))
        page = self.ask([{"ask": "show", "format": name} for name in names], "(answer) => answer.properties")
        extremes = ("min_subnormal", "max_subnormal", "min_normal", "max_finite")
        page = [json.dumps({key: value[0] if key in extremes and value else int(value) if key == "finite_values" else value for key, value in facts.items()}) for facts in page]
        self.same("show", ours, page, names)

    def tables(self):
        """Rows of the tables of codes."""
        # With 16 exponent bits, the command writes decimals of thousands of digits.
        exponents = {row["name"]: row["width"] - row["precision"] for row in self.formats}
        names = [(name, width) for name, width in self.names() if width <= 16 and exponents[name.split("@")[0]] <= 8]
        if self.questions < 5000:
            names = self.random.sample(names, 12)
        for name, width in names:
            rows = run("table", name, "--csv").splitlines()[1:]
            codes = range(len(rows)) if len(rows) <= 4096 else sorted(self.random.sample(range(len(rows)), 1000))
            keep = "(answer) => answer.rows.map(({code, bits, value, decimal, class: kind}) => [code, bits, value, decimal, kind].join())"
            [page] = self.ask([{"ask": "rows", "format": name, "codes": [hex(code) for code in codes]}], keep)
            ours, shown = [], []
            for code, row in zip(codes, page):
                # The page shortens what the command's CSV writes out.
                shortened = row.split(",")[3].startswith("≈")
                drop = (lambda text: ",".join(part for at, part in enumerate(text.split(",")) if at != 3)) if shortened else str
                ours.append(drop(rows[code]))
                shown.append(drop(row))
            self.same("table rows", ours, shown, [f"{name} {code:#x}" for code in codes])

    def evaluations(self):
        """Random operations in random formats and modes: `eval --batch`."""
        operations = [row for row in self.browser.run("window.binadeExplorer.ask({ask: 'operations'}).operations")]
        lines, questions = [], []
        for _ in range(self.questions):
            operation = self.random.choice(operations)
            sources = [self.format() for _ in range(operation["operands"] if self.random.random() < 0.5 else 1)]
            target = self.format() if self.random.random() < 0.7 else sources[0]
            rounding, saturation = self.random.choice(ROUNDINGS + STOCHASTIC), self.random.choice(SATURATIONS)
            codes = [hex(self.code(sources[at % len(sources)][1])) for at in range(operation["operands"])]
            scales = [self.random.randint(-20, 20) for _ in range(operation["scales"])]
            line = f"{operation['name']} {','.join(name for name, _ in sources)} {target[0]} {rounding} {saturation} {' '.join(codes)}"
            modes = {}
            if scales:
                line += f" scale={','.join(map(str, scales))}"
            if rounding in STOCHASTIC:
                bits = self.random.randint(1, 32)
                modes = {"random_bits": bits, "random": self.random.getrandbits(bits)}
                line += f" random={modes['random']}/{bits}"
            lines.append(line)
            questions.append({
                "ask": "operate", "operation": operation["name"], "from": ",".join(name for name, _ in sources), "to": target[0],
                "operands": codes, "scales": scales, "rounding": rounding, "saturation": saturation, "modes": modes,
            })
        page = self.ask(questions, "(answer) => `${answer.code} ${answer.flags}`")
        self.same("operations", batch(lines), page, lines)

    def encodings(self):
        """Values into every format: code, bits, value, error and flags by `encode --explain`."""
        names = [name for name, _ in self.names()]
        each = max(4, self.questions // len(names))
        if self.questions < len(names):
            names = self.random.sample(names, 100)
        for name in names:
            values = [self.value() for _ in range(each)]
            rounding, saturation = self.random.choice(ROUNDINGS + STOCHASTIC), self.random.choice(SATURATIONS)
            bits, seed = self.random.randint(1, 32), self.random.randint(0, 1 << 40)
            chance = ["--seed", str(seed)] if rounding in STOCHASTIC else []
            # A fair coin has one bit, which is not an option.
            chance += ["--random-bits", str(bits)] if rounding in STOCHASTIC and rounding != "random" else []
            if chance:
                # The command draws anew for each value of a run, the page for its one.
                values = values[:1]
            text = run("encode", name, "-", "--explain", "--rounding", rounding, "--saturation", saturation, *chance, text="\n".join(values))
            given = {"format": name, "modes": {"random_bits": bits, "seed": seed}}
            write = "({code, bits, value, error, flags}) => [code, bits, value, error, flags].join(' ')"
            grid = f"(answer) => ({write})(answer.modes.find((row) => row.rounding === '{rounding}').results[{SATURATIONS.index(saturation)}])"
            about = [f"{name} {value} {rounding} {saturation}" for value in values]
            page = self.ask([{"ask": "round", "value": value, **given} for value in values], grid)
            self.same("roundings", text.splitlines(), page, about)
            steps = [{"ask": "steps", "value": value, "rounding": rounding, "saturation": saturation, **given} for value in values]
            page = self.ask(steps, f"(answer) => ({write})(answer.result)")
            self.same("steps", text.splitlines(), page, about)

    def cases(self):
        """Every named format with a value, and what the command makes of it in the 18 modes without random bits."""
        lines, cases = [], []
        for name, _ in self.names():
            value = self.random.choice([1, -1, 1.0 + self.random.random()]) * 2.0 ** self.random.randint(-12, 9)
            code = struct.unpack("<Q", struct.pack("<d", value))[0]
            modes = [f"{rounding} {saturation}" for rounding in ROUNDINGS for saturation in SATURATIONS]
            lines += [f"convert f64 {name} {mode} {code:#x}" for mode in modes]
            cases.append((name, value.hex(), modes))
        answers = iter(batch(lines))
        return [(name, value, {mode: next(answers) for mode in modes}) for name, value, modes in cases]

    def grids(self):
        """All of them by one question each."""
        cases = self.cases()
        keep = "(answer) => answer.modes.flatMap((row) => row.results.map(({code, flags}) => `${code} ${flags}`))"
        page = self.ask([{"ask": "round", "format": name, "value": value} for name, value, _ in cases], keep)
        for (name, value, wanted), answers in zip(cases, page):
            self.same("grids of every format", list(wanted.values()), answers[: len(wanted)], [f"{name} {value} {mode}" for mode in wanted])

    def fields(self):
        """The same typed into the page, and its grid read from the document."""
        cases = self.cases()
        if self.questions < 5000:
            cases = self.random.sample(cases, 60)
        script = """(cases) => {
          location.hash = "#view=round";
          const type = (id, text) => { const field = document.getElementById(id); field.value = text; field.dispatchEvent(new Event("input", {bubbles: true})); };
          const results = [];
          for (const [format, value] of cases) {
            type("format", format); type("value", value);
            const cells = {};
            for (const cell of document.querySelectorAll("[data-mode]")) {
              const [rounding, ...saturations] = cell.dataset.mode.split(" ");
              for (const saturation of saturations) cells[`${rounding} ${saturation}`] = `${cell.dataset.code} ${cell.dataset.flags}`;
            }
            const last = [...document.querySelectorAll(".steps li")].pop();
            results.push([cells, last ? last.textContent : document.getElementById("round-steps").textContent]);
          }
          return results;
        }"""
        self.browser.run("location.hash = '#view=round'")
        self.browser.wait("document.getElementById('value')")
        page = self.browser.run(f"({script})({json.dumps([case[:2] for case in cases])})")
        for (name, value, wanted), (cells, last) in zip(cases, page):
            shown = [cells.get(mode, f"missing: {last}") for mode in wanted]
            self.same("cells of the page", list(wanted.values()), shown, [f"{name} {value} {mode}" for mode in wanted])
            # nearest_even and overflow are chosen.
            self.expect("last step", f"Code {wanted['nearest_even overflow'].split()[0]}," in last, f"{name} {value} {last}")

    def operators(self):
        """Multiply-adds by `matmul` of a column and a row."""
        side = 12 if self.questions < 5000 else 60
        generator = np.random.Generator(np.random.PCG64(7))
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, f"{name}.npy") for name in "abcd"]
            for operator in OPERATORS:
                spread = lambda shape: (generator.normal(size=shape) * 2.0 ** generator.integers(-20, 20, shape)).astype(np.float32)
                a, b, c = spread((side, 1)), spread((1, side)), spread((side, side))
                for path, array in zip(paths, (a, b, c)):
                    np.save(path, array)
                run("matmul", paths[0], paths[1], "--add", paths[2], "--arith", operator, "-o", paths[3], "--force")
                result = np.load(paths[3]).astype(np.float64)
                places = [(i, j) for i in range(side) for j in range(side)]
                questions = [{"ask": "multiply_add", "operator": operator, "operands": [float(x).hex() for x in (a[i, 0], b[0, j], c[i, j])]} for i, j in places]
                page = self.ask(questions, "(answer) => answer.result.value")
                ours = [float(result[place]).hex() for place in places]
                about = [f"{operator} {float(a[i, 0]).hex()} {float(b[0, j]).hex()} {float(c[i, j]).hex()}" for i, j in places]
                self.same("multiply-adds", ours, [x if x.startswith("error") else float.fromhex(x).hex() for x in page], about)
            # One element: the page takes the random bits of a product's first addition.
            for path, value in zip(paths, (1.0, 2.0**-9, 1.0)):
                np.save(path, np.full((1, 1), value, np.float32))
            for operator in STOCHASTIC_OPERATORS:
                ours = []
                for seed in range(8):
                    run("matmul", paths[0], paths[1], "--add", paths[2], "--arith", operator, "--seed", str(seed), "-o", paths[3], "--force")
                    ours.append(float(np.load(paths[3])[0, 0]).hex())
                questions = [{"ask": "multiply_add", "operator": operator, "operands": ["1", "0x1p-9", "1"], "seed": seed} for seed in range(8)]
                page = [float.fromhex(x).hex() for x in self.ask(questions, "(answer) => answer.result.value")]
                self.same("stochastic multiply-adds", ours, page, [f"{operator} seed {seed}" for seed in range(8)])
                self.browser.run(f"location.hash = '#view=fma&operator={operator}&a=1&b=0x1p-9&c=1&seed=7'")
                self.browser.wait("document.getElementById('multiply-add-d')")
                shown = self.browser.run("document.getElementById('multiply-add-d').textContent")
                self.same("stochastic multiply-adds", ours[7:], [float.fromhex(shown).hex()], [f"{operator} in the page"])

    def units(self):
        """Dot products on matrix units by `matmul`."""
        side = 5 if self.questions < 5000 else 25
        generator = np.random.Generator(np.random.PCG64(17))
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, f"{name}.npy") for name in "abcd"]
            for operator in UNITS:
                spread = lambda shape: (generator.normal(size=shape) * 2.0 ** generator.integers(-9, 3, shape)).astype(np.float32)
                a, b, c = spread((side, 37)), spread((37, side)), spread((side, side))
                for path, array in zip(paths, (a, b, c)):
                    np.save(path, array)
                run("matmul", paths[0], paths[1], "--add", paths[2], "--arith", operator, "-o", paths[3], "--force")
                result = np.load(paths[3]).astype(np.float64)
                places = [(i, j) for i in range(side) for j in range(side)]
                words = lambda numbers: ", ".join(float(x).hex() for x in numbers)
                questions = [{"ask": "unit_dot", "operator": operator, "a": words(a[i]), "b": words(b[:, j]), "c": float(c[i, j]).hex(), "step": 99} for i, j in places]
                page = self.ask(questions, "(answer) => [answer.ends[0].value, answer.result.value].join()")
                ours = [float(result[place]).hex() for place in places]
                page = [",".join(float.fromhex(part).hex() for part in x.split(",")) if not x.startswith("error") else x for x in page]
                self.same("dot products on units", [f"{x},{x}" for x in ours], page, [f"{operator} {place}" for place in places])

    def unit_steps(self):
        """The view of units: address, examples, steps by keys and buttons, and bits that are cut."""
        self.browser.run("location.hash = '#view=unit&arith=mi300x:float8_e4m3fnuz&example=random&seed=3&step=2'")
        self.browser.wait("document.getElementById('unit-where')?.textContent.startsWith('Step 2 of 2')")
        shown = self.browser.run("['unit', 'unit-mode', 'arith', 'unit-seed'].map((id) => document.getElementById(id).value)")
        self.expect("unit from the address", shown == ["mi300x", "mi300x:float8_e4m3fnuz", "mi300x:float8_e4m3fnuz", "3"], shown)
        pictures = self.browser.run("document.querySelectorAll('#unit-shown .columns').length")
        self.expect("alignments of a step", pictures == 4, pictures)
        self.browser.run("location.hash = '#view=unit'")
        self.browser.wait("document.getElementById('arith').value === 'h100:f16'")
        where = lambda: self.browser.run("document.getElementById('unit-where').textContent.slice(0, 11)")
        self.expect("first step", where() == "Step 1 of 2", where())
        self.browser.run("document.getElementById('unit-next').focus()")
        for key, code, wanted in [("ArrowRight", 39, "Step 2 of 2"), ("Home", 36, "Step 1 of 2"), ("End", 35, "Step 2 of 2")]:
            self.browser.key(key, code)
            self.expect("steps by keys", where() == wanted, f"{key}: {where()}")
        struck = self.browser.run("[...document.querySelectorAll('#unit-shown s')].map((node) => node.textContent)")
        self.expect("bits that are cut", struck == ["1"], struck)
        self.browser.run("document.getElementById('unit-previous').click()")
        self.expect("steps by buttons", where() == "Step 1 of 2", where())
        ends = self.browser.run("[...document.querySelectorAll('#unit-ends tbody tr')].map((row) => row.cells[1].textContent)")
        self.expect("the whole sum", ends == ["0x1p+0", "0x1.000004p+0", "0x1.000004p+0", "0x1p+0", "0x1.000004p+0"], ends)
        self.browser.run("(() => { const field = document.getElementById('ub'); field.value = '1, 0*15'; field.dispatchEvent(new Event('input', {bubbles: true})); })()")
        said = self.browser.run("document.getElementById('unit-about').textContent")
        self.expect("errors of operands", "a has 32 numbers and b has 16" in said, said)
        self.browser.wait("location.hash.includes('example=&')")

    def measures(self):
        """A file chosen in the page: the measures of `quantize --simulate` and `compare`."""
        count = 20_000 if self.questions < 5000 else 1_000_000
        generator = np.random.Generator(np.random.PCG64(11))
        numbers = (generator.normal(size=count) * 2.0 ** generator.integers(-14, 8, count)).astype(np.float32)
        with tempfile.TemporaryDirectory() as folder:
            array, text, rounded = (os.path.join(folder, name) for name in ("x.npy", "x.csv", "y.npy"))
            np.save(array, numbers.reshape(10, -1))
            with open(text, "w") as file:
                file.write("x,y\n" + "\n".join(repr(float(x)) for x in numbers))
            formats = ["float8_e4m3fn", "float8_e5m2", "binary6p3sf", "float4_e2m1fn"]
            for at, source in enumerate([array, text]):
                pair = formats[2 * at : 2 * at + 2]
                self.browser.run(f"location.hash = '#view=compare&format={pair[0]}&other={pair[1]}&saturation=finite'")
                self.browser.wait("document.getElementById('file')")
                self.browser.files("#file", source)
                name = pathlib.Path(source).name
                self.browser.wait(f"document.getElementById('measures') && document.getElementById('compare-errors').textContent.startsWith('{name}') && binadeExplorer", 120)
                page = self.browser.run(f"binadeExplorer.give(new Float64Array(0)), binadeExplorer.ask({{ask: 'measure', formats: {json.dumps(pair)}, rounding: 'nearest_even', saturation: 'finite', seed: 0, start: false}}).formats")
                shown = self.browser.run("[...document.querySelectorAll('#measures tbody tr')].map((row) => [row.dataset.measure, ...[...row.querySelectorAll('td')].map((cell) => cell.textContent)])")
                for column, (name, row) in enumerate(zip(pair, page)):
                    run("quantize", array, rounded, "--simulate", "--format", name, "--saturation", "finite", "--force")
                    facts = json.loads(run("compare", array, rounded, "--format-b", name, "--json"))["tensors"][0]
                    self.counted(name, facts, row, numbers)
                    cells = {key: texts[column] for key, *texts in shown}
                    self.expect("SQNR in the page", cells["sqnr_db"] == f"{facts['sqnr_db']:.2f}", cells)

    def dropped(self):
        """A histogram that is dropped on the page: the measures of as many numbers."""
        generator = np.random.Generator(np.random.PCG64(13))
        values = (generator.normal(size=500) * 2.0 ** generator.integers(-14, 8, 500)).astype(np.float32)
        counts = generator.integers(0, 400, 500)
        text = "value,count\n" + "".join(f"{float(x)!r},{count}\n" for x, count in zip(values, counts))
        pair = ["float8_e4m3fn", "float6_e2m3fn"]
        self.browser.run(f"location.hash = '#view=compare&format={pair[0]}&other={pair[1]}&saturation=finite'")
        self.browser.wait("document.getElementById('drop')")
        drop = """(text) => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([text], "histogram.csv"));
          document.getElementById("drop").dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
        }"""
        self.browser.run(f"({drop})({json.dumps(text)})")
        total = f"histogram.csv: a histogram of {int(counts.sum()):,} numbers"
        self.browser.wait(f"document.getElementById('measures') && document.getElementById('compare-errors').textContent.startsWith('{total}')")
        page = self.browser.run(f"binadeExplorer.give(new Float64Array(0)), binadeExplorer.ask({{ask: 'measure', formats: {json.dumps(pair)}, rounding: 'nearest_even', saturation: 'finite', seed: 0, start: false, counted: true}}).formats")
        numbers = np.repeat(values, counts)
        with tempfile.TemporaryDirectory() as folder:
            array, rounded = (os.path.join(folder, name) for name in ("x.npy", "y.npy"))
            np.save(array, numbers)
            for name, row in zip(pair, page):
                run("quantize", array, rounded, "--simulate", "--format", name, "--saturation", "finite", "--force")
                facts = json.loads(run("compare", array, rounded, "--format-b", name, "--json"))["tensors"][0]
                self.counted(name, facts, row, numbers)
        self.browser.run(f"({drop})('value,count\\n1.5,2\\n2.5,x\\n')")
        self.browser.wait("document.querySelector('#compare-errors [role=alert]')")
        said = self.browser.run("document.getElementById('compare-errors').textContent")
        self.expect("errors of a histogram", "x is no number" in said, said)

    def counted(self, name, facts, row, numbers):
        """Measures of one format."""
        for key in ("sqnr_db", "mean_square", "max_abs", "max_relative", "cosine"):
            self.expect("measures", abs(facts[key] - row[key]) <= 1e-12 * abs(facts[key]), f"{name} {key}: {facts[key]} {row[key]}")
        # A simulated file does not tell its format's largest value, beyond which all clamps.
        for key in ("underflow", "nan", "different"):
            self.expect("measures", facts[key] == row[key], f"{name} {key}: {facts[key]} {row[key]}")
        largest = float.fromhex(json.loads(run("show", name, "--json"))["max_finite"])
        self.expect("measures", row["overflow"] == int((np.abs(numbers.astype(np.float64)) > largest).sum()), f"{name} overflow: {row['overflow']}")

    # What a browser can tell.

    def addresses(self, url):
        """The address gives the state back, and follows it."""
        self.browser.open(f"{url}#view=round&format=bf16&value=3.7&rounding=toward_zero&saturation=max")
        self.browser.wait("document.documentElement.dataset.ready")
        shown = self.browser.run("['format', 'value', 'round-rounding', 'round-saturation'].map((id) => document.getElementById(id).value)")
        self.expect("state from the address", shown == ["bf16", "3.7", "toward_zero", "max"], shown)
        self.browser.run("(() => { const field = document.getElementById('value'); field.value = '0x1.8p-3'; field.dispatchEvent(new Event('input', {bubbles: true})); })()")
        self.browser.wait("location.hash.includes('value=0x1.8p-3')")
        self.expect("address from the state", True)
        self.browser.run("location.hash = '#format=cfloat8_1_4_3'")
        self.browser.wait("document.querySelector('#format-about .bad')")
        text = self.browser.run("document.getElementById('format-about').textContent")
        self.expect("errors are the library's", "needs its exponent bias, 0 to 63" in text, text)
        self.browser.run("location.hash = '#format=float6_e3m2fn'")
        self.browser.wait("document.getElementById('describe-width').value === '6'")
        self.browser.run("(() => { const field = document.getElementById('describe-bias'); field.value = '5'; field.dispatchEvent(new Event('input', {bubbles: true})); })()")
        described = self.browser.run("document.getElementById('format').value")
        wanted = "custom@width=6,precision=3,bias=5,signed=yes,infinities=no,nan=none,negative_zero=yes,subnormals=ieee"
        self.expect("a format described", described == wanted, described)

    def keys(self):
        """The number line by keys, and the table by rows."""
        self.browser.run("location.hash = '#view=format&format=float8_e4m3fn&scale=linear&code=0x38'")
        self.browser.wait("(document.getElementById('line')?.getAttribute('aria-valuetext') ?? '').includes('0x38')")
        self.browser.run("document.getElementById('line').focus()")
        text = lambda: self.browser.run("document.getElementById('line').getAttribute('aria-valuetext')")
        for key, code, wanted in [("ArrowRight", 39, "1.125, code 0x39"), ("ArrowLeft", 37, "1.0, code 0x38"), ("PageUp", 33, "4.0, code 0x48"), ("End", 35, "448.0, code 0x7e"), ("Home", 36, "-448.0, code 0xfe")]:
            self.browser.key(key, code)
            self.expect("keys on the number line", text().startswith(wanted), f"{key}: {text()}")
        self.browser.run("location.hash = '#view=format&format=bf16'")
        self.browser.wait("document.querySelectorAll('#codes tbody tr').length > 10 && document.getElementById('table-count').textContent === '65,536 codes'")
        self.browser.run("document.getElementById('codes').scrollTop = 28 * 0x3f80")
        self.browser.wait("document.querySelector('[data-code=\"0x3f80\"]')")
        made = self.browser.run("document.querySelectorAll('#codes tbody tr').length")
        self.expect("rows made", made < 100, made)
        # The links of the views are reached by Tab and followed by Enter.
        self.browser.run("document.querySelector('nav a[data-view=\"round\"]').focus()")
        self.browser.send("Input.dispatchKeyEvent", type="keyDown", key="Enter", windowsVirtualKeyCode=13, text="\r")
        self.browser.wait("document.getElementById('value')")
        self.expect("views by keys", True)

    def show(self, view, more=""):
        """A view with all that it can have, by its name and more of the address."""
        self.browser.run(f"location.hash = '#view={view}{more}'")
        self.browser.wait(f"document.querySelector('nav [aria-current]').dataset.view === '{view}'")
        if view == "compare":
            self.browser.run("document.getElementById('sample').click()")
            self.browser.wait("document.getElementById('measures')")

    def tabs(self):
        """Tab comes to every control of every view."""
        controls = """[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
          .filter((node) => !node.disabled && node.checkVisibility({visibilityProperty: true}))"""
        for view in VIEWS:
            self.show(view, "&format=float8_e4m3fn")
            self.browser.run("document.activeElement.blur(), window.reached = new Set(), document.addEventListener('focusin', (event) => reached.add(event.target)), 0")
            count = self.browser.run(f"{controls}.length")
            for _ in range(count + 20):
                self.browser.key("Tab", 9)
            missed = self.browser.run(f"{controls}.filter((node) => !reached.has(node)).map((node) => node.id || node.textContent.slice(0, 40) || node.tagName)")
            self.counts["controls by Tab"] = self.counts.get("controls by Tab", 0) + count - len(missed)
            self.expect("controls by Tab", not missed, f"{view}: {missed}")

    def looks(self, dark):
        """Names of controls, contrast of text, and no sideways scrolling in narrow windows."""
        contrast = """(() => {
          const channel = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
          const parse = (text) => text.match(/[\\d.]+/g).map(Number);
          const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
          const ground = (node) => { for (; node; node = node.parentElement) { const color = parse(getComputedStyle(node).backgroundColor); if (color.length < 4 || color[3] > 0) return color; } return [255, 255, 255]; };
          const bad = [];
          for (const node of document.querySelectorAll("body *")) {
            if (![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()) || !node.getClientRects().length) continue;
            const style = getComputedStyle(node), color = parse(node instanceof SVGElement ? style.fill : style.color);
            const [high, low] = [light(color), light(ground(node))].sort((a, b) => b - a);
            const ratio = (high + 0.05) / (low + 0.05);
            if (ratio < 4.5) bad.push(`${node.tagName} ${node.textContent.slice(0, 30)} ${ratio.toFixed(2)}`);
          }
          return bad;
        })()"""
        for view in VIEWS:
            self.show(view)
            bad = self.browser.run(contrast)
            self.expect("contrast", not bad, f"{'dark' if dark else 'light'} {view}: {bad[:5]}")
            nameless = []
            for node in self.browser.send("Accessibility.getFullAXTree")["nodes"]:
                role = node.get("role", {}).get("value")
                wanted = role in ("textbox", "combobox", "button", "slider", "link", "spinbutton", "searchbox", "table", "listbox", "ComboBoxSelect")
                if wanted and not node.get("ignored") and not node.get("name", {}).get("value"):
                    nameless.append(role)
            self.expect("names of controls", not nameless, f"{view}: {nameless}")
            for width in (320, 390):
                self.browser.size(width, 800)
                wide = self.browser.run("document.documentElement.scrollWidth")
                self.expect("narrow windows", wide <= width, f"{view}: {wide} of {width}")
            self.browser.size(1000, 1200)


def batch(lines):
    """What `eval --batch` answers, errors included."""
    command = [os.environ.get("BINADE", "binade"), "eval", "--batch"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    return done.stdout.splitlines()


def machine():
    """The processor as Linux names it, and how many there are."""
    names = [line.partition(":")[2].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    return f"{names[0]}, {len(names)} processors"


def served(folder):
    """A server of a folder, and its address."""
    handler = functools.partial(type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None}), directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/"


def starts(check, page, strict):
    """How long the page takes until it can be used, in milliseconds, from its file and from a server."""
    times = {}
    for name, url in [("file", page.as_uri()), ("server", served(page.parent))]:
        best = []
        for _ in range(5 if strict else 1):
            check.browser.open("about:blank")
            check.browser.open(url)
            check.browser.wait("document.documentElement.dataset.ready")
            best.append(int(check.browser.run("document.documentElement.dataset.ready")))
        times[name] = sorted(best)[len(best) // 2]
        # A machine that does much else makes it longer.
        if strict:
            check.expect("starts within a second", times[name] <= MOST_MILLISECONDS, f"from a {name}: {best}")
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--questions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=pathlib.Path)
    arguments = parser.parse_args()
    page, begin = arguments.page.resolve(), time.time()
    if not find():
        sys.exit("Chromium is missing: `apt-get install chromium`")
    with Browser(seconds=4 * 3600 if arguments.record else 900) as browser:
        check = Check(browser, arguments.seed, arguments.questions)
        bytes_ = sum(path.stat().st_size for path in page.parent.iterdir())
        check.expect("at most 1.5 MB", bytes_ <= MOST_BYTES, bytes_)
        times = starts(check, page, arguments.record is not None)
        for part in (check.lists, check.tables, check.evaluations, check.encodings, check.grids, check.fields, check.operators, check.units, check.measures, check.dropped):
            since = time.time()
            part()
            print(f"{part.__name__}: {time.time() - since:.1f} s")
        check.addresses(page.as_uri())
        check.keys()
        check.unit_steps()
        check.tabs()
        check.looks(dark=False)
        check.expect("no errors in the page", not browser.complaints(), browser.complaints())
    with Browser(dark=True) as check.browser:
        check.browser.open(page.as_uri())
        check.browser.wait("document.documentElement.dataset.ready")
        check.looks(dark=True)
        version = check.browser.send("Browser.getVersion")["product"] if arguments.record else ""
    lines = [f"{what}: {count}" for what, count in check.counts.items()]
    lines.append(f"{sum(check.counts.values())} answers and facts, {check.wrong} different")
    lines.append(f"{bytes_} bytes; ready after {times['file']} ms from a file, {times['server']} ms from a server")
    print("\n".join(lines))
    if arguments.record:
        shown = f"peers/check_explorer.py target/format-explorer/index.html --questions {arguments.questions} --seed {arguments.seed}"
        arguments.record.write_text(
            f"# The format explorer against the command\n\nCommand: `{shown}`, after `cargo xtask explorer`  \n"
            f"Browser: {version} on {platform.machine()} {platform.system()}  \nMachine: {machine()}  \nTime: {time.time() - begin:.0f} s\n\n```text\n" + "\n".join(lines) + "\n```\n"
        )
    sys.exit(1 if check.wrong else 0)


if __name__ == "__main__":
    main()
