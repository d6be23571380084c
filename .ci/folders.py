"""Prints which folder of a module uses the types of which other folder, as its README lists the folders in layers.

A folder uses those above it in the table. Each use of one below it must stand in the table of exceptions; an exception that no
longer holds is an error, too. Sources are read as text, by the names of types that are declared in one folder only: what is
found is a use for certain, but an extension's method or a name that several folders declare is not noticed. The class `Teapot` is
the namespace of most types, and `Failure` is also a name of the standard library's: neither counts.
"""

import collections
import pathlib
import re
import sys

declaration = re.compile(r"\b(?:class|struct|enum|protocol|actor|typealias)\s+([A-Z]\w+)")
# Comments and texts name no types, except the code in an interpolation.
hidden = re.compile(r'//.*|"(?:\\\((?:[^()"]|\([^()]*\))*\)|\\.|[^"\\])*"')


def code(path):
    return hidden.sub(lambda text: " ".join(re.findall(r"\\\((.*?)\)", text.group())), path.read_text())


def rows(readme, heading):
    """The cells of the table below a heading."""
    section = readme.read_text().split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def names(cell):
    return re.findall(r"`([\w/]+)`", cell)


def main():
    readme, module = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    order = [name for row in rows(readme, "Folders") for name in names(row[0])]
    exceptions = [tuple(names(row[0])) for row in rows(readme, "Exceptions")]

    texts = {path: code(path) for path in sorted(module.glob("*/**/*.swift"))}
    folder = {path: path.relative_to(module).parts[0] for path in texts}
    homes = collections.defaultdict(set)
    for path, text in texts.items():
        for name in {*declaration.findall(text)} - {"Teapot", "Failure"}:
            homes[name].add(folder[path])

    uses = collections.defaultdict(set)
    for path, text in texts.items():
        for name in set(re.findall(r"\b[A-Z]\w+", text)):
            if len(homes[name]) == 1 and folder[path] not in homes[name]:
                uses[folder[path], *homes[name]].add(f"{path.name} uses {name}")

    faults = [f"{name} is not in the table of {readme}" for name in sorted({*folder.values()} - {*order})]
    for name in order:
        used = [other for other in order if (name, other) in uses]
        if used:
            print(f"    {name} uses {', '.join(used)}")
    pairs = [(a, b) for a in order for b in order if a < b and (a, b) in uses and (b, a) in uses]
    print(f"\n    {len(pairs)} pairs use each other: {', '.join(' and '.join(pair) for pair in pairs)}")

    for (user, used), places in sorted(uses.items()):
        is_upward = user in order and used in order and order.index(user) < order.index(used)
        if is_upward and (user, used) not in exceptions:
            faults.append(f"{user} uses {used}, which is a layer above it: {', '.join(sorted(places))}")
    faults += [f"{a} does not use {b}: remove the exception" for a, b in exceptions if (a, b) not in uses]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
