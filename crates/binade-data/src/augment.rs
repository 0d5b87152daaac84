//! Data augmentation for images: random crops and flips, the same on every machine.

use crate::random::{Purpose, below, block};

/// Zeros added on each side before the crop.
pub const PADDING: usize = 4;

/// Crop and flip of an image in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CropAndFlip {
    /// Row of the padded image at which the crop begins, from 0 to 8. At 4 the image does not move.
    pub top: usize,
    /// Column of the padded image at which the crop begins.
    pub left: usize,
    /// True if the crop is mirrored from left to right.
    pub flip: bool,
}

impl CropAndFlip {
    /// Draws the crop of example `index` of the training split in an epoch.
    ///
    /// The Philox block has the seed as its key and the counter (index, epoch's low half, epoch's high half, 2). Word 0 gives
    /// top = ⌊9 w / 2³²⌋, word 1 gives left in the same way, and the top bit of word 2 gives flip.
    pub fn draw(seed: u64, epoch: u64, index: u32) -> Self {
        let [top, left, flip, _] = block(seed, Purpose::Augmentation, epoch, index);
        let place = |word| below(2 * PADDING as u64 + 1, [0, word]) as usize;
        Self { top: place(top), left: place(left), flip: flip >> 31 == 1 }
    }
}

/// Pads each image of a batch by 4 zeros, crops it at random, and mirrors half of the images. This is the usual augmentation
/// for CIFAR.
///
/// `images` are images of `shape` (height, width, channels), one for each of `indices`. The indices come from
/// [`permutation`](crate::permutation()). The result for an image does not depend on its batch.
///
/// # Panics
/// If there are not as many images as indices.
pub fn crop_and_flip<T: Copy + Default>(
    images: &mut [T],
    shape: [usize; 3],
    seed: u64,
    epoch: u64,
    indices: &[u32],
) {
    let size: usize = shape.iter().product();
    assert_eq!(images.len(), size * indices.len(), "as many images as indices");
    if size == 0 {
        return;
    }
    let mut original = vec![T::default(); size];
    for (image, &index) in images.chunks_exact_mut(size).zip(indices) {
        original.copy_from_slice(image);
        apply(CropAndFlip::draw(seed, epoch, index), &original, image, shape);
    }
}

/// Writes the crop row by row: `out[y][x] = image[y + top − 4][x + left − 4]`, zero outside.
fn apply<T: Copy + Default>(
    draw: CropAndFlip,
    image: &[T],
    out: &mut [T],
    [height, width, channels]: [usize; 3],
) {
    out.fill(T::default());
    // Columns of the crop that are within the image, and their source.
    let begin = PADDING.saturating_sub(draw.left).min(width);
    let from = draw.left.saturating_sub(PADDING).min(width);
    let len = width - begin.max(from);
    let rows = channels * width;
    for y in 0..height {
        let Some(source) = (y + draw.top).checked_sub(PADDING).filter(|&row| row < height) else { continue };
        let row = &mut out[rows * y..][..rows];
        row[channels * begin..][..channels * len]
            .copy_from_slice(&image[rows * source + channels * from..][..channels * len]);
        if draw.flip {
            // The row is reversed number by number, then each pixel again.
            row.reverse();
            row.chunks_exact_mut(channels).for_each(<[T]>::reverse);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, pixel by pixel.
    fn plain(draw: CropAndFlip, image: &[u8], [height, width, channels]: [usize; 3]) -> Vec<u8> {
        let mut out = vec![];
        for y in 0..height {
            for x in 0..width {
                let x = if draw.flip { width - 1 - x } else { x };
                let (y, x) = ((y + draw.top) as isize - 4, (x + draw.left) as isize - 4);
                let inside = (0..height as isize).contains(&y) && (0..width as isize).contains(&x);
                for channel in 0..channels {
                    let at = (y * width as isize + x) * channels as isize + channel as isize;
                    out.push(if inside { image[at as usize] } else { 0 });
                }
            }
        }
        out
    }

    proptest! {
        #[test]
        fn crop_and_flip_equals_the_definition(
            shape in [0_usize..12, 0_usize..12, 1_usize..4],
            seed: u64,
            epoch: u64,
            indices in prop::collection::vec(any::<u32>(), 0..5),
        ) {
            let size = shape.iter().product::<usize>();
            let images: Vec<u8> = (0..size * indices.len()).map(|at| (at % 255) as u8 + 1).collect();
            let mut changed = images.clone();
            crop_and_flip(&mut changed, shape, seed, epoch, &indices);
            for (at, &index) in indices.iter().enumerate() {
                let part = size * at..size * (at + 1);
                let draw = CropAndFlip::draw(seed, epoch, index);
                prop_assert_eq!(&changed[part.clone()], plain(draw, &images[part], shape));
            }
        }
    }

    #[test]
    fn draws_follow_the_documentation_and_cover_all() {
        let words = binade::philox::block([5, 6], [7, 8, 9, 2]);
        let place = |word: u32| (u64::from(word) * 9 / (1 << 32)) as usize;
        let draw = CropAndFlip::draw(6 << 32 | 5, 9 << 32 | 8, 7);
        assert_eq!(
            draw,
            CropAndFlip { top: place(words[0]), left: place(words[1]), flip: words[2] >= 1 << 31 }
        );
        let mut seen = std::collections::HashSet::new();
        for index in 0..5_000 {
            let CropAndFlip { top, left, flip } = CropAndFlip::draw(1, 0, index);
            seen.insert((top, left, flip));
        }
        assert_eq!(seen.len(), 9 * 9 * 2);
        assert!(seen.iter().all(|&(top, left, _)| top <= 8 && left <= 8));
    }
}
