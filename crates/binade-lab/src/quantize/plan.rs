//! Plans a quantisation: which tensors are quantised, to which format and scale, in which order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use binade::{Edition, Format, Projection, Rounding, Saturation, Spec};
use binade_files::{Container, ElementType, IfExists, Tensor};
use binade_glob::Glob;
use binade_kernels::Tally;
use binade_simd::threads;

use super::encode::ElementEncoder;
use super::output::Output;
use super::pass::Pass;
use super::tally::losses;
use super::{BiasError, Copied, Losses, Options, Report, RoundingChoice, Target, TensorReport, with_bias};
use crate::bias::{BIASES, Cells};
use crate::checkpoint::CheckpointError;
use crate::checkpoint::foreign::Names;
use crate::layout::{Noted, format_of, is_int8};
use crate::pool::CHUNK;
use crate::scale::{Extent, Groups, Rule};
use crate::values::Values;
use crate::{Error, Progress, Scale};

/// Globs that select tensors.
pub(super) struct Patterns {
    /// `None` for all.
    include: Option<Vec<Glob>>,
    exclude: Vec<Glob>,
}

impl Patterns {
    pub(super) fn new(options: &Options) -> Result<Patterns, Error> {
        let set = |patterns: &[String]| {
            let glob = |pattern: &String| {
                pattern.parse().map_err(|reason| Error::Pattern { pattern: pattern.clone(), reason })
            };
            patterns.iter().map(glob).collect::<Result<Vec<Glob>, Error>>()
        };
        let include = (!options.include.is_empty()).then(|| set(&options.include)).transpose()?;
        Ok(Patterns { include, exclude: set(&options.exclude)? })
    }
}

fn matches(globs: &[Glob], name: &str) -> bool {
    globs.iter().any(|glob| glob.matches(name))
}

/// A tensor and its treatment.
pub(super) enum Task<'a> {
    Quantise { values: Box<Values<'a>>, groups: Groups, target: Target, scale: Scale },
    Copy { tensor: &'a Tensor, reason: String },
}

/// The treatment of a tensor that can be quantised.
#[derive(Clone)]
pub(super) enum Treatment {
    Format(Target, Scale),
    /// It stays as it is, for this reason.
    Keep(String),
}

/// Everything that is known before elements are read.
pub(super) struct QuantizePlan<'a> {
    pub(super) noted: &'a Noted,
    pub(super) options: &'a Options,
    pub(super) tasks: Vec<Task<'a>>,
}

/// Scales of a tensor.
pub(super) enum Scaling {
    /// No scaling.
    None,
    /// The scale of each group is known: its code and its value. The last field is the tensor scale, if there is one.
    Known(Vec<(u64, f64)>, Option<f64>),
    /// The scale of a block follows from its elements.
    Blocks(Rule),
    /// As `Blocks`, for tiles of a tensor with more scales than are kept at once.
    Tiles(Rule),
}

