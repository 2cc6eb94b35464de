//! Pixels, and PNG files of them.

use std::io::Cursor;

use crate::DrawError;

/// An image: four bytes a pixel, row by row from the top, alpha not premultiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    bytes: Vec<u8>,
}

impl Pixels {
    /// Of bytes, if there are as many as there should be.
    #[must_use]
    pub fn new(width: u32, height: u32, bytes: Vec<u8>) -> Option<Pixels> {
        let wanted = (width as usize)
            .checked_mul(height as usize)?
            .checked_mul(4)?;
        (bytes.len() == wanted).then_some(Pixels {
            width,
            height,
            bytes,
        })
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A PNG file.
///
/// # Errors
/// If the image has no pixels.
pub fn encode_png(pixels: &Pixels) -> Result<Vec<u8>, DrawError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let failed = |e: png::EncodingError| DrawError(e.to_string());
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&pixels.bytes).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(out)
}

/// What a PNG file holds: rows, columns, channels, the greatest value of a sample, and the samples row by row.
///
/// # Errors
/// If it is no PNG file.
pub fn decode_png(file: &[u8]) -> Result<(u32, u32, usize, u16, Vec<u16>), DrawError> {
    let failed = |e: png::DecodingError| DrawError(e.to_string());
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader
        .output_buffer_size()
        .ok_or_else(|| DrawError("the image is too large".into()))?;
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(size)
        .map_err(|_| DrawError("the image is too large".into()))?;
    bytes.resize(size, 0);
    let info = reader.next_frame(&mut bytes).map_err(failed)?;
    bytes.truncate(info.buffer_size());
    let wide = info.bit_depth == png::BitDepth::Sixteen;
    let samples = if wide {
        bytes
            .chunks_exact(2)
            .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
            .collect()
    } else {
        bytes.iter().map(|&b| u16::from(b)).collect()
    };
    let most = if wide { u16::MAX } else { 255 };
    Ok((
        info.height,
        info.width,
        info.color_type.samples(),
        most,
        samples,
    ))
}
