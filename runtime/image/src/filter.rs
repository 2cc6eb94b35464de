//! Filters: kernels, blurs, ranks.

use crate::{Picture, PictureError, Result};

/// Each pixel becomes the sum of a square of pixels around it, by the kernel's weights from the last row on; pixels at the
/// rim stay. The kernel is 3 or 5 wide.
pub fn kernel(picture: &Picture<u8>, weights: &[f32], offset: f32) -> Result<Picture<u8>> {
    let size = match weights.len() {
        9 => 3,
        25 => 5,
        _ => return Err(PictureError::Mismatch("bad kernel size".to_owned())),
    };
    let reach = size / 2;
    let bands = picture.bands();
    let mut out = picture.clone();
    if picture.width() < size || picture.height() < size {
        return Ok(out);
    }
    let offset = offset + 0.5;
    for y in reach..picture.height() - reach {
        let rows: Vec<&[u8]> = (0..size).map(|r| picture.row(y + reach - r)).collect();
        let to = out.row_mut(y);
        for at in reach * bands..(picture.width() - reach) * bands {
            let mut sum = offset;
            for (row, weights) in rows.iter().zip(weights.chunks_exact(size)) {
                let mut part = None;
                for (i, &w) in weights.iter().enumerate() {
                    let x = at + i * bands - reach * bands;
                    let product = f32::from(row.get(x).copied().unwrap_or(0)) * w;
                    part = Some(part.map_or(product, |p: f32| p + product));
                }
                sum += part.unwrap_or(0.0);
            }
            if let Some(to) = to.get_mut(at) {
                *to = sum as u8;
            }
        }
    }
    Ok(out)
}

/// A mean along each row: whole pixels up to the radius and a share of the next ones.
fn box_rows(picture: &Picture<u8>, radius: f32) -> Result<Picture<u8>> {
    let bands = picture.bands();
    let width = picture.width();
    let whole = radius as usize;
    let each = ((1_u32 << 24) as f32 / (radius * 2.0 + 1.0)) as u32;
    let outer = ((1_u32 << 24).wrapping_sub((whole as u32 * 2 + 1).wrapping_mul(each))) / 2;
    let mut data = Vec::with_capacity(picture.data().len());
    for y in 0..picture.height() {
        let row = picture.row(y);
        let get = |x: i64, band: usize| {
            let x = x.clamp(0, width as i64 - 1) as usize;
            u32::from(row.get(x * bands + band).copied().unwrap_or(0))
        };
        let r = whole as i64;
        let mut sums: Vec<u32> = (0..bands)
            .map(|band| (-r - 1..r).fold(0_u32, |sum, x| sum + get(x, band)))
            .collect();
        for x in 0..width as i64 {
            for (band, sum) in sums.iter_mut().enumerate() {
                *sum = *sum + get(x + r, band) - get(x - r - 1, band);
                let all = sum.wrapping_mul(each).wrapping_add(
                    (get(x - r - 1, band) + get(x + r + 1, band)).wrapping_mul(outer),
                );
                data.push((all.wrapping_add(1 << 23) >> 24) as u8);
            }
        }
    }
    Picture::new(width, picture.height(), bands, data)
}

/// The mean of boxes, `passes` times along rows and then along columns.
pub fn box_blur(picture: &Picture<u8>, x: f32, y: f32, passes: u32) -> Result<Picture<u8>> {
    let mut now = picture.clone();
    if now.width() == 0 || now.height() == 0 {
        return Ok(now);
    }
    // Beyond that a sum would not fit; such a box is everything anyway.
    let (x, y) = (x.clamp(0.0, 1e6), y.clamp(0.0, 1e6));
    for _ in 0..if x == 0.0 { 0 } else { passes } {
        now = box_rows(&now, x)?;
    }
    if y == 0.0 {
        return Ok(now);
    }
    now = now.transposed();
    for _ in 0..passes {
        now = box_rows(&now, y)?;
    }
    Ok(now.transposed())
}

/// The radius of the boxes that come, in so many passes, to a Gaussian of this deviation.
fn gaussian_radius(deviation: f32, passes: u32) -> f32 {
    let squared = deviation * deviation / passes as f32;
    let length = (12.0 * f64::from(squared) + 1.0).sqrt() as f32;
    let whole = ((f64::from(length) - 1.0) / 2.0).floor() as f32;
    let share = (2.0 * whole + 1.0) * (whole * (whole + 1.0) - 3.0 * squared);
    let share = share / (6.0 * (squared - (whole + 1.0) * (whole + 1.0)));
    whole + share
}

/// A Gaussian, as three boxes.
pub fn gaussian_blur(picture: &Picture<u8>, x: f32, y: f32) -> Result<Picture<u8>> {
    const PASSES: u32 = 3;
    box_blur(
        picture,
        gaussian_radius(x, PASSES),
        gaussian_radius(y, PASSES),
        PASSES,
    )
}

/// What is sharper than its blur becomes sharper still.
pub fn unsharp_mask(
    picture: &Picture<u8>,
    radius: f32,
    percent: i32,
    threshold: i32,
) -> Result<Picture<u8>> {
    let blurred = gaussian_blur(picture, radius, radius)?;
    let data = picture
        .data()
        .iter()
        .zip(blurred.data())
        .map(|(&p, &b)| {
            let difference = i32::from(p) - i32::from(b);
            if difference.abs() > threshold {
                crate::clip(i32::from(p) + difference.saturating_mul(percent) / 100)
            } else {
                p
            }
        })
        .collect();
    Picture::new(picture.width(), picture.height(), picture.bands(), data)
}

/// Each pixel becomes the one of this rank among the `size` by `size` around it; beyond the rim, pixels repeat.
pub fn rank(picture: &Picture<u8>, size: usize, rank: usize) -> Result<Picture<u8>> {
    if size.is_multiple_of(2) || size > 1001 {
        return Err(PictureError::Mismatch("bad filter size".to_owned()));
    }
    if rank >= size * size {
        return Err(PictureError::Mismatch("bad rank value".to_owned()));
    }
    let bands = picture.bands();
    let reach = (size / 2) as i64;
    let mut data = Vec::with_capacity(picture.data().len());
    let mut around = Vec::with_capacity(size * size);
    for y in 0..picture.height() as i64 {
        for x in 0..picture.width() as i64 {
            for band in 0..bands {
                around.clear();
                for dy in -reach..=reach {
                    let row = picture.row((y + dy).clamp(0, picture.height() as i64 - 1) as usize);
                    for dx in -reach..=reach {
                        let at = (x + dx).clamp(0, picture.width() as i64 - 1) as usize;
                        around.push(row.get(at * bands + band).copied().unwrap_or(0));
                    }
                }
                let (_, &mut v, _) = around.select_nth_unstable(rank);
                data.push(v);
            }
        }
    }
    Picture::new(picture.width(), picture.height(), bands, data)
}
