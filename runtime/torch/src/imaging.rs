//! `PIL._imaging`: what the PIL package, which is Python over tensors, needs natively.
//!
//! In: tensors of rows, columns and, above one band, bands; files. Out: new tensors of that kind; files. Always: no
//! operand is written to.

use janus_image::codec::{self, Pixels};
use janus_image::draw::Canvas;
use janus_image::resample::{self, Filter, Sample};
use janus_image::transform::{self, Between, Map, Pixel};
use janus_image::{Picture, PictureError, convert, filter};
use janus_interp::Interp;
use janus_object::{
    Args, ExcKind, NativeDef, PyModule, PyRef, PyResult, Raised, Value, Vm, buffer,
};
use janus_tensor::{DType, Element, Tensor};

use crate::call::raised;
use crate::memory::argument;
use crate::objects::wrap;

/// Makes the module.
pub(crate) fn make(_interp: &mut Interp) -> PyResult<Value> {
    let module = PyModule::new("PIL._imaging", Value::None);
    module.add_natives(FUNCTIONS);
    Ok(Value::Module(PyRef::new(module)))
}

fn lift<T>(r: janus_image::Result<T>) -> PyResult<T> {
    r.map_err(|e| {
        let kind = match e {
            PictureError::Unidentified
            | PictureError::Damaged(_)
            | PictureError::Unsupported(_) => ExcKind::OSError,
            PictureError::Mismatch(_) => ExcKind::ValueError,
        };
        Raised::new(kind, e.to_string())
    })
}

/// A picture of any element.
enum Any {
    Bytes(Picture<u8>),
    Ints(Picture<i32>),
    Floats(Picture<f32>),
}

/// The same expression for a picture of any element.
macro_rules! of_any {
    ($v:expr, $p:ident => $e:expr) => {
        match any($v)? {
            Any::Bytes($p) => value(lift($e)?),
            Any::Ints($p) => value(lift($e)?),
            Any::Floats($p) => value(lift($e)?),
        }
    };
}

fn read<T: Element + Default>(t: &Tensor) -> PyResult<Picture<T>> {
    let shape = t.shape();
    let (h, w, bands) = match *shape {
        [h, w] => (h, w, 1),
        [h, w, bands] => (h, w, bands),
        _ => return Err(Raised::value_error("a picture has rows and columns")),
    };
    let data = t.to_vec::<T>().map_err(raised)?;
    lift(Picture::new(
        w.max(0) as usize,
        h.max(0) as usize,
        bands.max(0) as usize,
        data,
    ))
}

fn any(v: &Value) -> PyResult<Any> {
    let t = argument(v)?;
    match t.dtype() {
        DType::U8 => Ok(Any::Bytes(read(t)?)),
        DType::I32 => Ok(Any::Ints(read(t)?)),
        DType::F32 => Ok(Any::Floats(read(t)?)),
        other => Err(Raised::type_error(format!(
            "a picture cannot have elements of {other}"
        ))),
    }
}

fn bytes(v: &Value) -> PyResult<Picture<u8>> {
    match any(v)? {
        Any::Bytes(p) => Ok(p),
        _ => Err(Raised::value_error("image has wrong mode")),
    }
}

fn value<T: Element + Default>(p: Picture<T>) -> PyResult {
    let (h, w, bands) = (p.height() as i64, p.width() as i64, p.bands() as i64);
    let shape: &[i64] = if bands == 1 { &[h, w] } else { &[h, w, bands] };
    Ok(wrap(Tensor::from_slice(p.data(), shape).map_err(raised)?))
}

fn text(v: &Value) -> PyResult<&str> {
    v.as_str()
        .ok_or_else(|| Raised::type_error("a str was expected"))
}

fn float(v: &Value) -> PyResult<f64> {
    v.as_f64()
        .ok_or_else(|| Raised::type_error(format!("must be real number, not {}", v.type_name())))
}

fn int(v: &Value) -> PyResult<i64> {
    let wanted = || {
        Raised::type_error(format!(
            "'{}' object cannot be interpreted as an integer",
            v.type_name()
        ))
    };
    let n = v.as_int().ok_or_else(wanted)?;
    // Nothing here is that large, and sums of some such numbers fit.
    if n.unsigned_abs() > 1 << 40 {
        return Err(Raised::value_error("a number is too large for an image"));
    }
    Ok(n)
}

