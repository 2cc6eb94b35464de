//! Where things lie in objects.

use janus_object::Offsets;

#[test]
fn objects_lie_as_generated_code_expects() {
    let offsets = Offsets::measure().unwrap();
    assert_ne!(offsets.class, offsets.dict);
    assert_ne!(offsets.list_items, offsets.list_len);
}
