//! `_east_asian`: encodings of Chinese, Japanese and Korean.
//!
//! In: the name of an encoding as the Encoding Standard has it, text or bytes. Out: what could be read or written, and
//! where it stopped. Always: what to do about an error is for the Python side to say.

use encoding_rs::{DecoderResult, EncoderResult, Encoding};
use janus_interp::Interp;
use janus_object::{Args, NativeDef, PyResult, Raised, Value, Vm, memory};

use crate::support::{bytes_like, module, string};

/// Makes the module.
pub(crate) fn build(_: &mut Interp) -> PyResult {
    const FUNCTIONS: &[NativeDef] = &[
        NativeDef::function("_east_asian.decode", decode),
        NativeDef::function("_east_asian.encode", encode),
    ];
    Ok(Value::Module(module("_east_asian", "", FUNCTIONS)))
}

fn encoding(label: &Value) -> PyResult<&'static Encoding> {
    Encoding::for_label(string(label, "label")?.as_bytes())
        .ok_or_else(|| Raised::value_error("no such encoding"))
}

/// `decode(label, data)`: the text, how many bytes it stands for, and how many after them are no text (0 where all was
/// read; -1 where the data ends within a character).
fn decode(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [label, data] = args.exactly("decode")?;
    let data = bytes_like(data)?;
    let mut decoder = encoding(label)?.new_decoder_without_bom_handling();
    let mut text: Vec<u8> = Vec::new();
    let room = decoder
        .max_utf8_buffer_length_without_replacement(data.len())
        .ok_or_else(Raised::memory_error)?;
    memory::grow(&mut text, room)?;
    text.resize(room, 0);
    let (result, read, written) =
        decoder.decode_to_utf8_without_replacement(&data, &mut text, true);
    text.truncate(written);
    let (read, bad) = match result {
        DecoderResult::Malformed(bad, after) => {
            let (bad, after) = (usize::from(bad), usize::from(after));
            let start = read.saturating_sub(bad + after);
            let at_end = start + bad == data.len() && bad < 4 && cut_short(label, &data[start..])?;
            (start, if at_end { -1 } else { bad as i64 })
        }
        _ => (read, 0),
    };
    let text = String::from_utf8(text).map_err(|_| Raised::value_error("no text"))?;
    Ok(Value::tuple(vec![
        Value::str(text),
        Value::from(read),
        Value::Int(bad),
    ]))
}

/// Whether these last bytes are the beginning of a character.
fn cut_short(label: &Value, rest: &[u8]) -> PyResult<bool> {
    let mut decoder = encoding(label)?.new_decoder_without_bom_handling();
    let mut room = [0; 32];
    let (result, ..) = decoder.decode_to_utf8_without_replacement(rest, &mut room, false);
    Ok(matches!(result, DecoderResult::InputEmpty))
}

/// `encode(label, text)`: the bytes, and how many characters they stand for.
fn encode(_: &mut dyn Vm, args: Args<'_>) -> PyResult {
    let [label, text] = args.exactly("encode")?;
    let text = string(text, "text")?;
    let mut encoder = encoding(label)?.new_encoder();
    let room = encoder
        .max_buffer_length_from_utf8_without_replacement(text.len())
        .ok_or_else(Raised::memory_error)?;
    let mut data: Vec<u8> = Vec::new();
    memory::grow(&mut data, room)?;
    data.resize(room, 0);
    let (result, read, written) =
        encoder.encode_from_utf8_without_replacement(text, &mut data, true);
    data.truncate(written);
    let read = match result {
        // The character is read although it is not written.
        EncoderResult::Unmappable(character) => read - character.len_utf8(),
        _ => read,
    };
    let count = text.get(..read).map_or(0, |done| done.chars().count());
    Ok(Value::tuple(vec![Value::bytes(data), Value::from(count)]))
}
