//! A drawing as pixels.

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap,
    PixmapPaint, PremultipliedColorU8, Shader, StrokeDash, Transform,
};

use crate::{Cap, Color, DrawError, Drawing, Item, Join, Pixels, Rect, Step, Stroke, encode_png};

/// More pixels on a side are a mistake in a size or a resolution.
const LIMIT: f32 = 65536.0;

/// The PNG file of a drawing.
pub(crate) fn write(drawing: &Drawing, dpi: f32) -> Result<Vec<u8>, DrawError> {
    let scale = dpi / 72.0;
    // A half more than a thousandth is no pixel: sizes are products of floats.
    let (w, h) = (
        (drawing.width * scale + 1e-3).floor(),
        (drawing.height * scale + 1e-3).floor(),
    );
    let is_possible = (1.0..LIMIT).contains(&w) && (1.0..LIMIT).contains(&h);
    let canvas = if is_possible {
        Pixmap::new(w as u32, h as u32)
    } else {
        None
    };
    let mut canvas = canvas.ok_or_else(|| {
        DrawError(format!(
            "Image size of {w}x{h} pixels is too large. It must be less than 2^16 in each direction."
        ))
    })?;
    let mut clips = Clips {
        clip: None,
        mask: None,
    };
    for item in drawing.visible() {
        match item {
            Item::Path {
                steps,
                fill,
                stroke,
                smooth,
                clip,
            } => {
                let Some(path) = outline(steps) else { continue };
                clips.enter(*clip, scale, &canvas);
                if let Some(color) = fill {
                    let paint = paint(*color, *smooth);
                    let transform = Transform::from_scale(scale, scale);
                    canvas.fill_path(
                        &path,
                        &paint,
                        FillRule::Winding,
                        transform,
                        clips.mask.as_ref(),
                    );
                }
                if let Some(stroke) = stroke {
                    draw_along(
                        &mut canvas,
                        &path,
                        stroke,
                        *smooth,
                        scale,
                        clips.mask.as_ref(),
                    );
                }
            }
            Item::Image {
                pixels,
                place,
                blocks,
                clip,
            } => {
                clips.enter(*clip, scale, &canvas);
                place_image(
                    &mut canvas,
                    pixels,
                    place,
                    *blocks,
                    scale,
                    clips.mask.as_ref(),
                )?;
            }
        }
    }
    let mut bytes = Vec::with_capacity(canvas.pixels().len() * 4);
    for pixel in canvas.pixels() {
        let c = pixel.demultiply();
        bytes.extend_from_slice(&[c.red(), c.green(), c.blue(), c.alpha()]);
    }
    let pixels = Pixels::new(canvas.width(), canvas.height(), bytes);
    encode_png(&pixels.ok_or_else(|| DrawError("the image is too large".into()))?)
}

/// The mask of the latest clip, which many items have in common.
struct Clips {
    clip: Option<Rect>,
    mask: Option<Mask>,
}

impl Clips {
    fn enter(&mut self, clip: Option<Rect>, scale: f32, canvas: &Pixmap) {
        if self.clip == clip {
            return;
        }
        self.clip = clip;
        self.mask = clip.and_then(|[x, y, w, h]| {
            let mut mask = Mask::new(canvas.width(), canvas.height())?;
            // Edges lie between pixels: a clip cuts none in two.
            let (left, top) = ((x * scale).round(), (y * scale).round());
            let (right, bottom) = (((x + w) * scale).round(), ((y + h) * scale).round());
            if let Some(rect) = tiny_skia::Rect::from_ltrb(left, top, right, bottom) {
                let path = PathBuilder::from_rect(rect);
                mask.fill_path(&path, FillRule::Winding, false, Transform::identity());
            }
            Some(mask)
        });
    }
}

fn outline(steps: &[Step]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            Step::Move([x, y]) => path.move_to(x, y),
            Step::Line([x, y]) => path.line_to(x, y),
            Step::Quad([a, b], [x, y]) => path.quad_to(a, b, x, y),
            Step::Cubic([a, b], [c, d], [x, y]) => path.cubic_to(a, b, c, d, x, y),
            Step::Close => path.close(),
        }
    }
    path.finish()
}

fn paint(color: Color, smooth: bool) -> Paint<'static> {
    let [r, g, b, a] = color.0.map(|x| {
        if x.is_finite() {
            x.clamp(0.0, 1.0)
        } else {
            0.0
        }
    });
    let shader = tiny_skia::Color::from_rgba(r, g, b, a).map(Shader::SolidColor);
    Paint {
        shader: shader.unwrap_or(Shader::SolidColor(tiny_skia::Color::BLACK)),
        anti_alias: smooth,
        ..Paint::default()
    }
}

