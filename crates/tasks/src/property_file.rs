//! Property files of SV-COMP, such as `CHECK( init(main()), LTL(G ! data-race) )`.

use raddle_ir::interpret::Property;

/// Formulas without their spaces; the first that stands in the file decides.
const FORMULAS: [(&str, Property); 8] = [
    ("LTL(G!call(reach_error()))", Property::Assert),
    ("LTL(G!call(__VERIFIER_error()))", Property::Assert),
    ("LTL(G!data-race)", Property::Race),
    ("LTL(G!deadlock)", Property::Deadlock),
    ("LTL(G!overflow)", Property::Overflow),
    ("LTL(Gvalid-memcleanup)", Property::Leak),
    ("LTL(Gvalid-free)", Property::Memory),
    ("LTL(Gvalid-deref)", Property::Memory),
];

/// Usual names of property files, for a definition whose property files do not lie where it says.
const NAMES: [(&str, Property); 6] = [
    ("unreach-call", Property::Assert),
    ("no-data-race", Property::Race),
    ("no-deadlock", Property::Deadlock),
    ("no-overflow", Property::Overflow),
    ("valid-memcleanup", Property::Leak),
    ("valid-memsafety", Property::Memory),
];

/// The property that the text of a file asks for, if it is one of ours.
pub(crate) fn property_of_text(text: &str) -> Option<Property> {
    let dense: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    FORMULAS
        .into_iter()
        .find(|(formula, _)| dense.contains(formula))
        .map(|(_, property)| property)
}

/// The same by the name of a file that cannot be read.
pub(crate) fn property_of_name(stem: &str) -> Option<Property> {
    NAMES
        .into_iter()
        .find(|(name, _)| *name == stem)
        .map(|(_, property)| property)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_tell_the_property() {
        for (text, expected) in [
            (
                "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
                Some(Property::Assert),
            ),
            (
                "CHECK( init(main()), LTL(G ! data-race) )",
                Some(Property::Race),
            ),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n",
                Some(Property::Memory),
            ),
            (
                "CHECK( init(main()), LTL(G valid-memcleanup) )",
                Some(Property::Leak),
            ),
            (
                "CHECK( init(main()), LTL(G ! overflow) )",
                Some(Property::Overflow),
            ),
            ("CHECK( init(main()), LTL(F end) )", None),
            (
                "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
                None,
            ),
        ] {
            assert_eq!(property_of_text(text), expected, "{text}");
        }
    }
}
