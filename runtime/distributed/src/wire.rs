//! How a store and its clients talk: a kind and fields, each as long as it says.

use std::io::{self, Read, Write};

/// What both sides say first, so that a stranger is found out.
pub const GREETING: &[u8; 8] = b"janus-s1";

/// The longest message.
const LARGEST: usize = 1 << 30;

fn read_length(from: &mut impl Read) -> io::Result<usize> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes) as usize)
}

/// Writes a message at once.
pub fn write(to: &mut impl Write, kind: u8, fields: &[&[u8]]) -> io::Result<()> {
    let total: usize = fields.iter().map(|f| f.len()).sum();
    if total > LARGEST {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "a store takes at most 1 GiB at a time",
        ));
    }
    let mut message = Vec::with_capacity(total + 5 + 4 * fields.len());
    message.push(kind);
    // Both fit: the lengths add up to less than 2^30.
    message.extend((fields.len() as u32).to_le_bytes());
    for field in fields {
        message.extend((field.len() as u32).to_le_bytes());
        message.extend_from_slice(field);
    }
    to.write_all(&message)
}

/// Reads a message.
pub fn read(from: &mut impl Read) -> io::Result<(u8, Vec<Vec<u8>>)> {
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "a damaged message of a store");
    let mut kind = [0];
    from.read_exact(&mut kind)?;
    let count = read_length(from)?;
    let mut fields = Vec::new();
    let mut left = LARGEST;
    for _ in 0..count {
        let length = read_length(from)?;
        left = left.checked_sub(length + 4).ok_or_else(damaged)?;
        let mut field = Vec::new();
        // Memory grows with what arrives, not with what was announced.
        if from.by_ref().take(length as u64).read_to_end(&mut field)? != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        fields.push(field);
    }
    Ok((kind[0], fields))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let mut bytes = Vec::new();
        write(&mut bytes, 7, &[b"ab", b""]).unwrap();
        let read_back = read(&mut bytes.as_slice()).unwrap();
        assert_eq!(read_back, (7, vec![b"ab".to_vec(), Vec::new()]));
        for end in 0..bytes.len() {
            assert!(read(&mut &bytes[..end]).is_err());
        }
        assert!(read(&mut [1, 255, 255, 255, 255, 255, 255, 255, 255].as_slice()).is_err());
    }
}
