# Short names for `cargo xtask`, which does the work; `cargo xtask --help` explains each.

_default:
    @just --list

# Everything that CI runs
test:
    cargo xtask test

# All operand pairs of every 8-bit format, recorded under benches/record
exhaustive:
    cargo xtask exhaustive

# The format explorer, a page of one file
explorer:
    cargo xtask explorer

# The generated pages under docs
docs:
    cargo xtask docs

# The trained weights under examples
example-weights:
    cargo xtask example-weights
