//! Calls of LAPACK's routines: what they take and give, for batches of matrices.

use std::sync::Arc;

use binade_fft::num_complex::Complex;
use rayon::prelude::*;

use crate::eval::EvalError;
use crate::eval::factors::{self, Factored, Matrix};
use crate::eval::linear::{Wide, wide};
use crate::eval::shape::integers;
use crate::tensor::{Data, Tensor, Value};
use crate::types::{ElementType, FloatType, Type};

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
];

impl Routine {
    /// The routine that the target of a call names: `lapack_sgetrf_ffi`.
    pub(crate) fn of(target: &str) -> Option<Routine> {
        let name = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?;
        let name = name.strip_prefix(['s', 'd', 'c', 'z'])?;
        ROUTINES.iter().find(|(known, _)| *known == name).map(|(_, routine)| *routine)
    }

    /// Whether the matrix has to be square.
    fn is_of_squares(self) -> bool {
        use Routine::*;
        matches!(self, Hermitian | Eigen | Schur | Hessenberg | Tridiagonal)
    }
}

/// A result for one matrix, row by row: numbers of its type, real or complex ones of the same precision, or integers of 32 bits.
enum Part<T> {
    Same(Vec<T>),
    Real(Vec<f64>),
    Complex(Vec<Complex<f64>>),
    Integers(Vec<i32>),
}

/// What a call is told besides its matrices.
#[derive(Clone, Copy)]
struct Call {
    routine: Routine,
    rows: usize,
    columns: usize,
    /// `uplo`: the triangle that counts.
    lower: bool,
    /// Whether all columns of U and V are wanted, and not as many as there are singular values.
    whole: bool,
    /// `low` and `high`, from 0.
    range: (usize, usize),
}

/// Calls a routine.
///
/// # Errors
/// If operands and results are not the routine's.
pub(crate) fn call(
    target: &str,
    routine: Routine,
    option: &dyn Fn(&str) -> Option<i64>,
    operands: &[&Tensor],
    declared: &[&Type],
) -> Result<Vec<Value>, EvalError> {
    let wrong = |facts: String| EvalError::shape(target, facts);
    let Some(x) = operands.first() else { return Err(wrong("operand 0 is missing".to_string())) };
    let &[ref batch @ .., rows, columns] = &x.shape[..] else {
        return Err(wrong(format!("an operand of shape {:?} is no matrix", x.shape)));
    };
    if routine.is_of_squares() && rows != columns {
        return Err(wrong(format!("matrices of {rows} × {columns} are not square")));
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
            return Err(wrong("operand 1 does not fit operand 0".to_string()));
        }
        _ => None,
    };
    if routine == Routine::Schur && option("sort").is_some_and(|sort| sort != i64::from(b'N')) {
        return Err(wrong("eigenvalues are not selected here".to_string()));
    }
    let place = |name: &str, otherwise: usize| match option(name) {
        Some(at) => usize::try_from(at.checked_sub(1)?).ok().filter(|at| *at < rows.max(1)),
        None => Some(otherwise),
    };
    let last = rows.saturating_sub(1);
    let (Some(low), Some(high)) = (place("low", 0), place("high", last)) else {
        return Err(wrong(format!("rows {:?} to {:?} of {rows}", option("low"), option("high"))));
    };
    let lower = option("uplo").is_none_or(|letter| letter == i64::from(b'L'));
    let shapes: Vec<&[Option<usize>]> = declared
        .iter()
        .map(|ty| match ty {
            Type::Tensor(ty) if ty.shape.len() >= batch.len() => Ok(&ty.shape[batch.len()..]),
            other => Err(wrong(format!("a result of type {other}"))),
        })
        .collect::<Result<_, _>>()?;
    // Where vectors are not wanted, their place tells as well.
    let whole = shapes.get(2).and_then(|shape| *shape.last()?) == Some(rows)
        && shapes.get(3).and_then(|shape| *shape.first()?) == Some(columns);
    let call = Call { routine, rows, columns, lower, whole, range: (low, high) };
    has_numbers(target, x)?;
    let results = match (wide(x)?, second.filter(|_| routine == Routine::Reflectors).map(wide).transpose()?) {
        (Wide::Real(a), None) => call.all(&a, &[], second, matrices, x)?,
        (Wide::Real(a), Some(Wide::Real(taus))) => call.all(&a, &taus, None, matrices, x)?,
        (Wide::Complex(a), None) => call.all(&a, &[], second, matrices, x)?,
        (Wide::Complex(a), Some(Wide::Complex(taus))) => call.all(&a, &taus, None, matrices, x)?,
        _ => return Err(EvalError::element(target, &x.element)),
    };
    if results.len() != declared.len() {
        return Err(wrong(format!("{} results where there are {}", declared.len(), results.len())));
    }
    let mut values = vec![];
    for ((element, data), (declared, shape)) in results.into_iter().zip(declared.iter().zip(shapes)) {
        let sizes: Option<Vec<usize>> = shape.iter().copied().collect();
        let shape = [batch, &sizes.unwrap_or_default()].concat();
        let Type::Tensor(ty) = declared else { continue };
        if ty.element != element
            || shape.len() != ty.shape.len()
            || data.len() != shape.iter().product::<usize>()
        {
            return Err(wrong(format!(
                "a result of type {declared} where {} of {element} are found",
                data.len()
            )));
        }
        values.push(Value::Tensor(Tensor { element, shape, data: Arc::new(data) }));
    }
    Ok(values)
}