impl<'a> QuantizePlan<'a> {
    pub(super) fn new(
        noted: &'a Noted,
        options: &'a Options,
        patterns: &Patterns,
        pick: &dyn Fn(&str) -> Treatment,
    ) -> Result<QuantizePlan<'a>, Error> {
        let mut tasks = vec![];
        for tensor in noted.input.tensors() {
            tasks.push(match left_out(noted, tensor, patterns, options) {
                Some(reason) => Task::Copy { tensor, reason },
                None => match noted.values(tensor, options.input_format.as_ref())? {
                    Some(values) if values.spec.is_some() => {
                        let (target, scale) = match pick(tensor.name()) {
                            Treatment::Format(target, scale) => (target, scale),
                            Treatment::Keep(reason) => {
                                tasks.push(Task::Copy { tensor, reason });
                                continue;
                            }
                        };
                        let groups = Groups::new(&scale, &values.shape);
                        let (groups, _) = groups.ok_or_else(|| Error::Axis {
                            path: noted.path.clone(),
                            tensor: tensor.name().to_owned(),
                            axis: if let Scale::Channel { axis } = scale { axis } else { 0 },
                            rank: values.shape.len(),
                        })?;
                        match groups {
                            // An empty tensor with many channels would need a large file of scales.
                            Groups::Channels { length: 0x100_0000.., .. } if values.elements == 0 => {
                                Task::Copy {
                                    tensor,
                                    reason: "it is empty, but its scales would not be".to_owned(),
                                }
                            }
                            _ => Task::Quantise { values: Box::new(values), groups, target, scale },
                        }
                    }
                    _ => {
                        let reason =
                            format!("elements of {} are not floating-point numbers", tensor.element());
                        Task::Copy { tensor, reason }
                    }
                },
            });
        }
        refuse_codes(noted, &tasks)?;
        let nothing = tasks.iter().all(|task| matches!(task, Task::Copy { .. }));
        if nothing && (patterns.include.is_some() || noted.input.container() == Container::Npy) {
            let reasons: Vec<String> = tasks
                .iter()
                .take(3)
                .filter_map(|task| match task {
                    Task::Copy { tensor, reason } if tensor.name().is_empty() => Some(reason.clone()),
                    Task::Copy { tensor, reason } => Some(format!("'{}': {reason}", tensor.name())),
                    Task::Quantise { .. } => None,
                })
                .collect();
            let reason =
                if reasons.is_empty() { "the file has no tensor".to_owned() } else { reasons.join("; ") };
            return Err(Error::Nothing { path: noted.path.clone(), reason });
        }
        Ok(QuantizePlan { noted, options, tasks })
    }

    /// Approximate number of bytes to read.
    pub(super) fn bytes(&self) -> u64 {
        let of = |task: &Task<'_>| match task {
            Task::Copy { tensor, .. } => tensor.byte_len(),
            Task::Quantise { values, target, scale, groups } => {
                let before = matches!(target, Target::BestBias { .. }) || needs_maxima(scale, *groups);
                let twice = Rule::has_two_levels(scale) && many_tiles(*groups, values.elements);
                values.tensor.byte_len() * (1 + before as u64 + twice as u64)
            }
        };
        self.tasks.iter().map(of).sum()
    }

    /// The format and the losses of a tensor, without writing.
    pub(super) fn measure(
        &self,
        task: &Task<'_>,
        progress: &dyn Progress,
    ) -> Result<(TensorFormat, Tally), Error> {
        let Task::Quantise { values, groups, target, scale } = task else {
            return Ok((TensorFormat { spec: "f64".parse()?, search: None }, Tally::default()));
        };
        let found = self.target(values, target, progress)?;
        let (format, edition) = (found.spec.format, self.options.edition_of(&found.spec));
        let saturation = self.saturation(scale);
        let encoder = &ElementEncoder::new(format, self.options.rounding, saturation, edition);
        let scaling = self.scaling(values, *groups, scale, format, progress)?;
        let int8 = is_int8(&found.spec);
        let pass =
            Pass { plan: self, values, groups: *groups, scale, encoder, int8, scaling, base: 0, out: None };
        Ok((found, pass.run(progress)?))
    }

    pub(super) fn run(
        &self,
        output: &Path,
        if_exists: IfExists,
        progress: &dyn Progress,
    ) -> Result<Report, Error> {
        let options = self.options;
        progress.total(self.bytes());

        // The header comes first in the file and names the biases.
        let mut targets: Vec<Option<TensorFormat>> = vec![];
        for task in &self.tasks {
            targets.push(match task {
                Task::Copy { .. } => None,
                Task::Quantise { values, target, .. } => Some(self.target(values, target, progress)?),
            });
        }
        let output = Output::create(self, &targets, output, if_exists)?;

        let mut report = Report {
            format: options.target.name().to_owned(),
            rounding: options.rounding.name(),
            random_bits: None,
            seed: None,
            saturation: self.saturation(options.scale()).name(),
            scale: options.scale().to_string(),
            simulate: options.simulate,
            tensors: vec![],
            copied: vec![],
            total: Losses::default(),
        };
        if let RoundingChoice::Stochastic { bits, seed, .. } = options.rounding {
            (report.random_bits, report.seed) = (Some(bits), Some(seed));
        }
        let (mut total, mut from_nan) = (Tally::default(), 0);
        let mut encoders: HashMap<(Format, Saturation, Edition), Arc<ElementEncoder>> = HashMap::new();
        for ((task, found), places) in self.tasks.iter().zip(targets).zip(&output.places) {
            match (task, found) {
                (Task::Quantise { values, groups, scale, .. }, Some(found)) => {
                    let (format, edition) = (found.spec.format, options.edition_of(&found.spec));
                    let saturation = self.saturation(scale);
                    let encoder = encoders.entry((format, saturation, edition)).or_insert_with(|| {
                        Arc::new(ElementEncoder::new(format, options.rounding, saturation, edition))
                    });
                    let scaling = self.scaling(values, *groups, scale, found.spec.format, progress)?;
                    let tensor_scale = match (&scaling, scale) {
                        (Scaling::Known(scales, _), Scale::Tensor) => scales.first().map(|(_, scale)| *scale),
                        (Scaling::Known(_, tensor_scale), _) => *tensor_scale,
                        (Scaling::Blocks(rule) | Scaling::Tiles(rule), _) => rule.tensor_scale,
                        _ => None,
                    };
                    let tally = Pass {
                        plan: self,
                        values,
                        groups: *groups,
                        scale,
                        encoder,
                        int8: is_int8(&found.spec),
                        scaling,
                        base: 0,
                        out: Some((places, &output.sink)),
                    }
                    .run(progress)?;
                    let mut losses = losses(&tally);
                    if found.spec.format.nan_code().is_none() && *scale == Scale::None {
                        losses.from_nan = losses.invalid;
                    }
                    from_nan += losses.from_nan;
                    report.tensors.push(TensorReport {
                        name: values.tensor.name().to_owned(),
                        shape: values.shape.clone(),
                        source: values.spec.as_ref().map(|spec| spec.name().to_owned()).unwrap_or_default(),
                        target: found.spec.name().to_owned(),
                        stored_as: places.layout.element.to_string(),
                        scale: scale.to_string(),
                        bias: found.search.is_some().then(|| found.spec.format.bias()),
                        bias_search: found.search,
                        tensor_scale,
                        losses,
                    });
                    total.merge(&tally);
                }
                (Task::Copy { tensor, reason }, _) => {
                    tensor.visit_bytes(1 << 20, |offset, bytes| {
                        if progress.cancelled() {
                            return Err(Error::Cancelled);
                        }
                        output.sink.write_at(places.codes, offset, bytes)?;
                        progress.advance(bytes.len() as u64, tensor.name());
                        Ok(())
                    })?;
                    report.copied.push(Copied {
                        name: tensor.name().to_owned(),
                        element: tensor.element().to_string(),
                        reason: reason.clone(),
                    });
                }
                _ => {}
            }
        }
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        output.sink.finish()?;
        report.total = Losses { from_nan, ..losses(&total) };
        Ok(report)
    }

    fn saturation(&self, scale: &Scale) -> Saturation {
        Rule::saturation(scale, self.options.scale_rule, self.options.saturation)
    }

    /// The format of a tensor.
    fn target(
        &self,
        values: &Values<'_>,
        target: &Target,
        progress: &dyn Progress,
    ) -> Result<TensorFormat, Error> {
        let name = match target {
            Target::Format(spec) => return Ok(TensorFormat { spec: spec.clone(), search: None }),
            Target::Blocks(blocks) => {
                return Ok(TensorFormat { spec: blocks.elements.clone(), search: None });
            }
            Target::BestBias { name } => name,
        };
        let format = |bias| Some((bias, with_bias(name, bias).parse::<Spec>().ok()?.format));
        let formats: Vec<(i32, Format)> = BIASES.filter_map(format).collect();
        // One span for each thread rather than chunks, because every span has its own cells.
        let (spans, new) = (rayon::current_num_threads(), || Cells::new(&formats));
        let cells = over_spans(values, 0..values.elements, spans, progress, new, |cells, _, elements| {
            cells.add(elements)
        })?;
        let cells = cells.into_iter().reduce(|a, b| a.merge(b)).unwrap_or_else(|| Cells::new(&formats));
        let rounding = self.options.rounding.fixed().unwrap_or(Rounding::NearestEven);
        let (bias, search) = cells.search(&formats, Projection::new(rounding, self.options.saturation));
        Ok(TensorFormat { spec: with_bias(name, bias).parse()?, search: Some(search) })
    }

    /// The scales of a tensor, or the rule for them.
    fn scaling(
        &self,
        values: &Values<'_>,
        groups: Groups,
        scale: &Scale,
        format: Format,
        progress: &dyn Progress,
    ) -> Result<Scaling, Error> {
        let many = many_tiles(groups, values.elements);
        let maxima = if needs_maxima(scale, groups) && (!many || Rule::has_two_levels(scale)) {
            let all = many || matches!(groups, Groups::Blocks { .. });
            let groups = if all { Groups::One } else { groups };
            let known = 0..groups.known(values.elements);
            maxima(values, groups, 0..values.elements, known, progress)?
        } else {
            vec![]
        };
        let largest = maxima.iter().fold(0.0, |largest: f64, extent| largest.max(extent.largest));
        let rule = Rule::new(format, scale, self.options.scale_rule, largest);
        let not_finite = Rule::not_finite(format, scale);
        Ok(match (scale, groups) {
            (Scale::None, _) => Scaling::None,
            (Scale::Block { .. }, Groups::Blocks { .. }) => Scaling::Blocks(rule),
            (Scale::Block { .. }, Groups::Tiles { .. }) if many => Scaling::Tiles(rule),
            (Scale::Block { .. } | Scale::Tensor | Scale::Channel { .. }, _) => {
                let scales = maxima.into_iter().map(|extent| rule.scale_of(extent, not_finite));
                let scales = scales.collect::<Result<_, u64>>();
                Scaling::Known(
                    scales.map_err(|index| no_nan(values, index, format, scale))?,
                    rule.tensor_scale,
                )
            }
        })
    }
}

