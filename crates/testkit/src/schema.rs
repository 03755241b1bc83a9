//! A validator for the part of JSON Schema that `docs/*.schema.json` use.
//!
//! Strict on its own side too: a keyword it does not know is reported, so that a schema cannot claim what nobody
//! checks.

use serde_json::Value;

/// Keywords that only describe.
const ANNOTATIONS: [&str; 7] = [
    "$schema",
    "$id",
    "$defs",
    "$comment",
    "title",
    "description",
    "examples",
];

/// Every way in which `instance` differs from what `schema` asks, each with its place.
pub fn problems(schema: &Value, instance: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, instance, "", &mut found);
    found
}

/// `path` is where `instance` lies in the whole, as in `/properties/0/trace`.
fn check(root: &Value, schema: &Value, instance: &Value, path: &str, found: &mut Vec<String>) {
    let mut report = |message: String| {
        let place = if path.is_empty() { "/" } else { path };
        found.push(format!("{place}: {message}"));
    };
    let keywords = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => return report("nothing is allowed here".into()),
        Value::Object(keywords) => keywords,
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return report("the schema is neither an object nor a boolean".into());
        }
    };
    for (keyword, argument) in keywords {
        match keyword.as_str() {
            "type" => {
                let allowed = one_or_many(argument);
                if !allowed.iter().any(|it| has_type(it, instance)) {
                    report(format!("expected {argument}, found {instance}"));
                }
            }
            "const" if argument != instance => {
                report(format!("expected {argument}, found {instance}"));
            }
            "enum" if !contains(argument, instance) => {
                report(format!("{instance} is none of {argument}"));
            }
            "minimum" if number_below(instance, argument) => {
                report(format!("{instance} is less than {argument}"));
            }
            "maximum" if number_below(argument, instance) => {
                report(format!("{instance} is greater than {argument}"));
            }
            "pattern" => {
                if let (Some(pattern), Some(text)) = (argument.as_str(), instance.as_str()) {
                    match matches(pattern, text) {
                        Some(true) => {}
                        Some(false) => report(format!("{instance} does not match {argument}")),
                        None => report(format!("the pattern {argument} is not understood")),
                    }
                }
            }
            "minItems" | "maxItems" | "minLength" => {
                if !is_within_size(keyword, argument, instance) {
                    report(format!("{instance} breaks {keyword} {argument}"));
                }
            }
            "required" => {
                for name in argument.as_array().into_iter().flatten() {
                    let name = name.as_str().unwrap_or_default();
                    if instance.is_object() && instance.get(name).is_none() {
                        report(format!("`{name}` is missing"));
                    }
                }
            }
            "const"
            | "enum"
            | "minimum"
            | "maximum"
            | "properties"
            | "additionalProperties"
            | "items"
            | "prefixItems"
            | "$ref"
            | "oneOf"
            | "anyOf"
            | "allOf" => {}
            _ if ANNOTATIONS.contains(&keyword.as_str()) => {}
            _ => report(format!("the schema uses `{keyword}`, which is not checked")),
        }
    }
    check_inside(root, schema, instance, path, found);
}

/// The keywords that lead to other schemas.
fn check_inside(
    root: &Value,
    schema: &Value,
    instance: &Value,
    path: &str,
    found: &mut Vec<String>,
) {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        match reference.strip_prefix('#').and_then(|it| root.pointer(it)) {
            Some(target) => check(root, target, instance, path, found),
            None => found.push(format!("{path}: the schema refers to `{reference}`")),
        }
    }
    if let Value::Object(members) = instance {
        for (name, value) in members {
            let place = format!("{path}/{name}");
            match schema.get("properties").and_then(|it| it.get(name)) {
                Some(inner) => check(root, inner, value, &place, found),
                None => match schema.get("additionalProperties") {
                    Some(Value::Bool(false)) => found.push(format!("{place}: not in the schema")),
                    Some(inner) => check(root, inner, value, &place, found),
                    None => {}
                },
            }
        }
    }
    if let Value::Array(elements) = instance {
        let prefix = schema.get("prefixItems").and_then(Value::as_array);
        for (index, value) in elements.iter().enumerate() {
            let inner = prefix
                .and_then(|it| it.get(index))
                .or_else(|| schema.get("items"));
            if let Some(inner) = inner {
                check(root, inner, value, &format!("{path}/{index}"), found);
            }
        }
    }
    for (keyword, is_met) in [
        (
            "oneOf",
            (|fitting, _| fitting == 1) as fn(usize, usize) -> bool,
        ),
        ("anyOf", |fitting, _| fitting >= 1),
        ("allOf", |fitting, all| fitting == all),
    ] {
        let Some(alternatives) = schema.get(keyword).and_then(Value::as_array) else {
            continue;
        };
        let answers: Vec<Vec<String>> = alternatives
            .iter()
            .map(|alternative| {
                let mut inner = Vec::new();
                check(root, alternative, instance, path, &mut inner);
                inner
            })
            .collect();
        let fitting = answers.iter().filter(|it| it.is_empty()).count();
        if !is_met(fitting, alternatives.len()) {
            found.push(format!("{path}: fits {fitting} alternatives of {keyword}"));
            found.extend(answers.into_iter().flatten());
        }
    }
}

fn one_or_many(argument: &Value) -> Vec<&Value> {
    match argument {
        Value::Array(many) => many.iter().collect(),
        one => vec![one],
    }
}

