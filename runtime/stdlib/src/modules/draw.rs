//! `_draw`: pictures for the matplotlib package.
//!
//! In: lists of tuples, each a path, a path at many places, a line of text or an image. Out: bytes of a file.
//! Always: coordinates are points from the upper left corner.

use janus_draw::text::{self, Font};
use janus_draw::{Cap, Color, DrawError, Drawing, Format, Item, Join, Pixels, Rect, Step, Stroke};
use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, ops};

use crate::support::{bytes_like, float, int, module, string};

const FUNCTIONS: &[NativeDef] = &[
    NativeDef::function("_draw.write", write),
    NativeDef::function("_draw.measure", measure),
    NativeDef::function("_draw.read_png", read_png),
];

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    Ok(Value::Module(module("_draw", "", FUNCTIONS)))
}

fn failed(e: &DrawError) -> Raised {
    Raised::value_error(e.to_string())
}

fn floats<const N: usize>(vm: &mut dyn Vm, value: &Value) -> PyResult<[f32; N]> {
    let parts = list_of_floats(vm, value)?;
    <[f32; N]>::try_from(parts).map_err(|_| Raised::type_error(format!("expected {N} numbers")))
}

fn list_of_floats(vm: &mut dyn Vm, value: &Value) -> PyResult<Vec<f32>> {
    let values = ops::collect(vm, value)?;
    values.iter().map(|v| Ok(float(vm, v)? as f32)).collect()
}

fn optional<T>(
    vm: &mut dyn Vm,
    value: &Value,
    read: impl FnOnce(&mut dyn Vm, &Value) -> PyResult<T>,
) -> PyResult<Option<T>> {
    match value {
        Value::None => Ok(None),
        value => read(vm, value).map(Some),
    }
}

fn color(vm: &mut dyn Vm, value: &Value) -> PyResult<Color> {
    floats::<4>(vm, value).map(Color)
}

fn font(value: &Value) -> PyResult<Font> {
    Ok(match string(value, "font")? {
        "regular" => Font::Regular,
        "bold" => Font::Bold,
        "oblique" => Font::Oblique,
        "mono" => Font::Mono,
        other => return Err(Raised::value_error(format!("no font '{other}'"))),
    })
}

/// `(color, width, dashes, cap, join)`
fn stroke(vm: &mut dyn Vm, value: &Value) -> PyResult<Stroke> {
    let parts = ops::collect(vm, value)?;
    let [paint, width, dashes, cap, join] = &parts[..] else {
        return Err(Raised::type_error("a stroke has five parts"));
    };
    Ok(Stroke {
        color: color(vm, paint)?,
        width: float(vm, width)? as f32,
        dashes: list_of_floats(vm, dashes)?,
        cap: match string(cap, "cap style")? {
            "butt" => Cap::Butt,
            "projecting" => Cap::Square,
            _ => Cap::Round,
        },
        join: match string(join, "join style")? {
            "miter" => Join::Miter,
            "bevel" => Join::Bevel,
            _ => Join::Round,
        },
    })
}

/// An outline: a letter for each step, and the coordinates of all of them in one list.
fn outline(vm: &mut dyn Vm, letters: &Value, coordinates: &Value) -> PyResult<Vec<Step>> {
    let coordinates = list_of_floats(vm, coordinates)?;
    let mut points = coordinates.chunks_exact(2).map(|p| [p[0], p[1]]);
    let mut next = || {
        points
            .next()
            .ok_or_else(|| Raised::value_error("an outline has too few coordinates"))
    };
    string(letters, "steps")?
        .chars()
        .map(|letter| {
            Ok(match letter {
                'M' => Step::Move(next()?),
                'L' => Step::Line(next()?),
                'Q' => Step::Quad(next()?, next()?),
                'C' => Step::Cubic(next()?, next()?, next()?),
                _ => Step::Close,
            })
        })
        .collect()
}

/// An outline somewhere else and in another size.
fn moved(steps: &[Step], [x, y]: [f32; 2], scale: f32) -> Vec<Step> {
    let at = |p: [f32; 2]| [p[0] * scale + x, p[1] * scale + y];
    let step = |step: &Step| match *step {
        Step::Move(a) => Step::Move(at(a)),
        Step::Line(a) => Step::Line(at(a)),
        Step::Quad(a, b) => Step::Quad(at(a), at(b)),
        Step::Cubic(a, b, c) => Step::Cubic(at(a), at(b), at(c)),
        Step::Close => Step::Close,
    };
    steps.iter().map(step).collect()
}

/// What is at a place in a list that is repeated until there are enough.
fn cycled<T: Clone>(list: &[T], i: usize) -> Option<T> {
    list.get(i % list.len().max(1)).cloned()
}

fn clip(vm: &mut dyn Vm, value: &Value) -> PyResult<Option<Rect>> {
    optional(vm, value, floats::<4>)
}

