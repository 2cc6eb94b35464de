//! Pictures as bytes: files, resampling, colours, filters, drawing.
//!
//! In: rows of pixels, or files. Out: new rows of pixels, or files. Always: the arithmetic is Pillow's, with its
//! fixed-point precision and its rounding, so what is computed from a picture is equal to the bit.

pub mod codec;
pub mod convert;
pub mod draw;
pub mod filter;
pub mod resample;
pub mod transform;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The bytes are of no format that is known here.
    #[error("cannot identify image file")]
    Unidentified,
    /// The file is damaged.
    #[error("{0}")]
    Damaged(String),
    /// What is asked for is not there.
    #[error("{0}")]
    Unsupported(String),
    /// Arguments that do not fit each other.
    #[error("{0}")]
    Mismatch(String),
}

/// Results here.
pub type Result<T> = std::result::Result<T, PictureError>;

/// The most pixels that a picture may have.
const MOST_PIXELS: usize = 1 << 31;

/// Rows of pixels, each `bands` elements wide.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture<T> {
    width: usize,
    height: usize,
    bands: usize,
    data: Vec<T>,
}

impl<T: Copy + Default> Picture<T> {
    /// A picture of these elements.
    pub fn new(width: usize, height: usize, bands: usize, data: Vec<T>) -> Result<Self> {
        match checked_len(width, height, bands) {
            Some(len) if len == data.len() => Ok(Picture {
                width,
                height,
                bands,
                data,
            }),
            _ => Err(PictureError::Mismatch("not enough image data".to_owned())),
        }
    }

    /// A picture of zeros.
    pub fn zeros(width: usize, height: usize, bands: usize) -> Result<Self> {
        let len = checked_len(width, height, bands)
            .ok_or_else(|| PictureError::Mismatch("the image is too large".to_owned()))?;
        Ok(Picture {
            width,
            height,
            bands,
            data: vec![T::default(); len],
        })
    }

    /// Pixels in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Elements of a pixel.
    #[must_use]
    pub fn bands(&self) -> usize {
        self.bands
    }

    /// All elements, row by row.
    #[must_use]
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// All elements, row by row.
    #[must_use]
    pub fn into_data(self) -> Vec<T> {
        self.data
    }

    /// The elements of a row; none outside of the picture.
    fn row(&self, y: usize) -> &[T] {
        let n = self.width * self.bands;
        self.data.get(y * n..(y + 1) * n).unwrap_or_default()
    }

    /// The elements of a row; none outside of the picture.
    fn row_mut(&mut self, y: usize) -> &mut [T] {
        let n = self.width * self.bands;
        self.data.get_mut(y * n..(y + 1) * n).unwrap_or_default()
    }

    /// Rows become columns.
    fn transposed(&self) -> Self {
        let mut data = Vec::with_capacity(self.data.len());
        for x in 0..self.width {
            for y in 0..self.height {
                let at = (y * self.width + x) * self.bands;
                data.extend_from_slice(self.data.get(at..at + self.bands).unwrap_or_default());
            }
        }
        Picture {
            width: self.height,
            height: self.width,
            bands: self.bands,
            data,
        }
    }
}

fn checked_len(width: usize, height: usize, bands: usize) -> Option<usize> {
    let pixels = width.checked_mul(height)?;
    (pixels <= MOST_PIXELS).then(|| pixels.checked_mul(bands))?
}

/// A number of 0 to 255, the nearest end for others.
fn clip(v: i32) -> u8 {
    v.clamp(0, 255) as u8
}

/// `a * b / 255`, rounded, as Pillow computes it.
fn mul_255(a: u8, b: u8) -> u8 {
    div_255(u32::from(a) * u32::from(b))
}

/// `a / 255`, rounded, as Pillow computes it.
fn div_255(a: u32) -> u8 {
    let t = a + 128;
    (((t >> 8) + t) >> 8) as u8
}
