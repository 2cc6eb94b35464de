//! Files: PNG, JPEG, GIF, BMP and WebP.

use std::io::Cursor;

use image::{ColorType, DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageFormat};

use crate::{Picture, PictureError, Result};

/// What is in a picture's file.
pub struct Decoded {
    /// The format as Pillow names it.
    pub format: &'static str,
    /// The mode as Pillow names it.
    pub mode: &'static str,
    /// The pixels.
    pub pixels: Pixels,
    /// Colours of three bytes, for indices.
    pub palette: Option<Vec<u8>>,
    /// How opaque each colour of the palette is, where the file says so.
    pub transparency: Option<Vec<u8>>,
}

/// Pixels of bytes or of 16 bits.
pub enum Pixels {
    /// Bytes.
    Bytes(Picture<u8>),
    /// Of up to 65535.
    Wide(Picture<i32>),
}

fn damaged(e: &dyn std::error::Error) -> PictureError {
    PictureError::Damaged(format!("broken image file: {e}"))
}

/// The format of a file by its first bytes.
fn format_of(file: &[u8]) -> Result<ImageFormat> {
    match image::guess_format(file) {
        Ok(
            f @ (ImageFormat::Png
            | ImageFormat::Jpeg
            | ImageFormat::Gif
            | ImageFormat::Bmp
            | ImageFormat::Pnm
            | ImageFormat::WebP),
        ) => Ok(f),
        _ => Err(PictureError::Unidentified),
    }
}

fn name_of(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG",
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::Gif => "GIF",
        ImageFormat::Bmp => "BMP",
        ImageFormat::Pnm => "PPM",
        _ => "WEBP",
    }
}

/// What a file's beginning tells: format, mode, width and height.
pub fn header(file: &[u8]) -> Result<(&'static str, &'static str, usize, usize)> {
    let format = format_of(file)?;
    let name = name_of(format);
    match format {
        ImageFormat::Png => {
            let reader = png::Decoder::new(Cursor::new(file));
            let reader = reader.read_info().map_err(|_| PictureError::Unidentified)?;
            let info = reader.info();
            let mode = png_mode(info.color_type, info.bit_depth);
            Ok((name, mode, info.width as usize, info.height as usize))
        }
        ImageFormat::Gif => {
            let reader =
                gif::Decoder::new(Cursor::new(file)).map_err(|_| PictureError::Unidentified)?;
            Ok((
                name,
                "P",
                usize::from(reader.width()),
                usize::from(reader.height()),
            ))
        }
        _ => {
            let decoder = image::ImageReader::with_format(Cursor::new(file), format);
            let decoder = decoder
                .into_decoder()
                .map_err(|_| PictureError::Unidentified)?;
            let (w, h) = decoder.dimensions();
            if format == ImageFormat::Pnm {
                plain_bytes(decoder.original_color_type())?;
            }
            Ok((name, mode_of(decoder.color_type()), w as usize, h as usize))
        }
    }
}

/// Refuses what of the PNM formats has no bytes as its pixels: bits, and numbers of two bytes.
fn plain_bytes(color: ExtendedColorType) -> Result<()> {
    match color {
        ExtendedColorType::L8 | ExtendedColorType::Rgb8 => Ok(()),
        _ => Err(PictureError::Unsupported(
            "a PNM file whose pixels are no bytes is not implemented in janus-jit yet".to_owned(),
        )),
    }
}

fn mode_of(color: ColorType) -> &'static str {
    match color {
        ColorType::L8 => "L",
        ColorType::La8 => "LA",
        ColorType::Rgba8 => "RGBA",
        _ => "RGB",
    }
}

fn png_mode(color: png::ColorType, depth: png::BitDepth) -> &'static str {
    match (color, depth) {
        (png::ColorType::Grayscale, png::BitDepth::One) => "1",
        (png::ColorType::Grayscale, png::BitDepth::Sixteen) => "I;16",
        (png::ColorType::Grayscale, _) => "L",
        (png::ColorType::Indexed, _) => "P",
        (png::ColorType::GrayscaleAlpha, _) => "LA",
        (png::ColorType::Rgb, _) => "RGB",
        (png::ColorType::Rgba, _) => "RGBA",
    }
}

/// The most pixels that a file is read with: what Pillow takes for an attack is above that.
const MOST_PIXELS: usize = 178_956_970;

