//! Text as outlines, in DejaVu Sans.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::Step;

/// A font's name, as far as there is a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Font {
    /// Upright.
    Regular,
    /// Heavy.
    Bold,
    /// Slanted.
    Oblique,
    /// Every letter as wide as the others.
    Mono,
}

type Parsed = Option<Face<'static>>;

static REGULAR: LazyLock<Parsed> = LazyLock::new(|| Face::parse(dejavu::sans::regular(), 0).ok());
static BOLD: LazyLock<Parsed> = LazyLock::new(|| Face::parse(dejavu::sans::bold(), 0).ok());
static OBLIQUE: LazyLock<Parsed> = LazyLock::new(|| Face::parse(dejavu::sans::oblique(), 0).ok());
static MONO: LazyLock<Parsed> = LazyLock::new(|| Face::parse(dejavu::sans_mono::regular(), 0).ok());

fn face(font: Font) -> Option<&'static Face<'static>> {
    match font {
        Font::Regular => REGULAR.as_ref(),
        Font::Bold => BOLD.as_ref(),
        Font::Oblique => OBLIQUE.as_ref(),
        Font::Mono => MONO.as_ref(),
    }
}

/// How far a line of text reaches from where it begins: to the right, up and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Its width.
    pub width: f32,
    /// What lies above the base line.
    pub ascent: f32,
    /// What lies below.
    pub descent: f32,
}

/// Glyphs with how far from the start each is, in the font's units.
fn glyphs(face: &Face<'_>, text: &str) -> (Vec<(GlyphId, f32)>, f32) {
    let mut x = 0.0;
    let mut placed = Vec::new();
    for c in text.chars() {
        // Glyph 0 is the box that stands for a letter that the font does not have.
        let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
        placed.push((glyph, x));
        x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    }
    (placed, x)
}

/// The extents of a line of text in a size in points.
#[must_use]
pub fn measure(text: &str, font: Font, size: f32) -> Size {
    let Some(face) = face(font) else {
        return Size {
            width: 0.0,
            ascent: 0.0,
            descent: 0.0,
        };
    };
    let unit = size / f32::from(face.units_per_em());
    let (placed, width) = glyphs(face, text);
    let boxes = placed
        .iter()
        .filter_map(|(glyph, _)| face.glyph_bounding_box(*glyph));
    let (mut up, mut down) = (0i16, 0i16);
    for b in boxes {
        up = up.max(b.y_max);
        down = down.min(b.y_min);
    }
    Size {
        width: width * unit,
        ascent: f32::from(up) * unit,
        descent: -f32::from(down) * unit,
    }
}

/// Collects a glyph's outline where it stands.
struct Collect<'a> {
    out: &'a mut Vec<Step>,
    origin: [f32; 2],
    x: f32,
    unit: f32,
    turn: [f32; 2],
}

impl Collect<'_> {
    fn at(&self, x: f32, y: f32) -> [f32; 2] {
        let (u, v) = ((self.x + x) * self.unit, y * self.unit);
        let [cos, sin] = self.turn;
        [
            self.origin[0] + u * cos - v * sin,
            self.origin[1] - u * sin - v * cos,
        ]
    }
}

impl OutlineBuilder for Collect<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let step = Step::Move(self.at(x, y));
        self.out.push(step);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let step = Step::Line(self.at(x, y));
        self.out.push(step);
    }

    fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
        let step = Step::Quad(self.at(a, b), self.at(x, y));
        self.out.push(step);
    }

    fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
        let step = Step::Cubic(self.at(a, b), self.at(c, d), self.at(x, y));
        self.out.push(step);
    }

    fn close(&mut self) {
        self.out.push(Step::Close);
    }
}

/// The outlines of a line of text whose base line begins at `origin` and is turned anticlockwise by `degrees`.
#[must_use]
pub fn outline(text: &str, font: Font, size: f32, origin: [f32; 2], degrees: f32) -> Vec<Step> {
    let mut out = Vec::new();
    let Some(face) = face(font) else {
        return out;
    };
    let unit = size / f32::from(face.units_per_em());
    let (sin, cos) = degrees.to_radians().sin_cos();
    for (glyph, x) in glyphs(face, text).0 {
        let mut collect = Collect {
            out: &mut out,
            origin,
            x,
            unit,
            turn: [cos, sin],
        };
        face.outline_glyph(glyph, &mut collect);
    }
    out
}
