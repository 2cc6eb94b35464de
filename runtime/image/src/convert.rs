//! Colours: from one mode to another.

use crate::{Picture, PictureError, Result, clip, mul_255};

/// The brightness of a colour.
fn luma(r: u8, g: u8, b: u8) -> u8 {
    ((u32::from(r) * 19595 + u32::from(g) * 38470 + u32::from(b) * 7471 + 0x8000) >> 16) as u8
}

/// A coefficient with six bits of fraction, of a pixel.
fn share(v: u8, factor: f64) -> i32 {
    let x = f64::from(v) * factor * 64.0;
    (x + 0.5) as i32
}

fn to_ycbcr([r, g, b]: [u8; 3]) -> [u8; 3] {
    let y = (share(r, 0.299) + share(g, 0.587) + share(b, 0.114)) >> 6;
    let cb = ((share(r, -0.16874) + share(g, -0.33126) + share(b, 0.5)) >> 6) + 128;
    let cr = ((share(r, 0.5) + share(g, -0.41869) + share(b, -0.08131)) >> 6) + 128;
    [clip(y), clip(cb), clip(cr)]
}

fn of_ycbcr([y, cb, cr]: [u8; 3]) -> [u8; 3] {
    let part = |v: u8, factor: f64| {
        let x = (f64::from(v) - 128.0) * factor * 64.0;
        (x + 0.5) as i32
    };
    let y = i32::from(y);
    let r = y + (part(cr, 1.402) >> 6);
    let g = y + ((part(cb, -0.34414) + part(cr, -0.71414)) >> 6);
    let b = y + (part(cb, 1.772) >> 6);
    [clip(r), clip(g), clip(b)]
}

fn to_hsv([r, g, b]: [u8; 3]) -> [u8; 3] {
    let high = r.max(g).max(b);
    let low = r.min(g).min(b);
    if high == low {
        return [0, 0, high];
    }
    let range = f32::from(high) - f32::from(low);
    let s = range / f32::from(high);
    let [rc, gc, bc] = [r, g, b].map(|v| (f32::from(high) - f32::from(v)) / range);
    let h = if r == high {
        bc - gc
    } else if g == high {
        (2.0 + f64::from(rc) - f64::from(bc)) as f32
    } else {
        (4.0 + f64::from(gc) - f64::from(rc)) as f32
    };
    let h = ((f64::from(h) / 6.0 + 1.0) % 1.0) as f32;
    [
        clip((f64::from(h) * 255.0) as i32),
        clip((f64::from(s) * 255.0) as i32),
        high,
    ]
}

fn of_hsv([h, s, v]: [u8; 3]) -> [u8; 3] {
    if s == 0 {
        return [v; 3];
    }
    let turn = f64::from(h) * 6.0 / 255.0;
    let i = turn.floor();
    let f = (turn - f64::from(i as f32)) as f32;
    let fs = f64::from((f64::from(s) / 255.0) as f32);
    let f = f64::from(f);
    let v64 = f64::from(v);
    let rounded = |x: f64| clip(x.round() as i32);
    let p = rounded(v64 * (1.0 - fs));
    let q = rounded(v64 * (1.0 - fs * f));
    let t = rounded(v64 * (1.0 - fs * (1.0 - f)));
    match i as i32 % 6 {
        0 => [v, t, p],
        1 => [q, v, p],
        2 => [p, v, t],
        3 => [p, q, v],
        4 => [t, p, v],
        _ => [v, p, q],
    }
}

