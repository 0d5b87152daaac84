//! The output file of `quantize`: a slot for each tensor, its scales and its notes.

use std::path::Path;

use binade_files::{Container, ElementType, IfExists};

use super::plan::{QuantizePlan, Task, TensorFormat};
use crate::layout::{Layout, Note, format_of, scale_name, subject_of, tensor_scale_name};
use crate::scale::{Groups, Rule};
use crate::write::{Sink, Slot};
use crate::{Error, Scale};

/// The slots of a tensor.
pub(super) struct TensorSlots {
    /// Slot of the elements.
    pub(super) codes: usize,
    pub(super) layout: Layout,
    /// Slot of the scales, and bits of a scale.
    pub(super) scales: Option<(usize, u32)>,
    /// Slot of the tensor scale, if there is one.
    pub(super) tensor_scale: Option<usize>,
}

/// The output and the slots of all tensors.
pub(super) struct Output {
    pub(super) sink: Sink,
    pub(super) places: Vec<TensorSlots>,
}

impl Output {
    pub(super) fn create(
        plan: &QuantizePlan<'_>,
        targets: &[Option<TensorFormat>],
        path: &Path,
        if_exists: IfExists,
    ) -> Result<Output, Error> {
        let (options, input) = (plan.options, &plan.noted.input);
        let container = input.container().of_output();
        let mut slots: Vec<Slot> = vec![];
        let mut places: Vec<TensorSlots> = vec![];
        let mut notes: Vec<(String, Note)> = vec![];
        for (task, found) in plan.tasks.iter().zip(targets) {
            match (task, found) {
                (Task::Quantise { values, scale, .. }, Some(found)) => {
                    let name = values.tensor.name();
                    let layout = if options.simulate {
                        // The input's own layout: element by element, in the same type.
                        Layout {
                            element: values.tensor.element().clone(),
                            shape: values.tensor.shape().to_vec(),
                            bits: values.bits(),
                            flat: false,
                        }
                    } else {
                        Layout::of_elements(container, &found.spec, &values.shape)
                    };
                    let codes = slots.len();
                    slots.push(Slot::new(name, layout.element.clone(), &layout.shape));
                    let (mut scales, mut tensor_scale) = (None, None);
                    if !options.simulate {
                        notes.push((name.to_owned(), Note::new(&found.spec, &values.shape, &layout, scale)));
                        if *scale != Scale::None {
                            let shape = Groups::new(scale, &values.shape).map(|(_, shape)| shape);
                            let shape = shape.unwrap_or_default();
                            let kept = Layout::new(container, Rule::format(scale), &shape);
                            let scales_name = scale_name(name);
                            plan.free(name, &scales_name)?;
                            scales = Some((slots.len(), kept.bits));
                            slots.push(Slot::new(&scales_name, kept.element.clone(), &kept.shape));
                            if let Scale::Block { format, .. } = scale {
                                notes.push((scales_name, Note::new(format, &shape, &kept, &Scale::None)));
                            }
                        }
                        if Rule::has_two_levels(scale) {
                            plan.free(name, &tensor_scale_name(name))?;
                            tensor_scale = Some(slots.len());
                            slots.push(Slot::new(&tensor_scale_name(name), ElementType::F32, &[]));
                        }
                    }
                    places.push(TensorSlots { codes, layout, scales, tensor_scale });
                }
                (Task::Copy { tensor, .. }, _) => {
                    let layout = Layout {
                        element: tensor.element().clone(),
                        shape: tensor.shape().to_vec(),
                        bits: 8,
                        flat: false,
                    };
                    places.push(TensorSlots { codes: slots.len(), layout, scales: None, tensor_scale: None });
                    slots.push(Slot::like(tensor));
                }
                _ => {}
            }
        }
        // Notes on tensors that are quantised now are out of date.
        let renewed = |name: &str| {
            plan.tasks.iter().any(|task| match task {
                Task::Quantise { values, .. } => values.tensor.name() == name && !options.simulate,
                Task::Copy { .. } => false,
            })
        };
        let kept = input.metadata().iter().filter(|(key, _)| !subject_of(key).is_some_and(&renewed)).cloned();
        let metadata: Vec<(String, String)> =
            kept.chain(notes.iter().flat_map(|(name, note)| note.metadata(name))).collect();
        // An element type that npy can name needs no note, unless the tensor is scaled.
        let note = match (&notes[..], places.first()) {
            ([(_, note), ..], Some(place))
                if note.scale.is_some() || format_of(&place.layout.element).is_none() =>
            {
                Some(note.clone())
            }
            ([], _) => plan.noted.note("").cloned(),
            _ => None,
        };
        let sink = Sink::create(path, container, &slots, &metadata, note, if_exists)?;
        Ok(Output { sink, places })
    }
}

impl QuantizePlan<'_> {
    /// Checks that the name of a new tensor is not taken.
    fn free(&self, tensor: &str, name: &str) -> Result<(), Error> {
        match self.noted.input.get(name) {
            Some(_) if self.noted.input.container() != Container::Npy => Err(Error::NameTaken {
                path: self.noted.path.clone(),
                tensor: tensor.to_owned(),
                name: name.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}
