//! `repr`, `format`, `%` and the methods of strings.

use janus_object::{Args, Name, PyDict, Value, text};

use crate::vm::TestVm;
use crate::{ints, method, outcome, repr, shown};

#[test]
fn floats_print_shortest() {
    let cases = [
        (1e22, "1e+22"),
        (1e16, "1e+16"),
        (1e15, "1000000000000000.0"),
        (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
        (1e-5, "1e-05"),
        (0.0001, "0.0001"),
        (0.1 + 0.2, "0.30000000000000004"),
        (-0.0, "-0.0"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e+308"),
        (f64::NAN, "nan"),
        (f64::NEG_INFINITY, "-inf"),
        (100.0, "100.0"),
    ];
    for (f, expected) in cases {
        assert_eq!(text::float_repr(f), expected);
    }
}

#[test]
fn the_format_language() {
    let mut vm = TestVm::default();
    let cases: &[(Value, &str, &str)] = &[
        (Value::Int(-5), "05d", "-0005"),
        (Value::Int(5), "*^7", "***5***"),
        (Value::Int(255), "#010b", "0b11111111"),
        (Value::Int(-255), "#x", "-0xff"),
        (Value::Int(1_234_567), ",", "1,234,567"),
        (Value::Int(1_234_567), "015,", "000,001,234,567"),
        (Value::Int(1_234_567), "_x", "12_d687"),
        (Value::Int(65), "c", "A"),
        (Value::Int(5), ".2f", "5.00"),
        (Value::bool(true), "d", "1"),
        (
            Value::float(1_234_567.891),
            "020,.2f",
            "0,000,001,234,567.89",
        ),
        (Value::float(0.1234), ".1%", "12.3%"),
        (Value::float(1_234_567.0), "g", "1.23457e+06"),
        (Value::float(100.0), "#g", "100.000"),
        (Value::float(1234.5), ".3", "1.23e+03"),
        (Value::float(2.5), ".0f", "2"),
        (Value::float(0.1), ".20f", "0.10000000000000000555"),
        (Value::float(-0.04), "z.1f", "0.0"),
        (Value::float(f64::NEG_INFINITY), "010", "-000000inf"),
        (Value::from("abc"), ">6.2", "    ab"),
        (Value::from("é"), "^3", " é "),
        (
            Value::Int(5),
            "s",
            "ValueError: Unknown format code 's' for object of type 'int'",
        ),
        (
            Value::Int(5),
            ".2d",
            "ValueError: Precision not allowed in integer format specifier",
        ),
        (
            Value::from("a"),
            "=6",
            "ValueError: '=' alignment not allowed in string format specifier",
        ),
        (
            Value::None,
            ">5",
            "TypeError: unsupported format string passed to NoneType.__format__",
        ),
    ];
    for (value, spec, expected) in cases {
        let result = text::format(&mut vm, value, spec);
        let got = result.unwrap_or_else(|raised| shown(&mut vm, &raised));
        assert_eq!(got, *expected, "{value:?}:{spec}");
    }
}

#[test]
fn percent_formatting() {
    let mut vm = TestVm::default();
    let tuple = |items: &[Value]| Value::tuple(items.to_vec());
    let cases: &[(&str, Value, &str)] = &[
        (
            "%5d|%-5d|%05d",
            tuple(&[Value::Int(1), Value::Int(2), Value::Int(3)]),
            "    1|2    |00003",
        ),
        ("%+d % d", tuple(&[Value::Int(1), Value::Int(2)]), "+1  2"),
        (
            "%#x %#o",
            tuple(&[Value::Int(255), Value::Int(8)]),
            "0xff 0o10",
        ),
        ("%.3f%%", Value::float(1.23456), "1.235%"),
        ("%010.3f", Value::float(-7.14159), "-00007.142"),
        ("%*d", tuple(&[Value::Int(5), Value::Int(3)]), "    3"),
        ("%s", Value::None, "None"),
        ("%5.2s|", Value::from("abc"), "   ab|"),
        (
            "%d",
            Value::from("a"),
            "TypeError: %d format: a real number is required, not str",
        ),
        (
            "%s %s",
            tuple(&[Value::Int(1)]),
            "TypeError: not enough arguments for format string",
        ),
        (
            "%z",
            Value::Int(1),
            "ValueError: unsupported format character 'z' (0x7a) at index 1",
        ),
        (
            "abc",
            Value::Int(1),
            "TypeError: not all arguments converted during string formatting",
        ),
    ];
    for (format, values, expected) in cases {
        let result = text::percent_format(&mut vm, format, values);
        let got = result.unwrap_or_else(|raised| shown(&mut vm, &raised));
        assert_eq!(got, *expected, "{format}");
    }
}

#[test]
fn str_format_fields() {
    let mut vm = TestVm::default();
    let a = [Value::from("a"), Value::Int(5)];
    let kw = [
        (Name::new("w"), Value::Int(6)),
        (Name::new("l"), ints(&[7, 8])),
    ];
    let args = Args::with_kw(&a, &kw);
    let mut format = |f: &str| {
        let result = text::str_format(&mut vm, f, args);
        result.unwrap_or_else(|raised| shown(&mut vm, &raised))
    };
    assert_eq!(format("{} {}"), "a 5");
    assert_eq!(format("{1:{w}}|{0!r}"), "     5|'a'");
    assert_eq!(format("{l[1]} {{}}"), "8 {}");
    assert_eq!(
        format("{} {0}"),
        "ValueError: cannot switch from automatic field numbering to manual field specification"
    );
    assert_eq!(
        format("{} {} {}"),
        "IndexError: Replacement index 2 out of range for positional args tuple"
    );
    assert_eq!(format("{x}"), "KeyError: 'x'");
    assert_eq!(
        format("}"),
        "ValueError: Single '}' encountered in format string"
    );
}

#[test]
fn reprs_escape_and_guard() {
    let mut vm = TestVm::default();
    assert_eq!(text::str_repr("a'b"), "\"a'b\"");
    assert_eq!(text::str_repr("a\"b'c\n\0"), "'a\"b\\'c\\n\\x00'");
    assert_eq!(text::str_repr("é\u{200b}😀"), "'é\\u200b😀'");
    let list = ints(&[1]);
    if let Value::List(l) = &list {
        l.push(list.clone());
    }
    assert_eq!(repr(&mut vm, &list), "[1, [...]]");
    let dict = PyDict::new();
    dict.set_str("k", Value::tuple(vec![Value::float(1.0)]));
    assert_eq!(repr(&mut vm, &Value::dict(dict)), "{'k': (1.0,)}");
    assert_eq!(
        repr(&mut vm, &Value::bytes(b"a\x00'".to_vec())),
        "b\"a\\x00'\""
    );
}

#[test]
fn string_methods() {
    let mut vm = TestVm::default();
    let s = |t: &str| Value::from(t);
    let cases: &[(&str, &str, &[Value], &str)] = &[
        (" a  b c ", "split", &[], "['a', 'b', 'c']"),
        (
            " a  b c ",
            "split",
            &[Value::None, Value::Int(1)],
            "['a', 'b c ']",
        ),
        ("a,b,c", "rsplit", &[s(","), Value::Int(1)], "['a,b', 'c']"),
        ("a\nb\r\nc", "splitlines", &[], "['a', 'b', 'c']"),
        ("héllo", "find", &[s("l")], "2"),
        (
            "abcabc",
            "find",
            &[s("a"), Value::Int(1), Value::Int(3)],
            "-1",
        ),
        ("they're", "title", &[], "\"They'Re\""),
        ("-42", "zfill", &[Value::Int(6)], "'-00042'"),
        ("ab", "center", &[Value::Int(5)], "'  ab '"),
        ("abc", "replace", &[s(""), s("-")], "'-a-b-c-'"),
        ("ß", "casefold", &[], "'ss'"),
        (
            "-",
            "join",
            &[ints(&[1])],
            "TypeError: sequence item 0: expected str instance, int found",
        ),
        ("abc", "index", &[s("x")], "ValueError: substring not found"),
        (
            "é",
            "encode",
            &[s("ascii")],
            "UnicodeEncodeError: 'ascii' codec can't encode character '\\xe9' in position 0: ordinal not in range(128)",
        ),
    ];
    for (this, name, args, expected) in cases {
        let result = method(&mut vm, &s(this), name, args);
        assert_eq!(outcome(&mut vm, result), *expected, "{this:?}.{name}");
    }
}
