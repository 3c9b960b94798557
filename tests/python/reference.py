"""Keeps three texts equal: the documentation of the native module, that of its stubs, and the page of the book.

    reference.py PROJECT            # reports what differs
    reference.py PROJECT --write    # writes the stubs' documentation and the page

The installed package has the documentation of functions and classes in Rust. Editors read it in the stubs.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evalgraph
from evalgraph import _native

#: The width of lines in stubs and in the page.
WIDTH = 120
#: The modules of the page after the package itself, with the title of each.
FRONTS = {"jsonld.py": "evalgraph.jsonld", "pyshacl.py": "evalgraph.pyshacl", "rdflib.py": "evalgraph.rdflib"}
PAGE = "docs/python.md"

Definition = ast.FunctionDef | ast.ClassDef


def definitions(body: list[ast.stmt]) -> Iterator[Definition]:
    return (node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef)))


def native_doc(owner: Any, name: str) -> str:
    """The documentation of a member of the native module, as one paragraph each."""
    member = inspect.getattr_static(owner, name, None)
    if isinstance(member, staticmethod):
        member = member.__func__
    text = inspect.cleandoc(getattr(member, "__doc__", None) or "")
    return "" if name.startswith("__") else text


def wrapped(text: str, indent: str, width: int = WIDTH) -> list[str]:
    """Paragraphs in lines; lists and examples stay as they are."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\n+", text):
        if lines:
            lines.append("")
        if paragraph.startswith((" ", "-", "```")):
            lines += [indent + line for line in paragraph.splitlines()]
        else:
            lines += textwrap.wrap(" ".join(paragraph.split()), width, initial_indent=indent, subsequent_indent=indent)
    return lines


def docstring(text: str, indent: str) -> list[str]:
    lines = wrapped(f'"""{text}', indent)
    if len(lines) == 1 and len(lines[0]) + 3 <= WIDTH:
        return [lines[0] + '"""']
    return [*lines, indent + '"""']


def stubs(source: str) -> str:
    """The stubs with the documentation of the native module."""
    lines = source.splitlines()
    changes: list[tuple[int, int, list[str]]] = []

    def visit(node: Definition, owner: Any) -> None:
        text = native_doc(owner, node.name)
        first = node.body[0]
        has_doc = ast.get_docstring(node) is not None
        if text:
            new = docstring(text, " " * (node.col_offset + 4))
            if has_doc:
                changes.append((first.lineno, first.end_lineno or first.lineno, new))
            elif isinstance(node, ast.ClassDef):
                marks = [mark.lineno for mark in getattr(first, "decorator_list", [])]
                begin = min([first.lineno, *marks])
                changes.append((begin, begin - 1, [*new, ""]))
            else:
                # `...` is the end of the line with the signature.
                line = lines[first.lineno - 1]
                changes.append((first.lineno, first.lineno, [line[: first.col_offset].rstrip(), *new]))
        if isinstance(node, ast.ClassDef):
            for member in definitions(node.body):
                visit(member, getattr(_native, node.name))

    for node in definitions(ast.parse(source).body):
        visit(node, _native)
    for begin, end, new in sorted(changes, reverse=True):
        lines[begin - 1 : end] = new
    return "\n".join(lines) + "\n"


def signature(node: ast.FunctionDef, owner: str | None, lines: list[str]) -> list[str]:
    """A function as it is called."""
    marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
    end = node.returns.end_lineno if node.returns else node.lineno
    text = " ".join(" ".join(lines[node.lineno - 1 : end]).split())
    found = re.match(r"def (\w+)\( ?(.*?),? ?\)( -> .*?)?:( \.\.\.)?$", text)
    if found is None:
        raise ValueError(f"{text}: not the beginning of a function")
    name, arguments, result = found[1], found[2], found[3] or ""
    if "property" in marks:
        return [f"{name}{result.replace(' ->', ':')}"]
    if owner:
        name = f"{owner}.{name}" if "staticmethod" in marks else name
        arguments = re.sub(r"^self(, /)?(, )?", "", arguments)
    line = f"{name}({arguments}){result}"
    if len(line) <= 100:
        return [line]
    parts = re.split(r", (?![^\[]*\])", arguments)
    return [f"{name}(", *(f"    {part}," for part in parts), f"){result}"]