/// All of a file.
pub fn decode(file: &[u8]) -> Result<Decoded> {
    // Before memory is asked for: a damaged file may name any extents.
    let (_, _, width, height) = header(file)?;
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(PictureError::Damaged("the image is too large".to_owned()));
    }
    match format_of(file)? {
        ImageFormat::Png => decode_png(file),
        ImageFormat::Gif => decode_gif(file),
        format => {
            let decoder = image::ImageReader::with_format(Cursor::new(file), format);
            let decoder = decoder.into_decoder().map_err(|e| damaged(&e))?;
            let mode = mode_of(decoder.color_type());
            let picture = DynamicImage::from_decoder(decoder).map_err(|e| damaged(&e))?;
            let (w, h) = (picture.width() as usize, picture.height() as usize);
            let (bands, data) = match mode {
                "L" => (1, picture.into_luma8().into_raw()),
                "LA" => (2, picture.into_luma_alpha8().into_raw()),
                "RGBA" => (4, picture.into_rgba8().into_raw()),
                _ => (3, picture.into_rgb8().into_raw()),
            };
            Ok(Decoded {
                format: name_of(format),
                mode,
                pixels: Pixels::Bytes(Picture::new(w, h, bands, data)?),
                palette: None,
                transparency: None,
            })
        }
    }
}

fn decode_png(file: &[u8]) -> Result<Decoded> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().map_err(|e| damaged(&e))?;
    let size = reader.output_buffer_size();
    let size = size.ok_or_else(|| PictureError::Damaged("the image is too large".to_owned()))?;
    let mut raw = vec![0; size];
    let frame = reader.next_frame(&mut raw).map_err(|e| damaged(&e))?;
    raw.truncate(frame.buffer_size());
    let info = reader.info();
    let (w, h) = (frame.width as usize, frame.height as usize);
    let mode = png_mode(frame.color_type, frame.bit_depth);
    let bands = frame.color_type.samples();
    let pixels = match frame.bit_depth {
        png::BitDepth::Sixteen if mode == "I;16" => {
            let (pairs, _) = raw.as_chunks::<2>();
            let data = pairs
                .iter()
                .map(|p| i32::from(u16::from_be_bytes(*p)))
                .collect();
            Pixels::Wide(Picture::new(w, h, 1, data)?)
        }
        // Pillow keeps the upper eight bits.
        png::BitDepth::Sixteen => Pixels::Bytes(Picture::new(
            w,
            h,
            bands,
            raw.into_iter().step_by(2).collect(),
        )?),
        png::BitDepth::Eight => Pixels::Bytes(Picture::new(w, h, bands, raw)?),
        small => {
            let bits = small as usize;
            let most = (1_usize << bits) - 1;
            // Greys are stretched to 255, indices are not.
            let scale = if mode == "P" { 1 } else { 255 / most };
            let per_byte = 8 / bits;
            let stride = w.div_ceil(per_byte);
            let mut data = Vec::with_capacity(w * h);
            for row in raw.chunks_exact(stride.max(1)) {
                for x in 0..w {
                    let byte = usize::from(row.get(x / per_byte).copied().unwrap_or(0));
                    let shift = 8 - bits * (x % per_byte + 1);
                    data.push((((byte >> shift) & most) * scale) as u8);
                }
            }
            Pixels::Bytes(Picture::new(w, h, 1, data)?)
        }
    };
    Ok(Decoded {
        format: "PNG",
        mode,
        pixels,
        palette: info
            .palette
            .as_ref()
            .filter(|_| mode == "P")
            .map(|p| p.to_vec()),
        transparency: info
            .trns
            .as_ref()
            .filter(|_| mode == "P")
            .map(|t| t.to_vec()),
    })
}

fn decode_gif(file: &[u8]) -> Result<Decoded> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut reader = options
        .read_info(Cursor::new(file))
        .map_err(|e| damaged(&e))?;
    let (w, h) = (usize::from(reader.width()), usize::from(reader.height()));
    let general = reader.global_palette().map(<[u8]>::to_vec);
    let background = reader.bg_color().unwrap_or(0) as u8;
    let frame = reader.read_next_frame().map_err(|e| damaged(&e))?;
    let frame = frame.ok_or_else(|| PictureError::Damaged("no frame in the file".to_owned()))?;
    let palette = frame.palette.clone().or(general).unwrap_or_default();
    let mut data = vec![background; w * h];
    let (left, top) = (usize::from(frame.left), usize::from(frame.top));
    let wide = usize::from(frame.width);
    for (y, row) in frame.buffer.chunks_exact(wide.max(1)).enumerate() {
        for (x, &i) in row.iter().enumerate().take(w.saturating_sub(left)) {
            if let Some(to) = data.get_mut((top + y) * w + left + x) {
                *to = i;
            }
        }
    }
    let transparency = frame.transparent.map(|t| {
        let mut all = vec![255; palette.len() / 3];
        if let Some(a) = all.get_mut(usize::from(t)) {
            *a = 0;
        }
        all
    });
    Ok(Decoded {
        format: "GIF",
        mode: "P",
        pixels: Pixels::Bytes(Picture::new(w, h, 1, data)?),
        palette: Some(palette),
        transparency,
    })
}

