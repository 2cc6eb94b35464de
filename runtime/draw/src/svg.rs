//! A drawing as SVG.

use std::fmt::Write;

use base64::Engine as _;

use crate::{Cap, Color, DrawError, Drawing, Item, Join, Rect, Step, encode_png};

/// The SVG file of a drawing.
pub(crate) fn write(drawing: &Drawing) -> Result<Vec<u8>, DrawError> {
    let mut out = String::new();
    let (w, h) = (short(drawing.width), short(drawing.height));
    out.push_str("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n");
    out.push_str(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" ",
    );
    put(
        &mut out,
        format_args!("width=\"{w}pt\" height=\"{h}pt\" viewBox=\"0 0 {w} {h}\" version=\"1.1\">\n"),
    );
    let mut clips: Vec<Rect> = Vec::new();
    for item in drawing.visible() {
        match item {
            Item::Path {
                steps,
                fill,
                stroke,
                smooth,
                clip,
            } => {
                let clip = clip.map(|c| clip_number(&mut out, &mut clips, c));
                out.push_str("<path d=\"");
                data(&mut out, steps);
                out.push('"');
                match fill {
                    Some(color) => paint(&mut out, "fill", *color),
                    None => out.push_str(" fill=\"none\""),
                }
                if let Some(stroke) = stroke {
                    paint(&mut out, "stroke", stroke.color);
                    put(
                        &mut out,
                        format_args!(" stroke-width=\"{}\"", short(stroke.width)),
                    );
                    match stroke.cap {
                        Cap::Butt => {}
                        Cap::Square => out.push_str(" stroke-linecap=\"square\""),
                        Cap::Round => out.push_str(" stroke-linecap=\"round\""),
                    }
                    match stroke.join {
                        Join::Miter => {}
                        Join::Round => out.push_str(" stroke-linejoin=\"round\""),
                        Join::Bevel => out.push_str(" stroke-linejoin=\"bevel\""),
                    }
                    if !stroke.dashes.is_empty() {
                        let dashes: Vec<String> = stroke.dashes.iter().map(|&d| short(d)).collect();
                        put(
                            &mut out,
                            format_args!(" stroke-dasharray=\"{}\"", dashes.join(",")),
                        );
                    }
                }
                if !smooth {
                    out.push_str(" shape-rendering=\"crispEdges\"");
                }
                end(&mut out, clip);
            }
            Item::Image {
                pixels,
                place,
                blocks,
                clip,
            } => {
                let clip = clip.map(|c| clip_number(&mut out, &mut clips, c));
                let [x, y, w, h] = place.map(short);
                let file = base64::engine::general_purpose::STANDARD.encode(encode_png(pixels)?);
                put(
                    &mut out,
                    format_args!("<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\""),
                );
                out.push_str(" preserveAspectRatio=\"none\"");
                if *blocks {
                    out.push_str(" style=\"image-rendering:pixelated\"");
                }
                put(
                    &mut out,
                    format_args!(" xlink:href=\"data:image/png;base64,{file}\""),
                );
                end(&mut out, clip);
            }
        }
    }
    out.push_str("</svg>\n");
    Ok(out.into_bytes())
}

/// Appends; a string takes everything.
fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(what);
}

/// At most three digits behind the point, which is a 700th of a pixel.
pub(crate) fn short(x: f32) -> String {
    let text = format!("{x:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".into()
    } else {
        text.into()
    }
}

fn clip_number(out: &mut String, clips: &mut Vec<Rect>, clip: Rect) -> usize {
    if let Some(known) = clips.iter().position(|c| *c == clip) {
        return known;
    }
    let number = clips.len();
    clips.push(clip);
    let [x, y, w, h] = clip.map(short);
    put(
        out,
        format_args!(
            "<clipPath id=\"c{number}\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/></clipPath>\n"
        ),
    );
    number
}

fn end(out: &mut String, clip: Option<usize>) {
    if let Some(number) = clip {
        put(out, format_args!(" clip-path=\"url(#c{number})\""));
    }
    out.push_str("/>\n");
}

fn paint(out: &mut String, what: &str, color: Color) {
    let [r, g, b] = color.bytes();
    put(out, format_args!(" {what}=\"#{r:02x}{g:02x}{b:02x}\""));
    if color.alpha() < 1.0 {
        put(
            out,
            format_args!(" {what}-opacity=\"{}\"", short(color.alpha())),
        );
    }
}

fn data(out: &mut String, steps: &[Step]) {
    for step in steps {
        let (letter, points): (char, &[[f32; 2]]) = match step {
            Step::Move(a) => ('M', &[*a]),
            Step::Line(a) => ('L', &[*a]),
            Step::Quad(a, b) => ('Q', &[*a, *b]),
            Step::Cubic(a, b, c) => ('C', &[*a, *b, *c]),
            Step::Close => ('Z', &[]),
        };
        out.push(letter);
        for (i, [x, y]) in points.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            put(out, format_args!("{space}{} {}", short(*x), short(*y)));
        }
    }
}
