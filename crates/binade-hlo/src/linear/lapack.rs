//! Evaluates custom calls of LAPACK routines, as JAX makes them, for batches of matrices.

use std::sync::Arc;

use binade_fft::num_complex::Complex;
use binade_simd::threads;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Type, Value};

use super::factors::{self, Factored, Matrix};
use super::solve::{Wide, narrow, narrowed, wide};
use crate::error::EvalError;
use crate::movement::shape::integers;

/// A routine, without the letter of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routine {
    /// `getrf`.
    Lu,
    /// `geqrf`.
    Qr,
    /// `geqp3`.
    PivotedQr,
    /// `orgqr`, `ungqr`.
    Reflectors,
    /// `syevd`, `heevd`.
    Hermitian,
    /// `gesdd`, `gesvd`.
    Singular,
    /// `geev`.
    Eigen,
    /// `gees`.
    Schur,
    /// `gehrd`.
    Hessenberg,
    /// `sytrd`, `hetrd`.
    Tridiagonal,
    /// `gtsv`.
    TridiagonalSystem,
    /// `ormqr`, `unmqr`.
    TimesReflectors,
}

const ROUTINES: &[(&str, Routine)] = &[
    ("getrf", Routine::Lu),
    ("geqrf", Routine::Qr),
    ("geqp3", Routine::PivotedQr),
    ("orgqr", Routine::Reflectors),
    ("ungqr", Routine::Reflectors),
    ("syevd", Routine::Hermitian),
    ("heevd", Routine::Hermitian),
    ("gesdd", Routine::Singular),
    ("gesvd", Routine::Singular),
    ("geev", Routine::Eigen),
    ("gees", Routine::Schur),
    ("gehrd", Routine::Hessenberg),
    ("sytrd", Routine::Tridiagonal),
    ("hetrd", Routine::Tridiagonal),
    ("gtsv", Routine::TridiagonalSystem),
    ("ormqr", Routine::TimesReflectors),
    ("unmqr", Routine::TimesReflectors),
];

impl Routine {
    /// Returns the routine of a call's target, such as `lapack_sgetrf_ffi`.
    pub(crate) fn of(target: &str) -> Option<Routine> {
        let name = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?;
        let name = name.strip_prefix(['s', 'd', 'c', 'z'])?;
        ROUTINES.iter().find(|(known, _)| *known == name).map(|(_, routine)| *routine)
    }

    /// Returns true if the matrix must be square.
    fn is_of_squares(self) -> bool {
        use Routine::*;
        matches!(self, Hermitian | Eigen | Schur | Hessenberg | Tridiagonal)
    }
}

/// A result, row by row: real or complex numbers of the operand's precision, or integers of 32 bits.
enum Part {
    Numbers(Wide),
    Integers(Vec<i32>),
}

/// The options of a call, without its matrices.
#[derive(Clone, Copy)]
struct Call {
    routine: Routine,
    rows: usize,
    columns: usize,
    /// `uplo`: true if the lower triangle is read.
    lower: bool,
    /// True if all columns of U and V are requested, false if only one for each singular value.
    whole: bool,
    /// `low` and `high`, from 0.
    range: (usize, usize),
    /// True if results are rounded to binary32.
    narrow: bool,
}

