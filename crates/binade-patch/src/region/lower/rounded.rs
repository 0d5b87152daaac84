//! Multiply-adds of the program's own format, rounded up, down or to either side at random.
//!
//! MXCSR rounds up or down within the region, so that the multiply-add itself does, and raises its flags. Down and random take a
//! second one, which rounds up by itself: an exact zero has the right sign there.

use super::Lowering;
use super::facts::Facts;
use crate::fma::{Addend, Fma, Operand};
use crate::region::graph::Vectors;
use crate::region::ir::{Opcode, Place, Signs, Width, Word};
use crate::region::lower::Rule;
use crate::trampoline::ProgramRounding;

impl Lowering<'_> {
    /// d = ±a · b ± c by another rounding.
    pub(super) fn rounded(&mut self, fma: &Fma, facts: &mut Facts) {
        let Rule::Rounded(rounding) = self.rule else { return };
        match (fma.scalar, rounding) {
            (true, ProgramRounding::Up) => self.itself(fma, facts),
            (true, _) => self.scalar(fma, facts, rounding),
            (false, _) => self.packed(fma, facts, rounding),
        }
        let number = fma.destination().number() as u8;
        self.values.hashes.retain(|&(register, _), _| register != number);
    }

    /// A scalar instruction as it is: MXCSR rounds it, and it leaves the other lanes as they are.
    fn itself(&mut self, fma: &Fma, facts: &mut Facts) {
        let effects = &self.graph.effects[self.segment.origin];
        let (reads, writes) = (effects.reads, effects.writes);
        self.values.settle(reads, &mut self.segment, self.width);
        self.values.forget(writes);
        self.segment.guest(Opcode::Guest(fma.instruction), self.width);
        first_is_loose(facts, 1 << fma.destination().number());
    }

    /// A scalar multiply-add in temporaries whose other lanes are 0, so that these raise no exceptions.
    fn scalar(&mut self, fma: &Fma, facts: &mut Facts, rounding: ProgramRounding) {
        let number = fma.destination().number() as u8;
        let [a, b, c] = [fma.a(), fma.b(), fma.c()].map(|operand| match operand {
            Operand::Register(register) => self.first_lane(register.number() as u8),
            _ => self.scalar_load(fma),
        });
        self.round(fma, Width::Xmm, [a, b, c], rounding);
        let rest = self.values.home(number);
        let home = self.values.return_home(number);
        self.segment.operation(Opcode::WithFirstLane, Width::Xmm, home, [Some(rest), Some(c)]);
        first_is_loose(facts, 1 << number);
    }

    fn packed(&mut self, fma: &Fma, facts: &mut Facts, rounding: ProgramRounding) {
        let number = fma.destination().number() as u8;
        let bit: Vectors = 1 << number;
        let (width, home) = (Width::of(fma.width()), self.values.home(number));
        let [a, b] = [fma.a(), fma.b()].map(|operand| self.operand(fma, operand));
        let apart = a != home && b != home;
        let reuse = (fma.c() == Operand::Register(fma.destination()) && apart).then_some(home);
        let (c, ..) = self.addend(fma, facts, reuse);
        self.round(fma, width, [a, b, c], rounding);
        if self.hosted & bit != 0 {
            self.values.put_hosted(number, c);
        } else {
            let target = self.values.return_home(number);
            if target != c {
                self.segment.unary(Opcode::Move, width, target, c);
            }
        }
        facts.forget(bit);
        facts.loose |= bit;
    }

    /// c = ±a · b ± c, rounded.
    fn round(&mut self, fma: &Fma, width: Width, [a, b, c]: [Place; 3], rounding: ProgramRounding) {
        let signs = Signs { negate_product: fma.negate_product, subtract: fma.addend == Addend::Subtract };
        if rounding == ProgramRounding::Up {
            self.segment.operation(Opcode::MultiplyAdd(signs), width, c, [Some(a), Some(b)]);
            return;
        }
        let coin = (rounding == ProgramRounding::Random).then(|| self.coin(width, [a, b, c], signs));
        let up = self.segment.temporary();
        self.segment.unary(Opcode::Move, width, up, c);
        self.segment.operation(Opcode::MultiplyAddUp(signs), width, up, [Some(a), Some(b)]);
        self.segment.operation(Opcode::MultiplyAdd(signs), width, c, [Some(a), Some(b)]);
        self.segment.unary(Opcode::UpperOfZero, width, c, up);
        if let Some(coin) = coin {
            self.segment.operation(Opcode::UpperBySign, width, c, [Some(coin), Some(up)]);
        }
    }

    /// A factor as it is.
    fn operand(&mut self, fma: &Fma, operand: Operand) -> Place {
        let Operand::Register(register) = operand else {
            let x = self.segment.temporary();
            self.segment.operation(Opcode::Load(fma.instruction), Width::of(fma.width()), x, [None; 2]);
            return x;
        };
        self.values.home(register.number() as u8)
    }

    /// A vector whose signs are the highest bits of [`random_word`](crate::trampoline::random_word)s.
    ///
    /// A sign that the multiply-add flips adds 2³¹ to the sum of products, since their factors are odd.
    fn coin(&mut self, width: Width, [a, b, c]: [Place; 3], signs: Signs) -> Place {
        let sum = self.segment.temporary();
        self.segment.unary(Opcode::TimesWord(Word::OfC), width, sum, c);
        for (operand, word) in [(a, Word::OfA), (b, Word::OfB)] {
            let hash = self.hash(width, operand, word);
            self.segment.operation(Opcode::AddWords, width, sum, [Some(sum), Some(hash)]);
        }
        let flipped = signs.negate_product != signs.subtract;
        let address = self.graph.instructions[self.segment.origin].ip();
        let number = self.words.len();
        let own = (self.word)(address) ^ u32::from(flipped) << 31;
        let number = self.words.iter().position(|&word| word == own).unwrap_or(number);
        if number == self.words.len() {
            self.words.push(own);
        }
        self.segment.unary(Opcode::AddWord(Word::Site(number as u16)), width, sum, sum);
        for (shift, word) in [(16, Word::First), (15, Word::Second)] {
            let shifted = self.segment.temporary();
            self.segment.unary(Opcode::ShiftRight(shift), width, shifted, sum);
            self.segment.operation(Opcode::XorWords, width, sum, [Some(sum), Some(shifted)]);
            self.segment.unary(Opcode::TimesWord(word), width, sum, sum);
        }
        sum
    }

    /// The product of an operand's bits, kept as long as its register has that value.
    fn hash(&mut self, width: Width, operand: Place, word: Word) -> Place {
        let register = (0..32).find(|&register| self.values.home(register) == operand);
        let key = register.map(|register| (register, word));
        if let Some(&known) = key.and_then(|key| self.values.hashes.get(&key)) {
            return known;
        }
        // Of the whole register: instructions of other lengths may share it.
        let (hash, width) = (self.segment.temporary(), if register.is_some() { self.width } else { width });
        self.segment.unary(Opcode::TimesWord(word), width, hash, operand);
        if let Some(key) = key {
            self.values.hashes.insert(key, hash);
        }
        hash
    }
}

/// The first lane of a register is a multiply-add's.
pub(super) fn first_is_loose(facts: &mut Facts, bit: Vectors) {
    // Where the others are sums of packed multiply-adds, all four are known as those are.
    let loose = facts.loose & bit;
    facts.forget(bit);
    facts.loose |= loose;
    facts.first |= if loose == 0 { bit } else { 0 };
}
