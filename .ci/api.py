"""Prints the public API of a module, one declaration or conformance a line, from its symbol graphs: api.py GRAPH …

Declarations without `open` are public.
"""

import json
import pathlib
import sys

# Every type has these, or has them with Sendable.
IMPLIED = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}
MARKS = {
    "requirementOf": "a requirement",
    "optionalRequirementOf": "a requirement",
    "defaultImplementationOf": "a default",
}
VERBS = {"conformsTo": "conforms to", "inheritsFrom": "inherits from"}


def conditions(constraints):
    signs = {"conformance": ":", "superclass": ":", "sameType": "=="}
    rules = sorted(f"{c['lhs']} {signs.get(c['kind'], c['kind'])} {c['rhs']}" for c in constraints)
    return f"where {', '.join(rules)}" if rules else ""


def availability(entry):
    parts = [entry.get("domain", "*")]
    for key, value in sorted(entry.items()):
        if value is True:
            parts.append(key.removeprefix("isUnconditionally").lower())
        elif isinstance(value, dict):
            parts.append(f"{key}: {'.'.join(str(number) for number in value.values())}")
        elif key != "domain":
            parts.append(f'{key}: "{value}"')
    return f"@available({', '.join(parts)}) "


def declaration(symbol):
    available = "".join(sorted(availability(entry) for entry in symbol.get("availability", [])))
    access = "open " if symbol["accessLevel"] == "open" else ""
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    rules = conditions(symbol.get("swiftExtension", {}).get("constraints", []))
    return available + access + " ".join(text.split()) + (f" [{rules}]" if rules else "")


def main(paths):
    symbols, relationships = {}, []
    for path in paths:
        graph = json.loads(pathlib.Path(path).read_text())
        symbols |= {symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"]}
        relationships += graph["relationships"]
    names = {identifier: ".".join(symbol["pathComponents"]) for identifier, symbol in symbols.items()}
    marks = {r["source"]: MARKS[r["kind"]] for r in relationships if r["kind"] in MARKS}
    lines = set()
    for identifier, symbol in symbols.items():
        # An extension of another module's type is not a declaration, but it has members and conformances.
        if symbol["kind"]["identifier"] != "swift.extension":
            mark = f" [{marks[identifier]}]" if identifier in marks else ""
            lines.add(f"{names[identifier]}: {declaration(symbol)}{mark}")
    for r in relationships:
        target = names.get(r["target"], r.get("targetFallback", r["target"]))
        if r["kind"] in VERBS and target not in IMPLIED:
            rules = conditions(r.get("swiftConstraints", []))
            lines.add(f"{names[r['source']]}: {VERBS[r['kind']]} {target} {rules}".rstrip())
    print("\n".join(sorted(lines)))


main(sys.argv[1:])