/// Calls a routine.
///
/// # Errors
/// If operands or results do not have the routine's types and shapes.
pub(crate) fn call(
    target: &str,
    routine: Routine,
    option: &dyn Fn(&str) -> Option<i64>,
    operands: &[&Tensor],
    declared: &[&Type],
) -> Result<Vec<Value>, EvalError> {
    if routine == Routine::TridiagonalSystem {
        return tridiagonal_system(target, operands, declared);
    }
    if routine == Routine::TimesReflectors {
        let [left, adjoint] = ["left", "transpose"].map(|name| option(name) == Some(1));
        return times_reflectors(target, operands, declared, left, adjoint);
    }
    let wrong = |facts: String| EvalError::shape(target, facts);
    let Some(x) = operands.first() else { return Err(wrong("operand 0 is missing".to_string())) };
    let &[ref batch @ .., rows, columns] = &x.shape[..] else {
        return Err(wrong(format!("operand 0 must be a matrix: got shape {:?}", x.shape)));
    };
    if routine.is_of_squares() && rows != columns {
        return Err(wrong(format!("the matrix must be square: got {rows} × {columns}")));
    }
    let matrices: usize = batch.iter().product();
    let second = match (routine, operands.get(1)) {
        (Routine::PivotedQr, Some(pivots)) if pivots.shape == [batch, &[columns]].concat() => Some(*pivots),
        (Routine::Reflectors, Some(taus))
            if taus.element == x.element
                && taus.shape.len() == x.shape.len() - 1
                && taus.shape.starts_with(batch)
                && taus.shape.last().is_some_and(|&count| count <= rows.min(columns)) =>
        {
            Some(*taus)
        }
        (Routine::PivotedQr | Routine::Reflectors, _) => {
            return Err(wrong("operand 1 does not match operand 0 in type or shape".to_string()));
        }
        _ => None,
    };
    if routine == Routine::Schur && option("sort").is_some_and(|sort| sort != i64::from(b'N')) {
        return Err(wrong("sorting of eigenvalues is not supported".to_string()));
    }
    let place = |name: &str, otherwise: usize| match option(name) {
        Some(at) => usize::try_from(at.checked_sub(1)?).ok().filter(|at| *at < rows.max(1)),
        None => Some(otherwise),
    };
    let last = rows.saturating_sub(1);
    let (Some(low), Some(high)) = (place("low", 0), place("high", last)) else {
        let facts = format!("rows {:?} to {:?} are out of range: 1 to {rows}", option("low"), option("high"));
        return Err(wrong(facts));
    };
    let lower = option("uplo").is_none_or(|letter| letter == i64::from(b'L'));
    let sizes = declared.iter().map(|ty| match ty {
        Type::Tensor(ty) if ty.shape.len() >= batch.len() => ty.shape.iter().copied().collect(),
        _ => None,
    });
    let Some(shapes) = sizes.collect::<Option<Vec<Vec<usize>>>>() else {
        return Err(wrong("results must be tensors of static shapes".to_string()));
    };
    // Results for vectors keep their shape even if the vectors are not requested.
    let whole = shapes.get(2).and_then(|shape| shape.last()) == Some(&rows)
        && shapes.get(3).and_then(|shape| shape.get(batch.len())) == Some(&columns);
    let narrow = matches!(&*x.data, Data::F32(_) | Data::C64(_));
    let call = Call { routine, rows, columns, lower, whole, range: (low, high), narrow };
    has_numbers(target, x)?;
    let results = match (wide(x)?, second.filter(|_| routine == Routine::Reflectors).map(wide).transpose()?) {
        (Wide::Real(a), None) => call.all(&a, &[], second, matrices, x)?,
        (Wide::Real(a), Some(Wide::Real(taus))) => call.all(&a, &taus, None, matrices, x)?,
        (Wide::Complex(a), None) => call.all(&a, &[], second, matrices, x)?,
        (Wide::Complex(a), Some(Wide::Complex(taus))) => call.all(&a, &taus, None, matrices, x)?,
        _ => return Err(EvalError::element(target, &x.element)),
    };
    // A batch without matrices has no results to compare.
    if matrices > 0 && results.len() != declared.len() {
        return Err(wrong(format!(
            "{} results are declared, the routine has {}",
            declared.len(),
            results.len()
        )));
    }
    let mut results = results.into_iter();
    let mut values = vec![];
    for (declared, shape) in declared.iter().zip(shapes) {
        let Type::Tensor(ty) = declared else { continue };
        let (element, data) =
            results.next().unwrap_or_else(|| (ty.element.clone(), Data::empty(&ty.element)));
        if ty.element != element || data.len() != shape.iter().product::<usize>() {
            let facts =
                format!("a result is declared as {declared}, the routine returns {} × {element}", data.len());
            return Err(wrong(facts));
        }
        values.push(Value::Tensor(Tensor { element, shape, data: Arc::new(data) }));
    }
    Ok(values)
}

/// Checks that elements are real or complex numbers of 32 or 64 bits, as LAPACK requires.
fn has_numbers(target: &str, x: &Tensor) -> Result<(), EvalError> {
    match &*x.data {
        Data::F32(_) | Data::F64(_) | Data::C64(_) | Data::C128(_) => Ok(()),
        _ => Err(EvalError::element(target, &x.element)),
    }
}

