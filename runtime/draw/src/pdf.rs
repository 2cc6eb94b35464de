//! A drawing as a PDF file of one page.

use std::collections::BTreeMap;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Ref};

use crate::{Cap, Color, DrawError, Drawing, Item, Join, Pixels, Step};

/// Hands out the numbers of objects.
struct Numbers(i32);

impl Numbers {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

/// The PDF file of a drawing.
pub(crate) fn write(drawing: &Drawing) -> Result<Vec<u8>, DrawError> {
    let mut numbers = Numbers(0);
    let (catalog, pages, page, contents) = (
        numbers.next(),
        numbers.next(),
        numbers.next(),
        numbers.next(),
    );
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut content = Content::new();
    // From the upper left corner downwards.
    content.transform([1.0, 0.0, 0.0, -1.0, 0.0, drawing.height]);
    let mut alphas: BTreeMap<(u32, u32), String> = BTreeMap::new();
    let mut images: Vec<(String, Ref)> = Vec::new();
    for item in drawing.visible() {
        content.save_state();
        let (Item::Path { clip, .. } | Item::Image { clip, .. }) = item;
        if let Some([x, y, w, h]) = *clip {
            content.rect(x, y, w, h).clip_nonzero().end_path();
        }
        match item {
            Item::Path {
                steps,
                fill,
                stroke,
                ..
            } => {
                let alpha = |c: Option<Color>| c.map_or(1.0, Color::alpha).to_bits();
                let key = (alpha(*fill), alpha(stroke.as_ref().map(|s| s.color)));
                let next = format!("a{}", alphas.len());
                let name = alphas.entry(key).or_insert(next);
                content.set_parameters(Name(name.as_bytes()));
                if let Some(color) = fill {
                    let [r, g, b] = channels(*color);
                    content.set_fill_rgb(r, g, b);
                }
                if let Some(stroke) = stroke {
                    let [r, g, b] = channels(stroke.color);
                    content.set_stroke_rgb(r, g, b);
                    content.set_line_width(stroke.width);
                    content.set_line_cap(match stroke.cap {
                        Cap::Butt => LineCapStyle::ButtCap,
                        Cap::Square => LineCapStyle::ProjectingSquareCap,
                        Cap::Round => LineCapStyle::RoundCap,
                    });
                    content.set_line_join(match stroke.join {
                        Join::Miter => LineJoinStyle::MiterJoin,
                        Join::Round => LineJoinStyle::RoundJoin,
                        Join::Bevel => LineJoinStyle::BevelJoin,
                    });
                    content.set_dash_pattern(stroke.dashes.iter().copied(), 0.0);
                }
                outline(&mut content, steps);
                match (fill, stroke) {
                    (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
                    (Some(_), None) => content.fill_nonzero(),
                    (None, Some(_)) => content.stroke(),
                    (None, None) => content.end_path(),
                };
            }
            Item::Image {
                pixels,
                place: [x, y, w, h],
                ..
            } => {
                let name = format!("i{}", images.len());
                // An image's own unit square has its first row on top.
                content.transform([*w, 0.0, 0.0, -*h, *x, *y + *h]);
                content.x_object(Name(name.as_bytes()));
                images.push((name, embed(&mut pdf, &mut numbers, pixels)?));
            }
        }
        content.restore_state();
    }
    let packed = compressed(&content.finish())?;
    pdf.stream(contents, &packed).filter(Filter::FlateDecode);
    let mut written = pdf.page(page);
    written.parent(pages).contents(contents);
    written.media_box(pdf_writer::Rect::new(
        0.0,
        0.0,
        drawing.width,
        drawing.height,
    ));
    let mut resources = written.resources();
    let mut objects = resources.x_objects();
    for (name, at) in &images {
        objects.pair(Name(name.as_bytes()), *at);
    }
    objects.finish();
    let mut states = resources.ext_g_states();
    for ((fill, stroke), name) in &alphas {
        let mut state = states
            .insert(Name(name.as_bytes()))
            .start::<pdf_writer::writers::ExtGraphicsState<'_>>();
        state
            .non_stroking_alpha(f32::from_bits(*fill))
            .stroking_alpha(f32::from_bits(*stroke));
    }
    states.finish();
    resources.finish();
    written.finish();
    Ok(pdf.finish())
}

fn channels(color: Color) -> [f32; 3] {
    let [r, g, b, _] = color.0.map(|x| x.clamp(0.0, 1.0));
    [r, g, b]
}

fn outline(content: &mut Content, steps: &[Step]) {
    let mut at = [0.0; 2];
    for step in steps {
        match *step {
            Step::Move(p) => {
                content.move_to(p[0], p[1]);
                at = p;
            }
            Step::Line(p) => {
                content.line_to(p[0], p[1]);
                at = p;
            }
            Step::Quad(c, p) => {
                let third = |a: f32, c: f32| a + (c - a) * 2.0 / 3.0;
                let from = [third(at[0], c[0]), third(at[1], c[1])];
                let to = [third(p[0], c[0]), third(p[1], c[1])];
                content.cubic_to(from[0], from[1], to[0], to[1], p[0], p[1]);
                at = p;
            }
            Step::Cubic(a, b, p) => {
                content.cubic_to(a[0], a[1], b[0], b[1], p[0], p[1]);
                at = p;
            }
            Step::Close => {
                content.close_path();
            }
        }
    }
}

fn compressed(bytes: &[u8]) -> Result<Vec<u8>, DrawError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.map_err(|e| DrawError(e.to_string()))
}

/// Writes an image's colours, and its alpha as the mask that goes with them.
fn embed(pdf: &mut Pdf, numbers: &mut Numbers, pixels: &Pixels) -> Result<Ref, DrawError> {
    let (image, mask) = (numbers.next(), numbers.next());
    let colors: Vec<u8> = pixels
        .bytes()
        .chunks_exact(4)
        .flat_map(|p| [p[0], p[1], p[2]])
        .collect();
    let alpha: Vec<u8> = pixels.bytes().chunks_exact(4).map(|p| p[3]).collect();
    let (w, h) = (pixels.width as i32, pixels.height as i32);
    let packed = compressed(&alpha)?;
    let mut written = pdf.image_xobject(mask, &packed);
    written.width(w).height(h).bits_per_component(8);
    written.color_space().device_gray();
    written.filter(Filter::FlateDecode);
    written.finish();
    let packed = compressed(&colors)?;
    let mut written = pdf.image_xobject(image, &packed);
    written.width(w).height(h).bits_per_component(8);
    written.color_space().device_rgb();
    written.s_mask(mask);
    written.filter(Filter::FlateDecode);
    written.finish();
    Ok(image)
}