fn draw_along(
    canvas: &mut Pixmap,
    path: &Path,
    stroke: &Stroke,
    smooth: bool,
    scale: f32,
    mask: Option<&Mask>,
) {
    let form = tiny_skia::Stroke {
        width: stroke.width * scale,
        line_cap: match stroke.cap {
            Cap::Butt => LineCap::Butt,
            Cap::Square => LineCap::Square,
            Cap::Round => LineCap::Round,
        },
        line_join: match stroke.join {
            Join::Miter => LineJoin::Miter,
            Join::Round => LineJoin::Round,
            Join::Bevel => LineJoin::Bevel,
        },
        dash: StrokeDash::new(stroke.dashes.iter().map(|d| d * scale).collect(), 0.0),
        ..tiny_skia::Stroke::default()
    };
    let Some(path) = path.clone().transform(Transform::from_scale(scale, scale)) else {
        return;
    };
    let path = if path.segments().count() <= 64 {
        snapped(&path, form.width).unwrap_or(path)
    } else {
        path
    };
    canvas.stroke_path(
        &path,
        &paint(stroke.color, smooth),
        &form,
        Transform::identity(),
        mask,
    );
}

/// An outline of upright and level lines with its lines on whole pixels, so that a thin one is sharp; none for others.
fn snapped(path: &Path, width: f32) -> Option<Path> {
    use tiny_skia::PathSegment::{Close, CubicTo, LineTo, MoveTo, QuadTo};
    let shift = if (width.round() as i64) % 2 == 0 {
        0.0
    } else {
        0.5
    };
    let at = |x: f32| (x - shift).round() + shift;
    let mut out = PathBuilder::new();
    let mut last = None;
    for segment in path.segments() {
        match segment {
            MoveTo(p) => {
                out.move_to(at(p.x), at(p.y));
                last = Some(p);
            }
            LineTo(p) => {
                let from = last?;
                if (from.x - p.x).abs() > 1e-3 && (from.y - p.y).abs() > 1e-3 {
                    return None;
                }
                out.line_to(at(p.x), at(p.y));
                last = Some(p);
            }
            Close => out.close(),
            QuadTo(..) | CubicTo(..) => return None,
        }
    }
    out.finish()
}

fn place_image(
    canvas: &mut Pixmap,
    pixels: &Pixels,
    place: &Rect,
    blocks: bool,
    scale: f32,
    mask: Option<&Mask>,
) -> Result<(), DrawError> {
    let too_large = || DrawError("the image is too large".into());
    let mut image = Pixmap::new(pixels.width, pixels.height).ok_or_else(too_large)?;
    for (to, from) in image
        .pixels_mut()
        .iter_mut()
        .zip(pixels.bytes().chunks_exact(4))
    {
        let color = tiny_skia::ColorU8::from_rgba(from[0], from[1], from[2], from[3]);
        *to = color.premultiply();
    }
    // The image's edges are on whole pixels, as those of the frame around it are.
    let [x, y, w, h] = place.map(|v| v * scale);
    let (left, top) = (x.round(), y.round());
    let (wide, tall) = ((x + w).round() - left, (y + h).round() - top);
    if blocks {
        paste_blocks(canvas, &image, [left, top, wide, tall], mask);
        return Ok(());
    }
    let transform = Transform::from_row(
        wide / pixels.width as f32,
        0.0,
        0.0,
        tall / pixels.height as f32,
        left,
        top,
    );
    let paint = PixmapPaint {
        quality: FilterQuality::Bilinear,
        ..PixmapPaint::default()
    };
    canvas.draw_pixmap(0, 0, image.as_ref(), &paint, transform, mask);
    Ok(())
}

/// Each pixel of the page gets the pixel of the image that lies under its middle.
fn paste_blocks(
    canvas: &mut Pixmap,
    image: &Pixmap,
    [left, top, wide, tall]: Rect,
    mask: Option<&Mask>,
) {
    let (w, h) = (canvas.width() as usize, canvas.height() as usize);
    let inside = |v: f32, end: usize| v.clamp(0.0, end as f32) as usize;
    let (columns, rows) = (image.width() as usize, image.height() as usize);
    for y in inside(top, h)..inside(top + tall, h) {
        let row = (((y as f32 + 0.5 - top) / tall * rows as f32) as usize).min(rows - 1);
        for x in inside(left, w)..inside(left + wide, w) {
            if mask.is_some_and(|m| m.data()[y * w + x] == 0) {
                continue;
            }
            let column =
                (((x as f32 + 0.5 - left) / wide * columns as f32) as usize).min(columns - 1);
            let from = image.pixels()[row * columns + column];
            let to = &mut canvas.pixels_mut()[y * w + x];
            *to = over(from, *to);
        }
    }
}

/// One premultiplied colour over another.
fn over(a: PremultipliedColorU8, b: PremultipliedColorU8) -> PremultipliedColorU8 {
    let rest = 255 - u32::from(a.alpha());
    let mix = |a: u8, b: u8| (u32::from(a) + (u32::from(b) * rest + 127) / 255).min(255) as u8;
    let alpha = mix(a.alpha(), b.alpha());
    let part = |x: u8, y: u8| mix(x, y).min(alpha);
    PremultipliedColorU8::from_rgba(
        part(a.red(), b.red()),
        part(a.green(), b.green()),
        part(a.blue(), b.blue()),
        alpha,
    )
    .unwrap_or(b)
}