/// `gtsv`. Operands: the diagonals below, on and above the main one, and the right sides. Results: the three diagonals,
/// the solution, and `info`.
///
/// # Errors
/// If operands or results do not have the routine's types and shapes.
fn tridiagonal_system(
    target: &str,
    operands: &[&Tensor],
    declared: &[&Type],
) -> Result<Vec<Value>, EvalError> {
    let wrong = || {
        EvalError::shape(
            target,
            "operands must be three diagonals of one length and a matrix of as many rows",
        )
    };
    let &[below, on, above, b] = operands else { return Err(wrong()) };
    let (Some((&columns, rows)), true) = (
        b.shape.split_last(),
        [below, on, above].iter().all(|x| x.element == b.element && x.shape == on.shape),
    ) else {
        return Err(wrong());
    };
    if rows != on.shape || rows.is_empty() || declared.len() != 5 {
        return Err(wrong());
    }
    has_numbers(target, b)?;
    fn all<T: Given>(parts: [&[T]; 4], n: usize, columns: usize, matrices: usize) -> (Wide, Vec<i32>) {
        let [below, on, above, b] = parts;
        let (mut solved, mut info) = (vec![], vec![]);
        for number in 0..matrices {
            let [below, on, above] = [below, on, above].map(|x| &x[number * n..][..n]);
            let mut x = Matrix::new(n, columns, b[number * n * columns..][..n * columns].to_vec());
            let found = factors::tridiagonal_system(below, on, above, &mut x);
            info.push(found.err().unwrap_or(0));
            solved.extend(x.data);
        }
        (T::wide(solved), info)
    }
    let (n, batch) = (rows[rows.len() - 1], &rows[..rows.len() - 1]);
    let matrices = batch.iter().product();
    let (solved, info) = match (wide(below)?, wide(on)?, wide(above)?, wide(b)?) {
        (Wide::Real(l), Wide::Real(d), Wide::Real(u), Wide::Real(x)) => {
            all([&l, &d, &u, &x], n, columns, matrices)
        }
        (Wide::Complex(l), Wide::Complex(d), Wide::Complex(u), Wide::Complex(x)) => {
            all([&l, &d, &u, &x], n, columns, matrices)
        }
        _ => return Err(wrong()),
    };
    let solved = narrow(solved, b)?;
    let element = ElementType::Integer { signed: true, width: 32 };
    let info = Tensor { element, shape: batch.to_vec(), data: Arc::new(Data::I32(info)) };
    Ok([below.clone(), on.clone(), above.clone(), solved, info].map(Value::Tensor).into())
}

/// `ormqr`. Operands: the reflectors, their τ, and a matrix. Result: the product of the reflectors and the matrix.
///
/// # Errors
/// If operands or results do not have the routine's types and shapes.
fn times_reflectors(
    target: &str,
    operands: &[&Tensor],
    declared: &[&Type],
    left: bool,
    adjoint: bool,
) -> Result<Vec<Value>, EvalError> {
    let wrong =
        || EvalError::shape(target, "operands must be reflectors, their τ and a matrix of matching shape");
    let &[a, taus, c] = operands else { return Err(wrong()) };
    let &[ref batch @ .., rows, columns] = &a.shape[..] else { return Err(wrong()) };
    let (Some(&[high, wide_by]), Some(&count)) = (c.shape.get(batch.len()..), taus.shape.last()) else {
        return Err(wrong());
    };
    let fits = taus.shape.len() == a.shape.len() - 1
        && [&taus.shape, &c.shape].iter().all(|shape| shape.starts_with(batch))
        && [taus, c].iter().all(|x| x.element == a.element)
        && count <= rows.min(columns)
        && rows == if left { high } else { wide_by };
    if !fits || declared.len() != 1 {
        return Err(wrong());
    }
    has_numbers(target, a)?;
    let matrices: usize = batch.iter().product();
    let product = Product { sizes: [(rows, columns), (count, 1), (high, wide_by)], left, adjoint };
    let data = match (wide(a)?, wide(taus)?, wide(c)?) {
        (Wide::Real(a), Wide::Real(taus), Wide::Real(c)) => product.all([&a, &taus, &c], matrices),
        (Wide::Complex(a), Wide::Complex(taus), Wide::Complex(c)) => product.all([&a, &taus, &c], matrices),
        _ => return Err(wrong()),
    };
    Ok(vec![Value::Tensor(narrow(data, c)?)])
}