/// A picture as a PNG file.
pub fn encode_png(pixels: &Pixels, mode: &str, palette: Option<&[u8]>) -> Result<Vec<u8>> {
    let refused = || PictureError::Unsupported(format!("cannot write mode {mode} as PNG"));
    let mut out = Vec::new();
    let (w, h, depth, data) = match pixels {
        Pixels::Bytes(p) => (
            p.width(),
            p.height(),
            png::BitDepth::Eight,
            p.data().to_vec(),
        ),
        Pixels::Wide(p) => {
            let data = p
                .data()
                .iter()
                .flat_map(|&v| (v.clamp(0, 65535) as u16).to_be_bytes());
            (
                p.width(),
                p.height(),
                png::BitDepth::Sixteen,
                data.collect(),
            )
        }
    };
    let mut encoder = png::Encoder::new(&mut out, w as u32, h as u32);
    let color = match mode {
        "1" | "L" | "I" | "I;16" => png::ColorType::Grayscale,
        "P" => png::ColorType::Indexed,
        "LA" => png::ColorType::GrayscaleAlpha,
        "RGB" => png::ColorType::Rgb,
        "RGBA" => png::ColorType::Rgba,
        _ => return Err(refused()),
    };
    encoder.set_color(color);
    encoder.set_depth(if mode == "1" {
        png::BitDepth::One
    } else {
        depth
    });
    let data = if mode == "1" { packed(&data, w) } else { data };
    if mode == "P" {
        encoder.set_palette(palette.unwrap_or_default().to_vec());
    }
    let mut writer = encoder.write_header().map_err(|e| damaged(&e))?;
    writer.write_image_data(&data).map_err(|e| damaged(&e))?;
    writer.finish().map_err(|e| damaged(&e))?;
    Ok(out)
}

/// Eight pixels of a row to a byte.
#[must_use]
pub fn packed(data: &[u8], width: usize) -> Vec<u8> {
    let row = |row: &[u8]| -> Vec<u8> {
        let byte = |eight: &[u8]| {
            let bit = |(i, &p): (usize, &u8)| if p == 0 { 0 } else { 128_u8 >> i };
            eight.iter().enumerate().map(bit).fold(0, |a, b| a | b)
        };
        row.chunks(8).map(byte).collect()
    };
    data.chunks(width.max(1)).flat_map(row).collect()
}

/// A picture of bytes as a file of another format; `quality` is JPEG's.
pub fn encode(picture: &Picture<u8>, format: &str, mode: &str, quality: u8) -> Result<Vec<u8>> {
    let refused = || PictureError::Unsupported(format!("cannot write mode {mode} as {format}"));
    let color = match mode {
        "L" | "1" => ExtendedColorType::L8,
        "RGB" => ExtendedColorType::Rgb8,
        "RGBA" => ExtendedColorType::Rgba8,
        _ => return Err(refused()),
    };
    let (w, h) = (picture.width() as u32, picture.height() as u32);
    let mut out = Vec::new();
    let data = picture.data();
    let done = match format {
        "PPM" => {
            let kind = match mode {
                "L" => "P5",
                "RGB" => "P6",
                _ => return Err(refused()),
            };
            out.extend_from_slice(format!("{kind}\n{w} {h}\n255\n").as_bytes());
            out.extend_from_slice(data);
            return Ok(out);
        }
        "JPEG" if mode == "RGBA" => return Err(refused()),
        "JPEG" => image::codecs::jpeg::JpegEncoder::new_with_quality(&mut out, quality)
            .write_image(data, w, h, color),
        "BMP" => image::codecs::bmp::BmpEncoder::new(&mut out).write_image(data, w, h, color),
        "WEBP" => {
            image::codecs::webp::WebPEncoder::new_lossless(&mut out).write_image(data, w, h, color)
        }
        "GIF" => {
            let all = match mode {
                "RGBA" => data.to_vec(),
                "RGB" => data
                    .as_chunks::<3>()
                    .0
                    .iter()
                    .flat_map(|&[r, g, b]| [r, g, b, 255])
                    .collect(),
                _ => data.iter().flat_map(|&l| [l, l, l, 255]).collect(),
            };
            image::codecs::gif::GifEncoder::new(&mut out).encode(
                &all,
                w,
                h,
                ExtendedColorType::Rgba8,
            )
        }
        _ => return Err(refused()),
    };
    done.map_err(|e| damaged(&e))?;
    Ok(out)
}
