"""Prints the public API of a module, one declaration a line, from its symbol graphs: api.py FOLDER MODULE"""

import glob
import json
import sys

# Every type has these, or has them with Sendable.
IMPLIED = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}
MARKS = {
    "requirementOf": "a requirement",
    "optionalRequirementOf": "a requirement",
    "defaultImplementationOf": "a default",
}


def constraints(of):
    signs = {"conformance": ":", "superclass": ":", "sameType": "=="}
    return [f"{c['lhs']} {signs.get(c['kind'], c['kind'])} {c['rhs']}" for c in of.get("swiftConstraints", [])]


def conditions(constraints):
    return f" where {', '.join(sorted(constraints))}" if constraints else ""


def declaration(symbol):
    text = "".join(fragment["spelling"] for fragment in symbol["declarationFragments"])
    extension = symbol.get("swiftExtension", {})
    rules = constraints({"swiftConstraints": extension.get("constraints", [])})
    available = sorted(
        f"{a.get('domain', '*')} {a.get('message', '')}".strip()
        for a in symbol.get("availability", [])
        if a.get("isUnconditionallyUnavailable") or a.get("isUnconditionallyDeprecated")
    )
    notes = (f" [where {', '.join(sorted(rules))}]" if rules else "") + "".join(f" [{a}]" for a in available)
    return " ".join(text.split()) + notes


def main(folder, module):
    symbols, relationships = {}, []
    for path in glob.glob(f"{folder}/**/{module}.symbols.json", recursive=True) + glob.glob(
        f"{folder}/**/{module}@*.symbols.json", recursive=True
    ):
        with open(path) as file:
            graph = json.load(file)
        symbols |= {
            symbol["identifier"]["precise"]: symbol
            for symbol in graph["symbols"]
            if "::SYNTHESIZED::" not in symbol["identifier"]["precise"] and symbol["kind"]["identifier"] != "swift.extension"
        }
        relationships += graph["relationships"]
    names = {identifier: ".".join(symbol["pathComponents"]) for identifier, symbol in symbols.items()}
    marks = {r["source"]: MARKS[r["kind"]] for r in relationships if r["kind"] in MARKS}
    lines = set()
    for identifier, symbol in symbols.items():
        mark = f" [{marks[identifier]}]" if identifier in marks else ""
        lines.add(f"{names[identifier]}: {declaration(symbol)}{mark}")
    for r in relationships:
        target = names.get(r["target"], r.get("targetFallback", r["target"]))
        if r["kind"] == "conformsTo" and r["source"] in names and target not in IMPLIED:
            lines.add(f"{names[r['source']]}: conforms to {target}{conditions(constraints(r))}")
    print("\n".join(sorted(lines)))


main(*sys.argv[1:])
