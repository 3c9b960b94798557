"""Seeded changes to a JSON document, one at a time: the shapes that files have when a hand or a program went wrong.

A mutation is (operation, JSON Pointer, value); `applied` makes the changed document, so that a row of a table can
be made again without the seed.
"""

import copy
import json

# Values of every type, and those at which readers in Python and JavaScript differ.
VALUES = [
    None, True, False, 0, 1, -1, 2, 0.5, 1.0, 2.5, 100, 12345678901234567890, 1e300,
    "", " ", "x", "0", "1", "2.0", "0.5", " 3 ", "1_0", "nan", "true", "False", "yes", "off", "null", "(", "[a", "a.b", "*", "é",
    "boolean", "score", "literal", "abcd", "abc", "YWJj", "[]", "{}", "[\"precision\"]", "{\"a\": \"b\", \"c\": \"d\"}",
    [], {}, [[]], [None], [""], ["x"], [1], [{}], {"": ""}, {"a": 1}, {"a": "b"}, {"a": "b", "c": "d"}, {"a": "b", "A": "d"}, {"@type": None},
]


def escaped(key):
    return str(key).replace("~", "~0").replace("/", "~1")


def walk(value, pointer="", key=None):
    """Each value below the root, with its pointer and the key or property name that says what it is."""
    if isinstance(value, dict):
        members = value.items()
    elif isinstance(value, list):
        members = enumerate(value)
    else:
        return
    for name, child in members:
        if name == "@context" and pointer == "":
            continue
        place = f"{pointer}/{escaped(name)}"
        kind = name if isinstance(name, str) else key
        if name == "value" and isinstance(value, dict) and isinstance(value.get("name"), str):
            kind = "value of " + value["name"]
        yield place, kind, child
        yield from walk(child, place, kind)


def parent_of(document, pointer):
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    for part in parts[:-1]:
        document = document[int(part)] if isinstance(document, list) else document[part]
    last = parts[-1]
    return document, int(last) if isinstance(document, list) and last != "-" else last


def applied(document, mutation):
    """The document with the change; the original stays as it is."""
    operation, pointer, value = mutation
    document = copy.deepcopy(document)
    if pointer == "":
        return copy.deepcopy(value)
    parent, key = parent_of(document, pointer)
    if operation == "remove":
        del parent[key]
    elif operation == "rename":
        changed = {(value if name == key else name): child for name, child in parent.items()}
        parent.clear()
        parent.update(changed)
    elif operation == "add":
        parent.insert(len(parent) if key == "-" else key, copy.deepcopy(value))
    else:
        parent[key] = copy.deepcopy(value)
    return document


class Mutator:
    """Draws mutations of documents. Each kind of place is drawn as often as any other, however many there are."""

    def __init__(self, random, documents, names):
        self.random = random
        self.documents = documents
        self.names = names
        self.places = {}
        self.values = {}
        for name, document in documents.items():
            for pointer, kind, value in walk(document):
                self.places.setdefault(kind, []).append((name, pointer, value))
                known = self.values.setdefault(kind, {})
                known[json.dumps(value, sort_keys=True)] = value
        self.kinds = sorted(self.places, key=str)

    def draw(self):
        """The name of a document and a mutation of it."""
        random = self.random
        while True:
            name, pointer, value = random.choice(self.places[random.choice(self.kinds)])
            parent, key = parent_of(self.documents[name], pointer)
            kind = random.choice(["set"] * 8 + ["remove"] * 2 + ["wrap", "nest", "transplant", "transplant", "twice", "rename", "property"])
            if kind == "remove":
                return name, ("remove", pointer, None)
            if kind == "set":
                return name, ("set", pointer, random.choice(VALUES))
            if kind == "wrap":
                return name, ("set", pointer, random.choice([[value], [[value]], {"a": value}]))
            if kind == "nest" and isinstance(value, list):
                return name, ("add", f"{pointer}/-", random.choice([[], [[]], None, "x", {}, 1, value]))
            if kind == "transplant":
                other = random.choice(self.kinds)
                return name, ("set", pointer, random.choice(list(self.values[other].values())))
            if kind == "twice" and isinstance(parent, list):
                return name, ("add", pointer.rsplit("/", 1)[0] + "/-", value)
            if kind == "rename" and isinstance(parent, dict) and key not in ("@context", "@type", "@id"):
                return name, ("rename", pointer, random.choice(["x", key + "s", key.upper() + "_"]))
            if kind == "property" and isinstance(value, dict) and isinstance(value.get("additionalProperty"), list):
                added = {"@type": "PropertyValue", "name": random.choice(self.names)}
                if random.random() < 0.8:
                    drawn = self.values.get("value of " + added["name"], {})
                    added["value"] = random.choice(VALUES + list(drawn.values()) * 3)
                return name, ("add", f"{pointer}/additionalProperty/-", added)