fn has_type(name: &Value, instance: &Value) -> bool {
    match name.as_str() {
        Some("null") => instance.is_null(),
        Some("boolean") => instance.is_boolean(),
        Some("integer") => instance.is_i64() || instance.is_u64(),
        Some("number") => instance.is_number(),
        Some("string") => instance.is_string(),
        Some("array") => instance.is_array(),
        Some("object") => instance.is_object(),
        Some(_) | None => false,
    }
}

fn contains(argument: &Value, instance: &Value) -> bool {
    argument.as_array().is_some_and(|it| it.contains(instance))
}

fn number_below(left: &Value, right: &Value) -> bool {
    match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => left < right,
        _ => false,
    }
}

fn is_within_size(keyword: &str, argument: &Value, instance: &Value) -> bool {
    let Some(limit) = argument.as_u64() else {
        return false;
    };
    match (keyword, instance) {
        ("minItems", Value::Array(elements)) => elements.len() as u64 >= limit,
        ("maxItems", Value::Array(elements)) => elements.len() as u64 <= limit,
        ("minLength", Value::String(text)) => text.chars().count() as u64 >= limit,
        _ => true,
    }
}

/// Matches the whole text against letters and classes, each once, `+` or `{n}` times, as in `^a:[0-9a-f]{4}$`.
/// `None` if the pattern has anything else.
fn matches(pattern: &str, text: &str) -> Option<bool> {
    let mut rest = pattern.strip_prefix('^')?.strip_suffix('$')?;
    let mut text = text;
    while let Some(first) = rest.chars().next() {
        let class = if first == '[' {
            let (inside, after) = rest[1..].split_once(']')?;
            rest = after;
            inside
        } else if first.is_ascii_alphanumeric() || ":_".contains(first) {
            let (class, after) = rest.split_at(1);
            rest = after;
            class
        } else {
            return None;
        };
        let fitting = text
            .chars()
            .take_while(|it| is_in_class(class, *it))
            .count();
        let taken = if let Some(after) = rest.strip_prefix('+') {
            rest = after;
            fitting.max(1)
        } else if let Some(after) = rest.strip_prefix('{') {
            let (count, after) = after.split_once('}')?;
            rest = after;
            count.parse().ok()?
        } else {
            1
        };
        if taken > fitting {
            return Some(false);
        }
        // What fits a class is one byte a character.
        text = &text[taken..];
    }
    Some(text.is_empty())
}

/// Whether a character is listed, or lies in a range as `0-9`; only ASCII.
fn is_in_class(class: &str, character: char) -> bool {
    let members: Vec<char> = class.chars().collect();
    let in_range = members
        .windows(3)
        .any(|it| it[1] == '-' && (it[0]..=it[2]).contains(&character));
    character.is_ascii() && (in_range || (character != '-' && members.contains(&character)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_has_no_problems() {
        let schema = json!({
            "$defs": { "place": { "type": "object", "required": ["line"],
                "properties": { "line": { "type": "integer", "minimum": 1 } },
                "additionalProperties": false } },
            "type": "object",
            "required": ["version"],
            "properties": {
                "version": { "const": 1 },
                "places": { "type": "array", "items": { "$ref": "#/$defs/place" } },
                "verdict": { "enum": ["safe", "unsafe"] },
                "reason": { "oneOf": [{ "type": "null" }, { "type": "string" }] }
            }
        });
        let whole = json!({ "version": 1, "places": [{ "line": 3 }], "verdict": "safe", "reason": null, "more": 1 });
        assert_eq!(problems(&schema, &whole), Vec::<String>::new());
        let broken = json!({ "version": 2, "places": [{ "line": 0 }, { "column": 1 }], "verdict": "maybe", "reason": 3 });
        assert_eq!(
            problems(&schema, &broken),
            [
                "/places/0/line: 0 is less than 1",
                "/places/1: `line` is missing",
                "/places/1/column: not in the schema",
                "/reason: fits 0 alternatives of oneOf",
                "/reason: expected \"null\", found 3",
                "/reason: expected \"string\", found 3",
                "/verdict: \"maybe\" is none of [\"safe\",\"unsafe\"]",
                "/version: expected 1, found 2",
            ]
        );
        assert_eq!(problems(&schema, &json!({})), ["/: `version` is missing"]);
    }

    #[test]
    fn exactly_one_alternative_must_fit() {
        let schema = json!({ "oneOf": [{ "type": "integer" }, { "minimum": 3 }] });
        assert!(problems(&schema, &json!(2)).is_empty());
        assert_eq!(problems(&schema, &json!(4)).len(), 1);
        let schema = json!({ "anyOf": [{ "type": "integer" }, { "minimum": 3 }] });
        assert!(problems(&schema, &json!(4)).is_empty());
    }

    #[test]
    fn a_keyword_that_is_not_checked_is_reported() {
        assert_eq!(
            problems(&json!({ "multipleOf": 3 }), &json!(4)),
            ["/: the schema uses `multipleOf`, which is not checked"]
        );
        assert_eq!(
            problems(&json!({ "pattern": "^(a|b)$" }), &json!("b")),
            ["/: the pattern \"^(a|b)$\" is not understood"]
        );
    }

    #[test]
    fn patterns_match_the_whole_text() {
        for (pattern, text, expected) in [
            ("^[0-9]+$", "120", Some(true)),
            ("^[0-9]+$", "", Some(false)),
            ("^[0-9]+$", "12a", Some(false)),
            ("^fnv:[0-9a-f]{4}$", "fnv:09af", Some(true)),
            ("^fnv:[0-9a-f]{4}$", "fnv:09a", Some(false)),
            ("^fnv:[0-9a-f]{4}$", "fnv:09aff", Some(false)),
            ("^a$", "ä", Some(false)),
            ("[0-9]", "1", None),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