/// LAPACK has real and complex numbers of 32 and 64 bits.
fn has_numbers(target: &str, x: &Tensor) -> Result<(), EvalError> {
    match &*x.data {
        Data::F32(_) | Data::F64(_) | Data::C64(_) | Data::C128(_) => Ok(()),
        _ => Err(EvalError::element(target, &x.element)),
    }
}

/// `gtsv`: the numbers below, on and above the diagonal, and what is to be solved for; these three, the solution, and `info`.
///
/// # Errors
/// If operands and results are not the routine's.
pub(crate) fn tridiagonal_system(
    target: &str,
    operands: &[&Tensor],
    declared: &[&Type],
) -> Result<Vec<Value>, EvalError> {
    let wrong =
        || EvalError::shape(target, "three diagonals of one length and the rows of a matrix are taken");
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
    fn all<T: Given>(parts: [&[T]; 4], n: usize, columns: usize, matrices: usize) -> (Vec<T>, Vec<i32>) {
        let [below, on, above, b] = parts;
        let (mut solved, mut info) = (vec![], vec![]);
        for number in 0..matrices {
            let part = |x: &[T]| x[number * n..][..n].to_vec();
            let mut x = Matrix::new(n, columns, b[number * n * columns..][..n * columns].to_vec());
            let found = factors::tridiagonal_system(&part(below), &part(on), &part(above), &mut x);
            info.push(found.err().unwrap_or(0));
            solved.extend(x.data);
        }
        (solved, info)
    }
    let (n, batch) = (rows[rows.len() - 1], &rows[..rows.len() - 1]);
    let matrices = batch.iter().product();
    let (solved, info) = match (wide(below)?, wide(on)?, wide(above)?, wide(b)?) {
        (Wide::Real(l), Wide::Real(d), Wide::Real(u), Wide::Real(x)) => {
            let (solved, info) = all([&l, &d, &u, &x], n, columns, matrices);
            (Part::Same(solved).finish(b)?, info)
        }
        (Wide::Complex(l), Wide::Complex(d), Wide::Complex(u), Wide::Complex(x)) => {
            let (solved, info) = all([&l, &d, &u, &x], n, columns, matrices);
            (Part::Same(solved).finish(b)?, info)
        }
        _ => return Err(wrong()),
    };
    let solved = Tensor { element: solved.0, shape: b.shape.clone(), data: Arc::new(solved.1) };
    let element = ElementType::Integer { signed: true, width: 32 };
    let info = Tensor { element, shape: batch.to_vec(), data: Arc::new(Data::I32(info)) };
    Ok([below.clone(), on.clone(), above.clone(), solved, info].map(Value::Tensor).into())
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
        let mut parts: Vec<Vec<Part<T>>> = (0..matrices).into_par_iter().map(one).collect();
        if parts.is_empty() {
            // Which results there are a matrix tells that does not count.
            let none = Matrix::new(rows, columns, vec![T::zero(); size]);
            parts.push(self.one(none, &[], &vec![0; columns]));
            parts[0].iter_mut().for_each(Part::clear);
        }
        let mut all = parts.remove(0);
        for more in parts {
            all.iter_mut().zip(more).for_each(|(all, more)| all.extend(more));
        }
        all.into_iter().map(|part| part.finish(x)).collect()
    }

    /// The results for one matrix. Where none are found they are NaN, and `info` is 1.
    fn one<T: Given>(self, a: Matrix<T>, taus: &[T], pivots: &[i32]) -> Vec<Part<T>> {
        use Part::{Complex as Pairs, Integers, Real, Same};
        let (m, n) = (self.rows, self.columns);
        let nan = |count: usize| vec![T::from(f64::NAN).expect("a float"); count];
        let info = |found: bool| Integers(vec![i32::from(!found)]);
        let pairs = || vec![Complex { re: f64::NAN, im: f64::NAN }; n * n];
        match self.routine {
            Routine::Lu => {
                let (factors, pivots, info) = factors::lu(a);
                vec![Same(factors.data), Integers(pivots), Integers(vec![info])]
            }
            Routine::Qr => {
                let (packed, taus) = factors::qr(a);
                vec![Same(packed.data), Same(taus)]
            }
            Routine::PivotedQr => {
                let (packed, order, taus) = factors::pivoted_qr(a, pivots);
                vec![Same(packed.data), Integers(order), Same(taus)]
            }
            Routine::Reflectors => vec![Same(factors::product_of_reflectors(&a, taus).data)],
            Routine::Hermitian => match factors::hermitian(&a, self.lower) {
                Some((vectors, values)) => vec![Same(vectors.data), Real(values), info(true)],
                None => vec![Same(nan(n * n)), Real(vec![f64::NAN; n]), info(false)],
            },
            Routine::Singular => {
                let count = m.min(n);
                let (left, right) = if self.whole { (m, n) } else { (count, count) };
                match factors::singular(&a, self.whole) {
                    Some((u, values, vt)) => {
                        vec![Same(a.data), Real(values), Same(u.data), Same(vt.data), info(true)]
                    }
                    None => {
                        let (u, vt) = (nan(m * left), nan(right * n));
                        vec![Same(a.data), Real(vec![f64::NAN; count]), Same(u), Same(vt), info(false)]
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
                let mut all = T::values(values);
                all.extend([Pairs(left), Pairs(right), info(okay)]);
                all
            }
            Routine::Schur => {
                let found = T::schur(&a);
                let okay = found.is_some();
                let (t, q, values) = match found {
                    Some((t, q, values)) => (t.data, q.data, values),
                    None => (nan(n * n), nan(n * n), pairs()[..n].to_vec()),
                };
                let mut all = vec![Same(t), Same(q)];
                all.extend(T::values(values));
                all.extend([Integers(vec![0]), info(okay)]);
                all
            }
            Routine::Hessenberg => {
                let (packed, taus) = factors::hessenberg(a, self.range.0, self.range.1);
                vec![Same(packed.data), Same(taus), info(true)]
            }
            Routine::Tridiagonal => {
                let found = factors::tridiagonal(&a, self.lower);
                let (diagonal, beside) = (Real(found.diagonal), Real(found.beside));
                vec![Same(found.packed.data), diagonal, beside, Same(found.taus), info(true)]
            }
        }
    }
}

/// Numbers as routines of their type give them.
trait Given: Factored {
    /// Eigenvalues.
    fn values(values: Vec<Complex<f64>>) -> Vec<Part<Self>>;
    /// The elements, by what makes them of real or of complex numbers.
    fn data(
        all: Vec<Self>,
        real: &dyn Fn(Vec<f64>) -> Data,
        complex: &dyn Fn(Vec<Complex<f64>>) -> Data,
    ) -> Data;
}

impl Given for f64 {
    fn values(values: Vec<Complex<f64>>) -> Vec<Part<f64>> {
        let parts = values.iter().map(|value| (value.re, value.im)).unzip();
        vec![Part::Real(parts.0), Part::Real(parts.1)]
    }

    fn data(all: Vec<f64>, real: &dyn Fn(Vec<f64>) -> Data, _: &dyn Fn(Vec<Complex<f64>>) -> Data) -> Data {
        real(all)
    }
}

impl Given for Complex<f64> {
    fn values(values: Vec<Complex<f64>>) -> Vec<Part<Complex<f64>>> {
        vec![Part::Complex(values)]
    }

    fn data(
        all: Vec<Complex<f64>>,
        _: &dyn Fn(Vec<f64>) -> Data,
        complex: &dyn Fn(Vec<Complex<f64>>) -> Data,
    ) -> Data {
        complex(all)
    }
}

impl<T> Part<T> {
    fn clear(&mut self) {
        match self {
            Part::Same(all) => all.clear(),
            Part::Real(all) => all.clear(),
            Part::Complex(all) => all.clear(),
            Part::Integers(all) => all.clear(),
        }
    }

    fn extend(&mut self, more: Part<T>) {
        match (self, more) {
            (Part::Same(all), Part::Same(more)) => all.extend(more),
            (Part::Real(all), Part::Real(more)) => all.extend(more),
            (Part::Complex(all), Part::Complex(more)) => all.extend(more),
            (Part::Integers(all), Part::Integers(more)) => all.extend(more),
            _ => unreachable!("every matrix has the same results"),
        }
    }
}

impl<T: Given> Part<T> {
    /// The type and the elements, as narrow as `x` is.
    fn finish(self, x: &Tensor) -> Result<(ElementType, Data), EvalError> {
        let single = matches!(&*x.data, Data::F32(_) | Data::C64(_));
        let float = if single { FloatType::F32 } else { FloatType::F64 };
        let real = |x: Vec<f64>| match single {
            true => Data::F32(x.into_iter().map(|x| x as f32).collect()),
            false => Data::F64(x),
        };
        let complex = |x: Vec<Complex<f64>>| match single {
            true => Data::C64(x.into_iter().map(|x| [x.re as f32, x.im as f32]).collect()),
            false => Data::C128(x.into_iter().map(|x| [x.re, x.im]).collect()),
        };
        Ok(match self {
            Part::Same(all) => (x.element.clone(), T::data(all, &real, &complex)),
            Part::Real(all) => (ElementType::Float(float), real(all)),
            Part::Complex(all) => (ElementType::Complex(float), complex(all)),
            Part::Integers(all) => (ElementType::Integer { signed: true, width: 32 }, Data::I32(all)),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::Options;
    use crate::ir::Program;
    use crate::tensor::{Data, Tensor, Value};
    use crate::types::{ElementType, FloatType};

    /// What a call of two matrices gives, or what is wrong with it.
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
    fn calls_that_do_not_fit_are_refused() {
        let call = |target: &str, results: &[&str]| outcome(target, "", results, [[1.0; 4]; 2]).unwrap_err();
        let short = call("lapack_sgetrf_ffi", &["tensor<2x2x2xf32>", "tensor<2x2xi32>"]);
        assert!(short.contains("2 results where there are 3"), "{short}");
        let wrong = call("lapack_sgeqrf_ffi", &["tensor<2x2x2xf32>", "tensor<2x3xf32>"]);
        assert!(wrong.contains("tensor<2x3xf32> where 4 of f32 are found"), "{wrong}");
        let missing = call("lapack_sorgqr_ffi", &["tensor<2x2x2xf32>"]);
        assert!(missing.contains("operand 1"), "{missing}");
        let unknown = call("lapack_sgetri_ffi", &["tensor<2x2x2xf32>"]);
        assert!(unknown.contains("not known"), "{unknown}");
    }
}