/// The largest magnitude of each of the `known` groups, over a range of elements that has no other groups.
pub(super) fn maxima(
    values: &Values<'_>,
    groups: Groups,
    range: Range<u64>,
    known: Range<u64>,
    progress: &dyn Progress,
) -> Result<Vec<Extent>, Error> {
    let count = (known.end - known.start) as usize;
    // With many channels, few copies of their maxima are worth their memory.
    let copies = (4 * rayon::current_num_threads()).min((1 << 22) / count.max(1)).max(1);
    let new = || vec![Extent::EMPTY; count];
    let of_spans = over_spans(values, range, copies, progress, new, |maxima, first, elements| {
        for (group, range) in groups.runs(first, elements.len() as u64) {
            let maximum = &mut maxima[(group - known.start) as usize];
            *maximum = maximum.and(Extent::of(first + range.start as u64, &elements[range]));
        }
    })?;
    let mut maxima = new();
    for of_span in of_spans {
        maxima.iter_mut().zip(of_span).for_each(|(a, b)| *a = a.and(b));
    }
    Ok(maxima)
}

/// The error for an element that would be NaN although neither elements nor scales have one.
pub(super) fn no_nan(values: &Values<'_>, index: u64, format: Format, scale: &Scale) -> Error {
    Error::NoNan {
        tensor: values.tensor.name().to_owned(),
        index,
        format: format.to_string(),
        scale: scale.to_string(),
    }
}