fn extent(v: &Value) -> PyResult<usize> {
    usize::try_from(int(v)?).map_err(|_| Raised::value_error("Width and height must be >= 0"))
}

fn items<T>(v: &Value, of: impl Fn(&Value) -> PyResult<T>) -> PyResult<Vec<T>> {
    match v.as_tuple() {
        Some(t) => t.items.iter().map(of).collect(),
        None => Err(Raised::type_error(format!(
            "a tuple was expected, not {}",
            v.type_name()
        ))),
    }
}

fn exactly<T, const N: usize>(v: &Value, of: impl Fn(&Value) -> PyResult<T>) -> PyResult<[T; N]> {
    let all = items(v, of)?;
    let n = all.len();
    all.try_into()
        .map_err(|_| Raised::value_error(format!("{N} numbers were expected, not {n}")))
}

fn optional<T>(v: &Value, of: impl Fn(&Value) -> PyResult<T>) -> PyResult<Option<T>> {
    match v {
        Value::None => Ok(None),
        v => of(v).map(Some),
    }
}

// Files

/// `header(file)`: format, mode, width and height; None for a file of no known format.
fn header(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file] = args.exactly("header")?;
    match codec::header(&buffer::bytes_like(file)?) {
        Err(PictureError::Unidentified) => Ok(Value::None),
        other => {
            let (format, mode, w, h) = lift(other)?;
            Ok(Value::tuple(vec![
                Value::str(format),
                Value::str(mode),
                Value::from(w),
                Value::from(h),
            ]))
        }
    }
}

/// `decode(file)`: format, mode, pixels, palette and how opaque its colours are.
fn decode(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file] = args.exactly("decode")?;
    let d = lift(codec::decode(&buffer::bytes_like(file)?))?;
    let pixels = match d.pixels {
        Pixels::Bytes(p) => value(p)?,
        Pixels::Wide(p) => value(p)?,
    };
    let or_none = |b: Option<Vec<u8>>| b.map_or(Value::None, Value::bytes);
    Ok(Value::tuple(vec![
        Value::str(d.format),
        Value::str(d.mode),
        pixels,
        or_none(d.palette),
        or_none(d.transparency),
    ]))
}

/// `encode(pixels, format, mode, palette, quality)`: a file.
fn encode(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, format, mode, palette, quality] = args.exactly("encode")?;
    let mode = text(mode)?;
    let palette = optional(palette, buffer::bytes_like)?;
    let file = match (any(pixels)?, text(format)?) {
        (Any::Bytes(p), "PNG") => codec::encode_png(&Pixels::Bytes(p), mode, palette.as_deref()),
        (Any::Ints(p), "PNG") => codec::encode_png(&Pixels::Wide(p), mode, None),
        (Any::Bytes(p), format) => {
            codec::encode(&p, format, mode, int(quality)?.clamp(1, 100) as u8)
        }
        (_, format) => Err(PictureError::Unsupported(format!(
            "cannot write mode {mode} as {format}"
        ))),
    };
    Ok(Value::bytes(lift(file)?))
}

/// `packed(pixels)`: eight black or white pixels to a byte.
fn packed(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels] = args.exactly("packed")?;
    let p = bytes(pixels)?;
    Ok(Value::bytes(codec::packed(p.data(), p.width())))
}

// Geometry

fn resized<T: Sample>(
    p: &Picture<T>,
    w: usize,
    h: usize,
    corners: [f64; 4],
    by: Filter,
) -> janus_image::Result<Picture<T>> {
    resample::resize(p, w, h, corners, by)
}

/// `resize(pixels, width, height, box, filter)`; the filter by Pillow's number.
fn resize(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, width, height, corners, by] = args.exactly("resize")?;
    let (w, h, corners) = (extent(width)?, extent(height)?, exactly(corners, float)?);
    let by = match int(by)? {
        1 => Filter::Lanczos,
        2 => Filter::Bilinear,
        3 => Filter::Bicubic,
        4 => Filter::Box,
        5 => Filter::Hamming,
        n => {
            return Err(Raised::value_error(format!(
                "unknown resampling filter ({n})"
            )));
        }
    };
    of_any!(pixels, p => resized(&p, w, h, corners, by))
}

/// `reduce(pixels, fx, fy)`
fn reduce(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, fx, fy] = args.exactly("reduce")?;
    value(lift(resample::reduce(
        &bytes(pixels)?,
        extent(fx)?,
        extent(fy)?,
    ))?)
}