def entry(node: ast.FunctionDef, owner: str | None, lines: list[str]) -> list[str]:
    level = "####" if owner else "###"
    title = f"{owner}.{node.name}" if owner else node.name
    text = ast.get_docstring(node) or ""
    return [f"{level} `{title}`", "", "```text", *signature(node, owner, lines), "```", "", *page_text(text)]


def page_text(text: str) -> list[str]:
    """Paragraphs as Markdown. Indented ones are examples."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\n+(?=\S)", text) if text else []:
        text_part, _, example = paragraph.partition("\n\n    ")
        lines += [*wrapped(text_part, ""), ""]
        if example:
            lines += ["```text", *textwrap.dedent("    " + example).splitlines(), "```", ""]
    return lines


def public(body: list[ast.stmt]) -> Iterator[Definition]:
    return (node for node in definitions(body) if not node.name.startswith("_"))


def fields(node: ast.ClassDef, lines: list[str]) -> list[str]:
    """The annotated members of a class, each with the `#:` comment above it."""
    found = []
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and not member.target.id.startswith("_"):
            comment = lines[member.lineno - 2].strip() if member.lineno >= 2 else ""
            text = f": {comment[3:]}" if comment.startswith("#: ") else ""
            found.append(f"- `{member.target.id}: {ast.unparse(member.annotation)}`{text}")
    return found


def module(path: Path, names: set[str] | None) -> list[str]:
    """The public functions and classes of a file."""
    source = path.read_text(encoding="utf-8")
    lines, page = source.splitlines(), []
    for node in public(ast.parse(source).body):
        if names is not None and node.name not in names:
            continue
        if isinstance(node, ast.FunctionDef):
            page += entry(node, None, lines)
            continue
        bases = ", ".join(f"`{ast.unparse(base)}`" for base in node.bases)
        page += [f"### `{node.name}`", "", *page_text(ast.get_docstring(node) or "")]
        if bases:
            page += [f"Derived from {bases}.", ""]
        members = fields(node, lines)
        page += [*members, ""] if members else []
        for member in public(node.body):
            if isinstance(member, ast.FunctionDef):
                page += entry(member, node.name, lines)
    return page


def reference(project: Path, source: str) -> str:
    """The page of the book."""
    package, names, lines = project / "python/evalgraph", set(evalgraph.__all__), source.splitlines()
    native = [node for node in definitions(ast.parse(source).body) if node.name in names]
    page = [
        "# The Python package: functions and classes",
        "",
        "[You work in Python](guides/python.md) begins with examples. This page is made from the stubs of the package.",
        "",
        "## Functions",
        "",
    ]
    for node in native:
        if isinstance(node, ast.FunctionDef):
            page += entry(node, None, lines)
    page += ["## Classes", ""]
    for node in native:
        if isinstance(node, ast.ClassDef):
            page += [f"### `{node.name}`", "", *page_text(ast.get_docstring(node) or "")]
            for member in public(node.body):
                if isinstance(member, ast.FunctionDef):
                    page += entry(member, node.name, lines)
    for title, file in (("Terms and rows", "_terms.py"), ("Options", "_options.py"), ("Errors", "_errors.py")):
        page += [f"## {title}", "", *module(package / file, names)]
    for file, title in FRONTS.items():
        path = package / file
        if path.exists():
            text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            page += [f"## `{title}`", "", *page_text(text)]
            page += module(path, None)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(page)).strip() + "\n"


def main() -> None:
    project, writes = Path(sys.argv[1]), "--write" in sys.argv[2:]
    stub, page = project / "python/evalgraph/_native.pyi", project / PAGE
    new_stub = stubs(stub.read_text(encoding="utf-8"))
    made = {stub: new_stub, page: reference(project, new_stub)}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if writes:
        for path in stale:
            path.write_text(made[path], encoding="utf-8")
            print(f"written: {path.relative_to(project)}")
    elif stale:
        names = ", ".join(str(path.relative_to(project)) for path in stale)
        sys.exit(f"{names}: not what tests/python/reference.py --write makes of the package")
    else:
        print(f"the stubs and {PAGE} have the documentation of the package")


main()