/// Appends what one tuple says.
fn add(vm: &mut dyn Vm, value: &Value, items: &mut Vec<Item>) -> PyResult<()> {
    let parts = ops::collect(vm, value)?;
    let (kind, rest) = parts
        .split_first()
        .ok_or_else(|| Raised::type_error("an item is empty"))?;
    match (string(kind, "kind")?, rest) {
        ("path", [letters, coordinates, fill, line, smooth, inside]) => {
            let steps = outline(vm, letters, coordinates)?;
            let fill = optional(vm, fill, color)?;
            let stroke = optional(vm, line, stroke)?;
            let smooth = ops::truth(vm, smooth)?;
            let clip = clip(vm, inside)?;
            items.push(Item::Path {
                steps,
                fill,
                stroke,
                smooth,
                clip,
            });
        }
        ("marks", [letters, coordinates, places, scales, fills, lines, inside]) => {
            let steps = outline(vm, letters, coordinates)?;
            let places = list_of_floats(vm, places)?;
            let scales = list_of_floats(vm, scales)?;
            let all = ops::collect(vm, fills)?;
            let fills: Vec<_> = all
                .iter()
                .map(|v| optional(vm, v, color))
                .collect::<PyResult<_>>()?;
            let all = ops::collect(vm, lines)?;
            let lines: Vec<_> = all
                .iter()
                .map(|v| optional(vm, v, stroke))
                .collect::<PyResult<_>>()?;
            let clip = clip(vm, inside)?;
            for (i, place) in places.chunks_exact(2).enumerate() {
                items.push(Item::Path {
                    steps: moved(
                        &steps,
                        [place[0], place[1]],
                        cycled(&scales, i).unwrap_or(1.0),
                    ),
                    fill: cycled(&fills, i).flatten(),
                    stroke: cycled(&lines, i).flatten(),
                    smooth: true,
                    clip,
                });
            }
        }
        ("text", [words, origin, size, degrees, name, paint, inside]) => {
            let origin = floats::<2>(vm, origin)?;
            let (size, degrees) = (float(vm, size)? as f32, float(vm, degrees)? as f32);
            let steps = text::outline(string(words, "text")?, font(name)?, size, origin, degrees);
            let fill = Some(color(vm, paint)?);
            let clip = clip(vm, inside)?;
            items.push(Item::Path {
                steps,
                fill,
                stroke: None,
                smooth: true,
                clip,
            });
        }
        ("image", [bytes, columns, rows, place, blocks, inside]) => {
            let wrong = || Raised::value_error("an image of these extents has other bytes");
            let side = |n: i64| u32::try_from(n).map_err(|_| wrong());
            let (w, h) = (side(int(vm, columns)?)?, side(int(vm, rows)?)?);
            let pixels = Pixels::new(w, h, bytes_like(bytes)?).ok_or_else(wrong)?;
            let place = floats::<4>(vm, place)?;
            let blocks = ops::truth(vm, blocks)?;
            let clip = clip(vm, inside)?;
            items.push(Item::Image {
                pixels,
                place,
                blocks,
                clip,
            });
        }
        (other, _) => {
            return Err(Raised::type_error(format!("'{other}' has other parts")));
        }
    }
    Ok(())
}

/// `write(width, height, items, format, dpi)`
fn write(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [width, height, given, format, dpi] = args.exactly("write")?;
    let mut items = Vec::new();
    for item in ops::collect(vm, given)? {
        add(vm, &item, &mut items)?;
    }
    let drawing = Drawing {
        width: float(vm, width)? as f32,
        height: float(vm, height)? as f32,
        items,
    };
    let format = match string(format, "format")? {
        "png" => Format::Png(float(vm, dpi)? as f32),
        "svg" => Format::Svg,
        "pdf" => Format::Pdf,
        other => return Err(Raised::value_error(format!("no format '{other}'"))),
    };
    drawing
        .write(format)
        .map(Value::bytes)
        .map_err(|e| failed(&e))
}

/// `measure(text, size, font)`: width, ascent and descent
fn measure(vm: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [words, size, name] = args.exactly("measure")?;
    let size = float(vm, size)? as f32;
    let found = text::measure(string(words, "text")?, font(name)?, size);
    let parts = [found.width, found.ascent, found.descent];
    Ok(Value::tuple(
        parts.map(|x| Value::float(f64::from(x))).to_vec(),
    ))
}

/// `read_png(bytes)`: rows, columns, channels, the greatest value of a sample, the samples as 16 bits each
fn read_png(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [file] = args.exactly("read_png")?;
    let (rows, columns, channels, most, samples) =
        janus_draw::decode_png(&bytes_like(file)?).map_err(|e| failed(&e))?;
    let bytes: Vec<u8> = samples.iter().flat_map(|s| s.to_ne_bytes()).collect();
    Ok(Value::tuple(vec![
        Value::Int(i64::from(rows)),
        Value::Int(i64::from(columns)),
        Value::from(channels),
        Value::Int(i64::from(most)),
        Value::bytes(bytes),
    ]))
}