/// A pixel of a mode as red, green, blue and how opaque.
fn to_rgba(mode: &str, p: &[u8]) -> Option<[u8; 4]> {
    Some(match (mode, p) {
        ("1" | "L", &[l]) => [l, l, l, 255],
        ("LA", &[l, a]) => [l, l, l, a],
        ("RGB" | "RGBX", &[r, g, b, ..]) => [r, g, b, 255],
        ("RGBA", &[r, g, b, a]) => [r, g, b, a],
        ("RGBa", &[r, g, b, a]) => {
            let whole = |v: u8| match a {
                0 | 255 => v,
                _ => clip(255 * i32::from(v) / i32::from(a)),
            };
            [whole(r), whole(g), whole(b), a]
        }
        ("La", &[l, a]) => {
            let l = match a {
                0 | 255 => l,
                _ => clip(255 * i32::from(l) / i32::from(a)),
            };
            [l, l, l, a]
        }
        ("YCbCr", &[y, cb, cr]) => {
            let [r, g, b] = of_ycbcr([y, cb, cr]);
            [r, g, b, 255]
        }
        ("HSV", &[h, s, v]) => {
            let [r, g, b] = of_hsv([h, s, v]);
            [r, g, b, 255]
        }
        ("CMYK", &[c, m, y, k]) => {
            let light = 255 - k;
            let of = |ink: u8| clip(i32::from(light) - i32::from(mul_255(ink, light)));
            [of(c), of(m), of(y), 255]
        }
        _ => return None,
    })
}

/// Whether the three colours of a mode are one.
fn is_grey(mode: &str) -> bool {
    matches!(mode, "1" | "L" | "LA" | "La")
}

/// The bands of a mode whose elements are bytes.
#[must_use]
pub fn bands(mode: &str) -> Option<usize> {
    Some(match mode {
        "1" | "L" | "P" => 1,
        "LA" | "La" => 2,
        "RGB" | "YCbCr" | "HSV" => 3,
        "RGBA" | "RGBa" | "RGBX" | "CMYK" => 4,
        _ => return None,
    })
}

/// A picture of one mode in another one; both of bytes. To "1", a pixel is white from 128 on.
pub fn convert(picture: &Picture<u8>, from: &str, to: &str) -> Result<Picture<u8>> {
    if from == "YCbCr" && matches!(to, "L" | "LA") && picture.bands() == 3 {
        let grey = picture.data().iter().step_by(3);
        let data = match to {
            "L" => grey.copied().collect(),
            _ => grey.flat_map(|&y| [y, 255]).collect(),
        };
        return Picture::new(picture.width(), picture.height(), to.len(), data);
    }
    let refused =
        || PictureError::Unsupported(format!("conversion from {from} to {to} not supported"));
    let wanted = bands(to).ok_or_else(refused)?;
    if bands(from) != Some(picture.bands()) {
        return Err(refused());
    }
    let mut data = Vec::with_capacity(picture.width() * picture.height() * wanted);
    for pixel in picture.data().chunks_exact(picture.bands().max(1)) {
        let [r, g, b, a] = to_rgba(from, pixel).ok_or_else(refused)?;
        let grey = || if is_grey(from) { r } else { luma(r, g, b) };
        match to {
            "1" => data.push(if grey() >= 128 { 255 } else { 0 }),
            "L" => data.push(grey()),
            "LA" => data.extend([grey(), a]),
            "La" => data.extend([mul_255(grey(), a), a]),
            "RGB" => data.extend([r, g, b]),
            "RGBA" => data.extend([r, g, b, a]),
            "RGBX" => data.extend([r, g, b, 255]),
            "RGBa" => data.extend([mul_255(r, a), mul_255(g, a), mul_255(b, a), a]),
            "YCbCr" => data.extend(to_ycbcr([r, g, b])),
            "HSV" => data.extend(to_hsv([r, g, b])),
            "CMYK" if is_grey(from) => data.extend([0, 0, 0, 255 - r]),
            "CMYK" => data.extend([255 - r, 255 - g, 255 - b, 0]),
            _ => return Err(refused()),
        }
    }
    Picture::new(picture.width(), picture.height(), wanted, data)
}

/// The brightness of colours as whole numbers of a thousandth.
#[must_use]
pub fn thousandths(rgb: &[u8]) -> i32 {
    match rgb {
        [r, g, b, ..] => i32::from(*r) * 299 + i32::from(*g) * 587 + i32::from(*b) * 114,
        _ => 0,
    }
}