fn mapped<T: Pixel>(
    p: &Picture<T>,
    out: Picture<T>,
    map: Map,
    between: Between,
) -> janus_image::Result<Picture<T>> {
    if p.bands() != out.bands() {
        return Err(PictureError::Mismatch("images do not match".to_owned()));
    }
    transform::transform(p, out, map, between)
}

/// `transform(pixels, onto, coefficients, filter)`: six coefficients are an affine map, eight one of perspective.
fn transformed(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, onto, coefficients, by] = args.exactly("transform")?;
    let all = items(coefficients, float)?;
    let map = match (
        <[f64; 6]>::try_from(all.as_slice()),
        <[f64; 8]>::try_from(all.as_slice()),
    ) {
        (Ok(a), _) => Map::Affine(a),
        (_, Ok(a)) => Map::Perspective(a),
        _ => return Err(Raised::value_error("6 or 8 coefficients were expected")),
    };
    let between = match int(by)? {
        0 => Between::Nearest,
        2 => Between::Bilinear,
        3 => Between::Bicubic,
        n => {
            return Err(Raised::value_error(format!(
                "unknown resampling filter ({n})"
            )));
        }
    };
    match (any(pixels)?, any(onto)?) {
        (Any::Bytes(p), Any::Bytes(to)) => value(lift(mapped(&p, to, map, between))?),
        (Any::Ints(p), Any::Ints(to)) => value(lift(mapped(&p, to, map, between))?),
        (Any::Floats(p), Any::Floats(to)) => value(lift(mapped(&p, to, map, between))?),
        _ => Err(Raised::value_error("images do not match")),
    }
}

// Colours

/// `convert(pixels, from, to)`: between modes whose elements are bytes.
fn converted(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, from, to] = args.exactly("convert")?;
    match convert::convert(&bytes(pixels)?, text(from)?, text(to)?) {
        Err(e @ PictureError::Unsupported(_)) => Err(Raised::value_error(e.to_string())),
        other => value(lift(other)?),
    }
}

/// `thousandths(pixels)`: the brightness of colours, in whole thousandths.
fn thousandths(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels] = args.exactly("thousandths")?;
    let p = bytes(pixels)?;
    let data = p
        .data()
        .chunks_exact(p.bands().max(1))
        .map(convert::thousandths)
        .collect();
    value(lift(Picture::<i32>::new(p.width(), p.height(), 1, data))?)
}

/// `dither(pixels)`: greys in black and white.
fn dither(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels] = args.exactly("dither")?;
    value(lift(convert::dither(&bytes(pixels)?))?)
}

/// `of_palette(pixels, palette, wide)`: indices as colours.
fn of_palette(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, palette, wide] = args.exactly("of_palette")?;
    let palette = buffer::bytes_like(palette)?;
    value(lift(convert::of_palette(
        &bytes(pixels)?,
        &palette,
        extent(wide)?,
    ))?)
}

/// `blend(a, b, alpha)`
fn blend(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [a, b, alpha] = args.exactly("blend")?;
    value(lift(convert::blend(
        &bytes(a)?,
        &bytes(b)?,
        float(alpha)? as f32,
    ))?)
}

/// `paste(under, over, mask, left, top)`
fn paste(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [under, over, mask, left, top] = args.exactly("paste")?;
    let mut under = bytes(under)?;
    let mask = optional(mask, bytes)?;
    lift(convert::paste(
        &mut under,
        &bytes(over)?,
        mask.as_ref(),
        (int(left)?, int(top)?),
    ))?;
    value(under)
}

// Filters

/// `kernel(pixels, weights, offset)`
fn kernel(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, weights, offset] = args.exactly("kernel")?;
    let weights: Vec<f32> = items(weights, float)?
        .into_iter()
        .map(|w| w as f32)
        .collect();
    value(lift(filter::kernel(
        &bytes(pixels)?,
        &weights,
        float(offset)? as f32,
    ))?)
}

/// `box_blur(pixels, x, y, passes)`
fn box_blur(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, x, y, passes] = args.exactly("box_blur")?;
    let passes = int(passes)?.clamp(0, 1000) as u32;
    value(lift(filter::box_blur(
        &bytes(pixels)?,
        float(x)? as f32,
        float(y)? as f32,
        passes,
    ))?)
}

