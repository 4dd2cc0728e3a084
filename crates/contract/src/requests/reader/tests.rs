//! How single fields are judged.

use serde_json::json;

use super::*;

#[test]
fn mail_addresses() {
    for good in [
        "a@b.example",
        "Ada.Lima+x@mail.acme.example",
        "ä@bücher.example",
    ] {
        assert!(is_email(good), "{good}");
    }
    for bad in [
        "",
        "a",
        "a@b",
        "@b.example",
        "a b@c.example",
        "a@b..example",
        "a@-b.example",
        "a@b.c",
        ".a@b.example",
        "a..b@c.example",
        "a@b.12",
        "a@b.example ",
        "a\n@b.example",
    ] {
        assert!(!is_email(bad), "{bad}");
    }
    let long = format!("a@{}.example", "b.".repeat(130));
    assert!(!is_email(&long));
}

#[test]
fn identifiers_have_version_and_variant() {
    assert!(is_versioned_uuid("00000000-0000-4000-8000-000000000000"));
    assert!(is_versioned_uuid("9F9E367A-0003-40D8-BCB2-39013E4CD773"));
    assert!(!is_versioned_uuid("00000000-0000-0000-0000-000000000000"));
    assert!(!is_versioned_uuid("00000000-0000-4000-7000-000000000000"));
    assert!(!is_versioned_uuid("0000000000004000800000000000000000"));
}

#[test]
fn numbers_of_bodies_and_queries() {
    let read = |value: Value| {
        let object = json!({"n": value});
        let object = object.as_object().unwrap();
        let mut fields = Reader::new(object, &["n"]);
        let number = fields.optional_integer("n", 1, 200);
        fields.finish(number)
    };
    assert_eq!(read(json!(null)), Ok(None));
    for five in [json!(5), json!(5.0), json!("5"), json!(" 5 "), json!("5e0")] {
        assert_eq!(read(five), Ok(Some(5)));
    }
    let low = Err(vec!["n must not be less than 1".to_owned()]);
    assert_eq!(read(json!("")), low, "an empty text is zero");
    assert_eq!(read(json!(-7)), low);
    assert_eq!(read(json!(1e300)).unwrap_err().len(), 2);
    for wrong in [
        json!("abc"),
        json!(true),
        json!([5]),
        json!("0x5"),
        json!("NaN"),
    ] {
        assert_eq!(read(wrong).unwrap_err().len(), 3);
    }
}

#[test]
fn texts_count_characters() {
    let object = json!({"t": "😀".repeat(5)});
    let object = object.as_object().unwrap();
    let read = |max| {
        let mut fields = Reader::new(object, &["t"]);
        let text = fields.text("t", Text::up_to(max));
        fields.finish(text)
    };
    assert!(read(5).is_ok());
    let refused = read(4).unwrap_err();
    assert_eq!(refused, ["t must be shorter than or equal to 4 characters"]);
}

#[test]
fn a_repeated_query_key_is_no_text() {
    let pair = |key: &str, text: &str| (key.to_owned(), text.to_owned());
    let pairs = [
        pair("a", "1"),
        pair("b", "2"),
        pair("a", "3"),
        pair("a", "4"),
    ];
    let object = crate::requests::query_object(&pairs);
    assert_eq!(
        Value::Object(object),
        json!({"a": ["1", "3", "4"], "b": "2"})
    );
}
