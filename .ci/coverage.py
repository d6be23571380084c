"""Prints the line coverage per file and in total of the given source directories, from llvm-cov's JSON.

Exits with status 1 when a total lies below the minimum, or when a directory holds no covered file at all.
"""

import argparse
import json
import pathlib
import sys


def lines(summary):
    return summary["lines"]["covered"], summary["lines"]["count"]


def percent(covered, count):
    return 100 * covered / count if count else 100.0


def row(name, covered, count):
    print(f"    {percent(covered, count):6.2f} %  {covered:5} of {count:5}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minimum", type=float, required=True, help="in percent, for each directory")
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()

    files = {
        pathlib.Path(file["filename"]): lines(file["summary"])
        for data in json.loads(arguments.report.read_text())["data"]
        for file in data["files"]
    }

    failed = False
    for directory in arguments.directories:
        root = directory.resolve()
        found = {path: counts for path, counts in sorted(files.items()) if root in path.parents}
        print(f"  {directory}")
        for path, counts in found.items():
            row(path.relative_to(root), *counts)
        covered = sum(covered for covered, _ in found.values())
        count = sum(count for _, count in found.values())
        row("total", covered, count)
        if count == 0:
            print(f"error: no line of {directory} is in the report", file=sys.stderr)
            failed = True
        elif percent(covered, count) < arguments.minimum:
            print(f"error: the coverage of {directory} is below {arguments.minimum:g} %", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