/// Returns true if there are more tiles than scales are kept at once.
fn many_tiles(groups: Groups, elements: u64) -> bool {
    matches!(groups, Groups::Tiles { .. }) && elements > groups.batch_elements()
}

/// Splits a range of a tensor's elements into at most `max_spans` spans. For each it creates a value by `new` and passes it to
/// `add` with every chunk, in order.
fn over_spans<T: Send>(
    values: &Values<'_>,
    range: Range<u64>,
    max_spans: usize,
    progress: &dyn Progress,
    new: impl Fn() -> T + Sync,
    add: impl Fn(&mut T, u64, &[f64]) + Sync,
) -> Result<Vec<T>, Error> {
    let chunks = (range.end - range.start).div_ceil(CHUNK);
    let spans = chunks.min(max_spans as u64);
    threads::try_map(spans as usize, |span| {
        let (span, mut all) = (span as u64, new());
        let (mut bytes, mut elements) = (vec![], vec![]);
        for chunk in chunks * span / spans..chunks * (span + 1) / spans {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let first = range.start + chunk * CHUNK;
            values.read(first, CHUNK.min(range.end - first), &mut bytes, &mut elements)?;
            add(&mut all, first, &elements);
            progress.advance(bytes.len() as u64, values.tensor.name());
        }
        Ok(all)
    })
}

