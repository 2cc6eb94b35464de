//! Lists of shapes, text and images as PNG, SVG and PDF.
//!
//! In: a [`Drawing`], whose coordinates are points (1/72 inch) from the upper left corner. Out: a file's bytes. Always:
//! text is the outlines of the fonts inside of the program, so that it looks the same in each format and on
//! every machine; a shape with a coordinate that is not finite is left out.

use std::fmt;

mod image;
mod pdf;
mod raster;
mod svg;
pub mod text;

pub use image::{Pixels, decode_png, encode_png};

/// Red, green, blue and alpha, each from 0 to 1, not premultiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Color(pub [f32; 4]);

impl Color {
    /// Three bytes.
    fn bytes(self) -> [u8; 3] {
        let [r, g, b, _] = self.0;
        [r, g, b].map(|x| (x.clamp(0.0, 1.0) * 255.0).round() as u8)
    }

    fn alpha(self) -> f32 {
        self.0[3].clamp(0.0, 1.0)
    }
}

/// A step of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// A new part begins here.
    Move([f32; 2]),
    /// A straight line.
    Line([f32; 2]),
    /// A quadratic Bézier curve: its control point, its end.
    Quad([f32; 2], [f32; 2]),
    /// A cubic one.
    Cubic([f32; 2], [f32; 2], [f32; 2]),
    /// Back to where the part began.
    Close,
}

impl Step {
    fn is_finite(&self) -> bool {
        let points: &[[f32; 2]] = match self {
            Step::Move(a) | Step::Line(a) => &[*a],
            Step::Quad(a, b) => &[*a, *b],
            Step::Cubic(a, b, c) => &[*a, *b, *c],
            Step::Close => &[],
        };
        // What is this far away is as good as infinite, and rasterisers count in fixed point.
        points.iter().flatten().all(|x| x.abs() < 1e7)
    }
}

/// How the ends of lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cap {
    /// They end at their last point.
    Butt,
    /// With half a square.
    Square,
    /// With half a circle.
    Round,
}

/// How lines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// With a corner.
    Miter,
    /// With an arc.
    Round,
    /// With the corner cut off.
    Bevel,
}

/// A line along an outline.
#[derive(Clone, Debug)]
pub struct Stroke {
    /// Its colour.
    pub color: Color,
    /// Its width in points.
    pub width: f32,
    /// Lengths of dashes and gaps in turns; none for a line without gaps.
    pub dashes: Vec<f32>,
    /// Its ends.
    pub cap: Cap,
    /// Its corners.
    pub join: Join,
}

/// A rectangle: left, top, width, height.
pub type Rect = [f32; 4];

/// Something that is drawn.
#[derive(Clone, Debug)]
pub enum Item {
    /// An outline, filled, drawn along, or both.
    Path {
        /// The outline.
        steps: Vec<Step>,
        /// What it is filled with.
        fill: Option<Color>,
        /// What is drawn along it.
        stroke: Option<Stroke>,
        /// Whether its edges are smoothed.
        smooth: bool,
        /// What lies outside is not drawn.
        clip: Option<Rect>,
    },
    /// Pixels in a rectangle.
    Image {
        /// The pixels.
        pixels: Pixels,
        /// Where they are.
        place: Rect,
        /// Whether a pixel is a rectangle of one colour, however large.
        blocks: bool,
        /// What lies outside is not drawn.
        clip: Option<Rect>,
    },
}

/// A page.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// Its width in points.
    pub width: f32,
    /// Its height in points.
    pub height: f32,
    /// From the back to the front.
    pub items: Vec<Item>,
}

/// What a drawing is written as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Format {
    /// Pixels, so many an inch.
    Png(f32),
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Document Format, one page.
    Pdf,
}

/// Why there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError(String);

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DrawError {}

impl Drawing {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If the page has no pixel, or more than there is memory for.
    pub fn write(&self, format: Format) -> Result<Vec<u8>, DrawError> {
        match format {
            Format::Png(dpi) => raster::write(self, dpi),
            Format::Svg => svg::write(self),
            Format::Pdf => pdf::write(self),
        }
    }

    /// What can be drawn.
    fn visible(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| match item {
            Item::Path { steps, .. } => !steps.is_empty() && steps.iter().all(Step::is_finite),
            Item::Image { place, pixels, .. } => {
                place.iter().all(|x| x.abs() < 1e7)
                    && place[2] > 0.0
                    && place[3] > 0.0
                    && pixels.width > 0
                    && pixels.height > 0
            }
        })
    }
}
