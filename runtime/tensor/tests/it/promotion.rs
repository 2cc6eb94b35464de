//! Promotion against recorded `promote_types` and `result_type`.

use janus_tensor::{DType, Participant, ScalarKind, result_type};

use crate::golden;

#[test]
fn equals_torch() {
    let dtype = |s: &str| DType::from_name(s).unwrap();
    let rank = |s: &str| s.parse::<usize>().unwrap();
    for (key, want) in golden("promotion") {
        let words: Vec<&str> = key.split(' ').collect();
        let got = match words[..] {
            ["promote", a, b] => dtype(a).promote(dtype(b)),
            ["tensors", a, ra, b, rb] => result_type(
                &[
                    Participant::Tensor(dtype(a), rank(ra)),
                    Participant::Tensor(dtype(b), rank(rb)),
                ],
                DType::F32,
            )
            .unwrap(),
            ["number", a, ra, kind] => {
                let kind = match kind {
                    "bool" => ScalarKind::Bool,
                    "int" => ScalarKind::I64,
                    _ => ScalarKind::F64,
                };
                let participants = [
                    Participant::Tensor(dtype(a), rank(ra)),
                    Participant::Number(kind),
                ];
                result_type(&participants, DType::F32).unwrap()
            }
            _ => panic!("{key}"),
        };
        assert_eq!(got.name(), want, "{key}");
    }
}