/// Products of reflectors, their τ, and matrices of these sizes.
struct Product {
    sizes: [(usize, usize); 3],
    left: bool,
    adjoint: bool,
}

impl Product {
    fn all<T: Given>(&self, parts: [&[T]; 3], matrices: usize) -> Wide {
        let one = |number: usize| {
            let part = |at: usize| {
                let (rows, columns) = self.sizes[at];
                Matrix::new(rows, columns, parts[at][number * rows * columns..][..rows * columns].to_vec())
            };
            factors::times_reflectors(&part(0), &part(1).data, part(2), self.left, self.adjoint).data
        };
        T::wide(threads::map(matrices, one).concat())
    }
}

impl Call {
    /// The results for all matrices: the type and the elements of each.
    fn all<T: Given>(
        self,
        a: &[T],
        taus: &[T],
        pivots: Option<&Tensor>,
        matrices: usize,
        x: &Tensor,
    ) -> Result<Vec<(ElementType, Data)>, EvalError> {
        let Call { rows, columns, .. } = self;
        let size = rows * columns;
        let each = taus.len().checked_div(matrices).unwrap_or(0);
        let pivots: Vec<i32> =
            pivots.map(integers).unwrap_or_default().into_iter().map(|at| at as i32).collect();
        let one = |number: usize| {
            let matrix = Matrix::new(rows, columns, a[number * size..][..size].to_vec());
            let fixed = pivots.get(number * columns..(number + 1) * columns).unwrap_or_default();
            self.one(matrix, &taus[number * each..][..each], fixed)
        };
        let mut parts = threads::map(matrices, one).into_iter();
        let mut all = parts.next().unwrap_or_default();
        for more in parts {
            all.iter_mut().zip(more).for_each(|(all, more)| all.extend(more));
        }
        all.into_iter().map(|part| part.finish(x)).collect()
    }

