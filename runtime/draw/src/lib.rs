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

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle([x, y, w, h]: Rect, fill: [f32; 4], clip: Option<Rect>) -> Item {
        let corners = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]];
        let mut steps = vec![Step::Move(corners[0])];
        steps.extend(corners[1..].iter().map(|&c| Step::Line(c)));
        steps.push(Step::Close);
        Item::Path {
            steps,
            fill: Some(Color(fill)),
            stroke: None,
            smooth: true,
            clip,
        }
    }

    fn page(items: Vec<Item>) -> Drawing {
        Drawing {
            width: 72.0,
            height: 36.0,
            items,
        }
    }

    /// The colour of a pixel of a page of 100 dots an inch.
    fn pixel(drawing: &Drawing, x: usize, y: usize) -> Result<Vec<u16>, DrawError> {
        let (rows, columns, channels, _, samples) =
            decode_png(&drawing.write(Format::Png(100.0))?)?;
        assert_eq!((rows, columns, channels), (50, 100, 4));
        let at = (y * 100 + x) * 4;
        Ok(samples[at..at + 4].to_vec())
    }

    #[test]
    fn what_is_drawn_last_is_in_front_and_clips_cut() -> Result<(), DrawError> {
        let red = rectangle([0.0, 0.0, 72.0, 36.0], [1.0, 0.0, 0.0, 1.0], None);
        let half = Some([36.0, 0.0, 36.0, 36.0]);
        let blue = rectangle([0.0, 0.0, 72.0, 36.0], [0.0, 0.0, 1.0, 1.0], half);
        let drawing = page(vec![red, blue]);
        assert_eq!(pixel(&drawing, 10, 25)?, [255, 0, 0, 255]);
        assert_eq!(pixel(&drawing, 90, 25)?, [0, 0, 255, 255]);
        Ok(())
    }

    #[test]
    fn what_is_not_finite_is_left_out() -> Result<(), DrawError> {
        let wrong = rectangle([0.0, f32::NAN, 72.0, 36.0], [1.0, 0.0, 0.0, 1.0], None);
        let far = rectangle([0.0, 0.0, 1e30, 1e30], [1.0, 0.0, 0.0, 1.0], None);
        let drawing = page(vec![wrong, far]);
        assert_eq!(pixel(&drawing, 10, 10)?, [0, 0, 0, 0]);
        for format in [Format::Svg, Format::Pdf] {
            assert!(!drawing.write(format)?.is_empty());
        }
        Ok(())
    }

    #[test]
    fn a_page_has_pixels_and_not_too_many() {
        let mut drawing = page(Vec::new());
        assert!(drawing.write(Format::Png(0.0)).is_err());
        assert!(drawing.write(Format::Png(f32::NAN)).is_err());
        drawing.width = 1e9;
        assert!(drawing.write(Format::Png(100.0)).is_err());
        assert!(decode_png(b"\x89PNG\r\n\x1a\n no more").is_err());
    }

    #[test]
    fn text_is_as_wide_as_its_letters() {
        let one = text::measure("0", text::Font::Regular, 10.0);
        let three = text::measure("000", text::Font::Regular, 10.0);
        assert!((three.width - 3.0 * one.width).abs() < 1e-4);
        assert!(one.ascent > 5.0 && one.ascent < 10.0);
        assert!(!text::outline("a", text::Font::Bold, 10.0, [0.0, 0.0], 90.0).is_empty());
        assert!(text::outline(" ", text::Font::Mono, 10.0, [0.0, 0.0], 0.0).is_empty());
    }
}