/// `gaussian_blur(pixels, x, y)`
fn gaussian_blur(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, x, y] = args.exactly("gaussian_blur")?;
    value(lift(filter::gaussian_blur(
        &bytes(pixels)?,
        float(x)? as f32,
        float(y)? as f32,
    ))?)
}

/// `unsharp_mask(pixels, radius, percent, threshold)`
fn unsharp_mask(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, radius, percent, threshold] = args.exactly("unsharp_mask")?;
    let small = |v: &Value| int(v).map(|n| n.clamp(-1 << 20, 1 << 20) as i32);
    let (percent, threshold) = (small(percent)?, small(threshold)?);
    value(lift(filter::unsharp_mask(
        &bytes(pixels)?,
        float(radius)? as f32,
        percent,
        threshold,
    ))?)
}

/// `rank(pixels, size, rank)`
fn rank(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, size, rank] = args.exactly("rank")?;
    value(lift(filter::rank(
        &bytes(pixels)?,
        extent(size)?,
        extent(rank)?,
    ))?)
}

// Drawing

fn drawn<T: Element + Default>(
    picture: Picture<T>,
    ink: Vec<T>,
    (shape, at, width): (&str, &[i64], Option<i64>),
) -> PyResult {
    let mut canvas = Canvas::new(picture, ink);
    let pairs = at.as_chunks::<2>().0;
    match (shape, <[i64; 4]>::try_from(at)) {
        ("points", _) => pairs.iter().for_each(|&[x, y]| canvas.point(x, y)),
        ("line", _) => {
            for pair in pairs.windows(2) {
                let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
                match width {
                    Some(width) if width > 1 => canvas.wide_line([x0, y0, x1, y1], width),
                    _ => canvas.line(x0, y0, x1, y1),
                }
            }
            if let (None | Some(0 | 1), Some(&[x, y])) = (width, pairs.last()) {
                canvas.point(x, y);
            }
        }
        ("polygon", _) => {
            let corners: Vec<(i64, i64)> = pairs.iter().map(|&[x, y]| (x, y)).collect();
            canvas.polygon(&corners);
        }
        ("rectangle", Ok(at)) => canvas.rectangle(at, width),
        ("ellipse", Ok(at)) => canvas.ellipse(at, width),
        _ => return Err(Raised::value_error("two points were expected")),
    }
    value(canvas.finish())
}

/// `draw(pixels, ink, shape, coordinates, width)`: a new picture with a shape on it; without a width it is filled.
fn draw(_vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [pixels, ink, shape, at, width] = args.exactly("draw")?;
    let at = items(at, int)?;
    let what = (text(shape)?, at.as_slice(), optional(width, int)?);
    match any(pixels)? {
        Any::Bytes(p) => {
            let ink = items(ink, |v| int(v).map(|n| n.clamp(0, 255) as u8))?;
            drawn(p, ink, what)
        }
        Any::Ints(p) => {
            let ink = items(ink, |v| int(v).map(|n| n as i32))?;
            drawn(p, ink, what)
        }
        Any::Floats(p) => {
            let ink = items(ink, |v| float(v).map(|n| n as f32))?;
            drawn(p, ink, what)
        }
    }
}

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("PIL._imaging.header", header),
    NativeDef::function("PIL._imaging.decode", decode),
    NativeDef::function("PIL._imaging.encode", encode),
    NativeDef::function("PIL._imaging.packed", packed),
    NativeDef::function("PIL._imaging.resize", resize),
    NativeDef::function("PIL._imaging.reduce", reduce),
    NativeDef::function("PIL._imaging.transform", transformed),
    NativeDef::function("PIL._imaging.convert", converted),
    NativeDef::function("PIL._imaging.thousandths", thousandths),
    NativeDef::function("PIL._imaging.dither", dither),
    NativeDef::function("PIL._imaging.of_palette", of_palette),
    NativeDef::function("PIL._imaging.blend", blend),
    NativeDef::function("PIL._imaging.paste", paste),
    NativeDef::function("PIL._imaging.kernel", kernel),
    NativeDef::function("PIL._imaging.box_blur", box_blur),
    NativeDef::function("PIL._imaging.gaussian_blur", gaussian_blur),
    NativeDef::function("PIL._imaging.unsharp_mask", unsharp_mask),
    NativeDef::function("PIL._imaging.rank", rank),
    NativeDef::function("PIL._imaging.draw", draw),
];