    /// The results for one matrix. If the routine fails they are NaN, and `info` is 1.
    fn one<T: Given>(self, a: Matrix<T>, taus: &[T], pivots: &[i32]) -> Vec<Part> {
        use Part::Integers;
        let same = |all: Vec<T>| Part::Numbers(T::wide(all));
        let real = |all: Vec<f64>| Part::Numbers(Wide::Real(all));
        let complex = |all: Vec<Complex<f64>>| Part::Numbers(Wide::Complex(all));
        // The results for a real matrix have the real and the imaginary parts of eigenvalues apart.
        let eigenvalues = |values: Vec<Complex<f64>>| match T::REAL {
            true => {
                let (re, im) = values.iter().map(|value| (value.re, value.im)).unzip();
                vec![real(re), real(im)]
            }
            false => vec![complex(values)],
        };
        let (m, n) = (self.rows, self.columns);
        let nan = |count: usize| vec![T::from(f64::NAN).expect("a float"); count];
        let info = |found: bool| Integers(vec![i32::from(!found)]);
        let pairs = || vec![Complex { re: f64::NAN, im: f64::NAN }; n * n];
        match self.routine {
            Routine::Lu => {
                let (factors, pivots, info) = factors::lu(a);
                vec![same(factors.data), Integers(pivots), Integers(vec![info])]
            }
            Routine::Qr => {
                let (packed, taus) = factors::qr(a);
                vec![same(packed.data), same(taus)]
            }
            Routine::PivotedQr => {
                let (packed, order, taus) = factors::pivoted_qr(a, pivots);
                vec![same(packed.data), Integers(order), same(taus)]
            }
            Routine::Reflectors => vec![same(factors::product_of_reflectors(&a, taus).data)],
            Routine::Hermitian => match factors::hermitian(&a, self.lower) {
                Some((vectors, values)) => vec![same(vectors.data), real(values), info(true)],
                None => vec![same(nan(n * n)), real(vec![f64::NAN; n]), info(false)],
            },
            Routine::Singular => {
                let count = m.min(n);
                let (left, right) = if self.whole { (m, n) } else { (count, count) };
                match factors::singular(&a, self.whole) {
                    Some((u, values, vt)) => {
                        vec![same(a.data), real(values), same(u.data), same(vt.data), info(true)]
                    }
                    None => {
                        let (u, vt) = (nan(m * left), nan(right * n));
                        vec![same(a.data), real(vec![f64::NAN; count]), same(u), same(vt), info(false)]
                    }
                }
            }
            Routine::Eigen => {
                let found = factors::eigen(&a);
                let okay = found.is_some();
                let (values, left, right) = match found {
                    Some((values, left, right)) => (values, left.data, right.data),
                    None => (pairs()[..n].to_vec(), pairs(), pairs()),
                };
                let mut all = eigenvalues(values);
                all.extend([complex(left), complex(right), info(okay)]);
                all
            }
            Routine::Schur => {
                let found = T::schur(&a, self.narrow);
                let okay = found.is_some();
                let (t, q, values) = match found {
                    Some((t, q, values)) => (t.data, q.data, values),
                    None => (nan(n * n), nan(n * n), pairs()[..n].to_vec()),
                };
                let mut all = vec![same(t), same(q)];
                all.extend(eigenvalues(values));
                all.extend([Integers(vec![0]), info(okay)]);
                all
            }
            Routine::Hessenberg => {
                let (packed, taus) = factors::hessenberg(a, self.range.0, self.range.1);
                vec![same(packed.data), same(taus), info(true)]
            }
            // `call` handles these two separately.
            Routine::TridiagonalSystem | Routine::TimesReflectors => vec![],
            Routine::Tridiagonal => {
                let found = factors::tridiagonal(&a, self.lower);
                let (diagonal, beside) = (real(found.diagonal), real(found.beside));
                vec![same(found.packed.data), diagonal, beside, same(found.taus), info(true)]
            }
        }
    }
}

/// Real or complex numbers in binary64, from and to tensors.
trait Given: Factored {
    fn wide(all: Vec<Self>) -> Wide;
}

impl Given for f64 {
    fn wide(all: Vec<f64>) -> Wide {
        Wide::Real(all)
    }
}

impl Given for Complex<f64> {
    fn wide(all: Vec<Complex<f64>>) -> Wide {
        Wide::Complex(all)
    }
}

impl Part {
    fn extend(&mut self, more: Part) {
        match (self, more) {
            (Part::Numbers(Wide::Real(all)), Part::Numbers(Wide::Real(more))) => all.extend(more),
            (Part::Numbers(Wide::Complex(all)), Part::Numbers(Wide::Complex(more))) => all.extend(more),
            (Part::Integers(all), Part::Integers(more)) => all.extend(more),
            _ => unreachable!("every matrix has the same results"),
        }
    }

    /// The type and the elements, in the precision of `x`.
    fn finish(self, x: &Tensor) -> Result<(ElementType, Data), EvalError> {
        let float = match &*x.data {
            Data::F32(_) | Data::C64(_) => FloatType::F32,
            _ => FloatType::F64,
        };
        let element = match &self {
            Part::Numbers(Wide::Real(_)) => ElementType::Float(float),
            Part::Numbers(Wide::Complex(_)) => ElementType::Complex(float),
            Part::Integers(_) => ElementType::Integer { signed: true, width: 32 },
        };
        let data = match self {
            Part::Numbers(numbers) => narrowed(numbers, &element)?,
            Part::Integers(all) => Data::I32(all),
        };
        Ok((element, data))
    }
}