/// Returns true if scales need a pass over the tensor first.
fn needs_maxima(scale: &Scale, groups: Groups) -> bool {
    match (scale, groups) {
        (Scale::None, _) => false,
        (Scale::Block { .. }, Groups::Blocks { .. }) => Rule::has_two_levels(scale),
        (Scale::Block { .. } | Scale::Tensor | Scale::Channel { .. }, _) => true,
    }
}

/// Refuses a file if tensors to be rounded are codes of a layout, or scales of codes.
fn refuse_codes(noted: &Noted, tasks: &[Task<'_>]) -> Result<(), Error> {
    let rounded: HashSet<&str> = tasks
        .iter()
        .filter_map(|task| match task {
            Task::Quantise { values, .. } => Some(values.tensor.name()),
            Task::Copy { .. } => None,
        })
        .collect();
    if rounded.is_empty() || noted.input.container() == Container::Npy {
        return Ok(());
    }
    let own = noted.input.tensors().iter().filter(|tensor| noted.note(tensor.name()).is_none());
    let names = Names::new(&noted.path, own);
    names.refuse_others()?;
    match names.codes_among(|name| rounded.contains(name)) {
        Some(tensor) => {
            let (path, tensor) = (noted.path.clone(), tensor.to_owned());
            Err(CheckpointError::Quantised { path, tensor }.into())
        }
        None => Ok(()),
    }
}

/// The reason for which a tensor is copied, if it is.
fn left_out(noted: &Noted, tensor: &Tensor, patterns: &Patterns, options: &Options) -> Option<String> {
    let name = tensor.name();
    let included = patterns.include.as_ref().map(|include| matches(include, name));
    if included == Some(false) {
        return Some("no include pattern matches its name".to_owned());
    }
    if matches(&patterns.exclude, name) {
        return Some("an exclude pattern matches its name".to_owned());
    }
    if let Some(of) = noted.scales_of(name) {
        return Some(format!("it has the scales of '{of}'"));
    }
    let note = noted.note(name);
    if note.is_some_and(|note| note.scale.is_some()) {
        return Some("it is quantised and scaled already".to_owned());
    }
    let codes = note.is_some_and(|note| note.format.is_some()) || options.input_format.is_some();
    let narrow = tensor.element().bits().is_some_and(|bits| bits <= 8);
    let float = format_of(tensor.element()).is_some() || codes || *tensor.element() == ElementType::Raw(2);
    if !float {
        return Some(match tensor.element() {
            ElementType::Raw(_) => {
                format!("elements of {} have no format of their own: name it", tensor.element())
            }
            element => format!("elements of {element} are not floating-point numbers"),
        });
    }
    if narrow && included.is_none() && options.input_format.is_none() {
        return Some(format!(
            "elements of {} are quantised only where an include pattern names them",
            tensor.element()
        ));
    }
    None
}

/// The format of a tensor, with the result of the bias search.
pub(super) struct TensorFormat {
    pub(super) spec: Spec,
    pub(super) search: Option<Vec<BiasError>>,
}