/// Greys or colours in black and white, whose errors go to the pixels beside and below.
pub fn dither(picture: &Picture<u8>) -> Result<Picture<u8>> {
    let bands = picture.bands().max(1);
    let mut errors = vec![0_i32; picture.width() + 1];
    let mut data = Vec::with_capacity(picture.width() * picture.height());
    for y in 0..picture.height() {
        let (mut l, mut l0, mut l1) = (0_i32, 0_i32, 0_i32);
        for (x, pixel) in picture.row(y).chunks_exact(bands).enumerate() {
            let grey = match *pixel {
                [grey] => i32::from(grey),
                _ => thousandths(pixel) / 1000,
            };
            let below = errors.get(x + 1).copied().unwrap_or(0);
            l = i32::from(clip(grey + (l + below) / 16));
            let out = if l > 128 { 255 } else { 0 };
            data.push(out as u8);
            l -= out;
            let (once, twice) = (l, l + l);
            l += twice;
            if let Some(e) = errors.get_mut(x) {
                *e = l + l0;
            }
            l += twice;
            l0 = l + l1;
            l1 = once;
            l += twice;
        }
        if let Some(e) = errors.last_mut() {
            *e = l0;
        }
    }
    Picture::new(picture.width(), picture.height(), 1, data)
}

/// Indices as the colours of a palette, which has `wide` bytes for each.
pub fn of_palette(picture: &Picture<u8>, palette: &[u8], wide: usize) -> Result<Picture<u8>> {
    let mut data = Vec::with_capacity(picture.data().len() * wide);
    for &i in picture.data() {
        let at = usize::from(i) * wide;
        match palette.get(at..at + wide) {
            Some(colour) => data.extend_from_slice(colour),
            // What the palette does not have is black and opaque.
            None => data.extend((0..wide).map(|band| if band == 3 { 255 } else { 0 })),
        }
    }
    Picture::new(picture.width(), picture.height(), wide, data)
}

/// Part of the way from one picture to another, or beyond.
pub fn blend(a: &Picture<u8>, b: &Picture<u8>, alpha: f32) -> Result<Picture<u8>> {
    if (a.width(), a.height(), a.bands()) != (b.width(), b.height(), b.bands()) {
        return Err(PictureError::Mismatch("images do not match".to_owned()));
    }
    let between = |(&x, &y): (&u8, &u8)| {
        let v = f32::from(x) + alpha * (f32::from(y) - f32::from(x));
        v as u8
    };
    let data = a.data().iter().zip(b.data()).map(between).collect();
    Picture::new(a.width(), a.height(), a.bands(), data)
}

/// `over` laid on `under` at a place, as far as a mask of one band lets it through.
pub fn paste(
    under: &mut Picture<u8>,
    over: &Picture<u8>,
    mask: Option<&Picture<u8>>,
    (left, top): (i64, i64),
) -> Result<()> {
    let bands = under.bands();
    let fits = |m: &Picture<u8>| (m.width(), m.height()) == (over.width(), over.height());
    if over.bands() != bands || !mask.is_none_or(fits) {
        return Err(PictureError::Mismatch("images do not match".to_owned()));
    }
    for y in 0..over.height() {
        let Ok(to) = usize::try_from(top + y as i64) else {
            continue;
        };
        let row = under.row_mut(to);
        for x in 0..over.width() {
            let Ok(at) = usize::try_from(left + x as i64) else {
                continue;
            };
            let Some(to) = row.get_mut(at * bands..(at + 1) * bands) else {
                break;
            };
            let from = over
                .row(y)
                .get(x * bands..(x + 1) * bands)
                .unwrap_or_default();
            match mask {
                None => to.copy_from_slice(from),
                Some(mask) => {
                    let m = u32::from(mask.row(y).get(x).copied().unwrap_or(0));
                    for (to, &from) in to.iter_mut().zip(from) {
                        *to = crate::div_255(u32::from(*to) * (255 - m) + u32::from(from) * m);
                    }
                }
            }
        }
    }
    Ok(())
}