#[cfg(test)]
mod tests {
    use binade_stablehlo::ir::Program;
    use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Value};

    use crate::evaluate::Evaluate;
    use crate::options::Options;

    /// The results of a call with two matrices, or its error.
    fn outcome(
        target: &str,
        config: &str,
        results: &[&str],
        matrices: [[f32; 4]; 2],
    ) -> Result<Vec<Data>, String> {
        let all = results.join(", ");
        let text = format!(
            "func.func @main(%a: tensor<2x2x2xf32>) -> ({all}) {{\n%r:{count} = stablehlo.custom_call @{target}(%a) \
             {{mhlo.backend_config = {{{config}}}}} : (tensor<2x2x2xf32>) -> ({all})\nreturn {names} : {all}\n}}",
            count = results.len(),
            names = (0..results.len()).map(|at| format!("%r#{at}")).collect::<Vec<_>>().join(", "),
        );
        let program = Program::parse(&text).map_err(|error| error.to_string())?;
        let element = ElementType::Float(FloatType::F32);
        let x = Tensor::new(element, vec![2, 2, 2], Data::F32(matrices.concat()));
        let run = program.evaluate("main", vec![Value::Tensor(x)], Options::default());
        let tensor = |value| match value {
            Value::Tensor(tensor) => tensor.data.as_ref().clone(),
            other => panic!("{other:?}"),
        };
        run.map(|values| values.into_iter().map(tensor).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn calls_take_batches_and_options() {
        let matrices = [[1.0, 2.0, 4.0, 8.0], [2.0, 0.0, 0.0, 4.0]];
        let lu = outcome(
            "lapack_sgetrf_ffi",
            "",
            &["tensor<2x2x2xf32>", "tensor<2x2xi32>", "tensor<2xi32>"],
            matrices,
        );
        let factors = Data::F32(vec![4.0, 8.0, 0.25, 0.0, 2.0, 0.0, 0.0, 4.0]);
        let expected = [factors, Data::I32(vec![2, 2, 1, 2]), Data::I32(vec![2, 0])];
        assert_eq!(format!("{:?}", lu.unwrap()), format!("{expected:?}"));
        let of_values = ["tensor<2x2x2xf32>", "tensor<2x2xf32>", "tensor<2xi32>"];
        let upper = outcome(
            "lapack_ssyevd_ffi",
            "mode = 86 : ui8, uplo = 85 : ui8",
            &of_values,
            [[2.0, 1.0, 7.0, 2.0], [f32::NAN, 0.0, 0.0, 1.0]],
        );
        let upper = upper.unwrap();
        let Data::F32(values) = &upper[1] else { panic!("{upper:?}") };
        assert_eq!(values[..2], [1.0, 3.0]);
        assert!(values[2].is_nan() && values[3].is_nan());
        assert!(matches!(&upper[2], Data::I32(info) if *info == [0, 1]));
    }

    #[test]
    fn batches_of_none_take_no_memory() {
        let large = "tensor<0x1000000x1000000xf32>";
        let results = format!("({large}, tensor<0x1000000xf32>)");
        let text = format!(
            "func.func @main(%a: {large}) -> {results} {{\n%r:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : \
             ({large}) -> {results}\nreturn %r#0, %r#1 : {large}, tensor<0x1000000xf32>\n}}"
        );
        let element = ElementType::Float(FloatType::F32);
        let x = Tensor::new(element, vec![0, 1_000_000, 1_000_000], Data::F32(vec![]));
        let program = Program::parse(&text).unwrap();
        let results = program.evaluate("main", vec![Value::Tensor(x)], Options::default()).unwrap();
        assert!(matches!(&results[1], Value::Tensor(taus) if taus.shape == [0, 1_000_000]));
    }

    #[test]
    fn calls_that_do_not_fit_are_refused() {
        let call = |target: &str, results: &[&str]| outcome(target, "", results, [[1.0; 4]; 2]).unwrap_err();
        let short = call("lapack_sgetrf_ffi", &["tensor<2x2x2xf32>", "tensor<2x2xi32>"]);
        assert!(short.contains("2 results are declared, the routine has 3"), "{short}");
        let wrong = call("lapack_sgeqrf_ffi", &["tensor<2x2x2xf32>", "tensor<2x3xf32>"]);
        assert!(wrong.contains("declared as tensor<2x3xf32>, the routine returns 4 × f32"), "{wrong}");
        let missing = call("lapack_sorgqr_ffi", &["tensor<2x2x2xf32>"]);
        assert!(missing.contains("operand 1"), "{missing}");
        let unknown = call("lapack_sgetri_ffi", &["tensor<2x2x2xf32>"]);
        assert!(unknown.contains("not known"), "{unknown}");
    }
}
