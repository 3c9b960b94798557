// Statements as a picture: nodes push each other apart, and lines pull them together. The places are computed before
// drawing, so nothing moves while the reader looks.

import { button, h, svg } from "./dom.js";
import { go, to } from "./route.js";
import { brief, counted } from "./text.js";
import { plain } from "./terms.js";

const MOST = 200;
const ROUNDS = 160;

/** A picture of statements around `centre`, an IRI or nothing. */
export function graph(statements, centre, shorten) {
  const { nodes, edges, left } = gather(statements, centre);
  if (nodes.length === 0) return h("p.hint", {}, "There is nothing to draw.");
  place(nodes, edges);
  const bounds = around(nodes);
  let view = { ...bounds };
  const few = edges.length <= 44;
  const lines = edges.map((edge) => line(edge, few, shorten));
  const picture = svg(
    "svg",
    {
      class: "graph",
      viewBox: box(view),
      role: "group",
      "aria-label": `Picture of ${counted(nodes.length, "node")} and ${counted(edges.length, "line")}`,
    },
    svg("g", { class: "edges" }, lines),
    svg(
      "g",
      {},
      nodes.map((node) => dot(node, shorten)),
    ),
  );
  const zoom = (factor, x = view.x + view.width / 2, y = view.y + view.height / 2) => {
    const width = Math.min(bounds.width * 3, Math.max(80, view.width * factor));
    const real = width / view.width;
    view = { x: x - (x - view.x) * real, y: y - (y - view.y) * real, width, height: view.height * real };
    picture.setAttribute("viewBox", box(view));
  };
  drag(
    picture,
    () => view,
    (next) => {
      view = next;
      picture.setAttribute("viewBox", box(view));
    },
  );
  picture.addEventListener(
    "wheel",
    (event) => {
      // Without a key, the wheel scrolls the page, as everywhere.
      if (!event.ctrlKey) return;
      event.preventDefault();
      const at = picture.getBoundingClientRect();
      zoom(
        event.deltaY > 0 ? 1.15 : 0.87,
        view.x + ((event.clientX - at.left) / at.width) * view.width,
        view.y + ((event.clientY - at.top) / at.height) * view.height,
      );
    },
    { passive: false },
  );
  return h(
    "div.graph-box",
    {},
    h(
      "div.graph-tools",
      {},
      button("+", () => zoom(0.75), { "aria-label": "Nearer" }),
      button("−", () => zoom(1.33), { "aria-label": "Farther" }),
      button(
        "All",
        () => {
          view = { ...bounds };
          picture.setAttribute("viewBox", box(view));
        },
        { "aria-label": "Show all of it" },
      ),
    ),
    picture,
    h(
      "p.hint",
      {},
      left > 0
        ? `The first ${MOST} nodes are drawn; ${counted(left, "statement")} beyond them ${left === 1 ? "is" : "are"} in the table. `
        : "",
      "Press a node with an address to draw its neighbours. The table has the same as text.",
    ),
  );
}

function gather(statements, centre) {
  const nodes = new Map();
  const edges = [];
  let left = 0;
  const node = (term, owner) => {
    // Equal literals of two subjects are two nodes, because lines across the whole picture are of no use.
    const key =
      term.kind === "literal"
        ? `${owner}\u0000${term.text}\u0000${term.language ?? term.datatype ?? ""}`
        : `${term.kind} ${term.text}`;
    if (!nodes.has(key)) {
      if (nodes.size >= MOST) return null;
      nodes.set(key, { term, isCentre: term.kind === "iri" && term.text === centre, links: 0, x: 0, y: 0 });
    }
    return nodes.get(key);
  };
  // Statements about the centre come first, so that they are drawn when others have to be left out.
  const near = (one) => Number(one.subject.text === centre || one.object.text === centre);
  for (const { subject, predicate, object } of [...statements].sort((one, other) => near(other) - near(one))) {
    const from = node(subject, "");
    const end = from === null ? null : node(object, subject.text);
    if (from === null || end === null) {
      left += 1;
      continue;
    }
    const known = edges.find((edge) => edge.from === from && edge.to === end);
    if (known) known.names.push(predicate.text);
    else {
      edges.push({ from, to: end, names: [predicate.text] });
      from.links += 1;
      end.links += 1;
    }
  }
  return { nodes: [...nodes.values()], edges, left };
}

/** First places: rings around the centre, in which each node gets the part of the circle that its children need. */
function rings(nodes, edges, ideal) {
  const near = new Map(nodes.map((node) => [node, []]));
  for (const { from, to: end } of edges) {
    near.get(from).push(end);
    near.get(end).push(from);
  }
  const seen = new Set();
  const most = [...nodes].sort((one, other) => other.isCentre - one.isCentre || other.links - one.links);
  let left = 0;
  for (const root of most) {
    if (seen.has(root)) continue;
    seen.add(root);
    // Breadth first: the parent of each node is the one nearest to the root.
    const order = [{ node: root, depth: 0, below: [] }];
    for (let at = 0; at < order.length; at += 1) {
      for (const node of near.get(order[at].node)) {
        if (seen.has(node)) continue;
        seen.add(node);
        const one = { node, depth: order[at].depth + 1, below: [] };
        order[at].below.push(one);
        order.push(one);
      }
    }
    for (const one of [...order].reverse())
      one.need = Math.max(
        1,
        one.below.reduce((sum, other) => sum + other.need, 0),
      );
    const wide = Math.max(...order.map((one) => one.depth)) * ideal;
    const middle = left === 0 ? 0 : left + wide;
    order[0].from = 0;
    order[0].part = 2 * Math.PI;
    for (const one of order) {
      const angle = one.from + one.part / 2;
      one.node.x = middle + one.depth * ideal * Math.cos(angle);
      one.node.y = one.depth * ideal * Math.sin(angle) * 0.8;
      let from = one.from;
      for (const other of one.below) {
        other.from = from;
        other.part = (one.part * other.need) / one.need;
        from += other.part;
      }
    }
    left = middle + wide + ideal * 1.5;
  }
}

/** Finds places: each step is shorter than the one before, and the same statements give the same picture. */
function place(nodes, edges) {
  const ideal = 108;
  rings(nodes, edges, ideal);
  for (let round = 0; round < ROUNDS; round += 1) {
    const heat = ideal * 0.2 * (1 - round / ROUNDS) + 0.5;
    for (const node of nodes) {
      node.dx = -node.x * 0.006;
      node.dy = -node.y * 0.012;
    }
    for (let one = 0; one < nodes.length; one += 1) {
      for (let other = one + 1; other < nodes.length; other += 1) push(nodes[one], nodes[other], ideal);
    }
    for (const { from, to: end } of edges) {
      const dx = end.x - from.x;
      const dy = end.y - from.y;
      const distance = Math.hypot(dx, dy) || 1;
      const pull = ((distance - ideal) / distance) * 0.24;
      from.dx += dx * pull;
      from.dy += dy * pull;
      end.dx -= dx * pull;
      end.dy -= dy * pull;
    }
    for (const node of nodes) {
      if (node.isCentre) continue;
      const length = Math.hypot(node.dx, node.dy) || 1;
      const step = Math.min(length, heat) / length;
      node.x += node.dx * step;
      node.y += node.dy * step;
    }
  }
}

function push(one, other, ideal) {
  let dx = one.x - other.x;
  // Names are wide but not tall, so nodes side by side need more room.
  let dy = (one.y - other.y) * 1.7;
  const square = dx * dx + dy * dy || 0.01;
  if (square > ideal * ideal * 30) return;
  const force = Math.min(30, (ideal * ideal * 0.9) / square);
  const distance = Math.sqrt(square);
  dx = (dx / distance) * force;
  dy = (dy / distance / 1.7) * force;
  one.dx += dx;
  one.dy += dy;
  other.dx -= dx;
  other.dy -= dy;
}

function around(nodes) {
  const wide = 110;
  const xs = nodes.map((node) => node.x);
  const ys = nodes.map((node) => node.y);
  const x = Math.min(...xs) - wide;
  const y = Math.min(...ys) - 40;
  return { x, y, width: Math.max(360, Math.max(...xs) - x + wide), height: Math.max(220, Math.max(...ys) - y + 40) };
}

function box({ x, y, width, height }) {
  return [x, y, width, height].map((value) => Math.round(value)).join(" ");
}

function name(iri, shorten) {
  const short = shorten(iri);
  if (short !== null) return short;
  const rest = iri.slice(Math.max(iri.lastIndexOf("/"), iri.lastIndexOf("#"), iri.lastIndexOf(":")) + 1);
  return rest === "" ? iri : rest;
}

function line({ from, to: end, names }, few, shorten) {
  const text = names.map((one) => name(one, shorten)).join(", ");
  const length = Math.hypot(end.x - from.x, end.y - from.y) || 1;
  const away = 9;
  const x2 = end.x - ((end.x - from.x) / length) * away;
  const y2 = end.y - ((end.y - from.y) / length) * away;
  const angle = (Math.atan2(end.y - from.y, end.x - from.x) * 180) / Math.PI;
  const turned = Math.abs(angle) > 90 ? angle + 180 : angle;
  return svg(
    "g",
    { class: "edge" },
    svg("line", { x1: from.x, y1: from.y, x2, y2 }, svg("title", {}, text)),
    svg("path", { d: "M0 0L-6 -2.6L-6 2.6Z", transform: `translate(${x2} ${y2}) rotate(${angle})` }),
    few &&
      svg(
        "text",
        {
          "text-anchor": "middle",
          transform: `translate(${(from.x + end.x) / 2} ${(from.y + end.y) / 2 - 3}) rotate(${turned} 0 3)`,
        },
        brief(text, 24),
      ),
  );
}

function dot(node, shorten) {
  const { term } = node;
  const isAddress = term.kind === "iri";
  const text = isAddress ? name(term.text, shorten) : term.kind === "blank" ? "" : plain(term);
  const parts = [
    term.kind === "literal"
      ? svg("rect", { x: -4, y: -4, width: 8, height: 8, rx: 1.5 })
      : svg("circle", { r: node.isCentre ? 9 : term.kind === "blank" ? 4.5 : 6.5 }),
    svg("title", {}, plain(term).slice(0, 600)),
    text !== "" && svg("text", { "text-anchor": "middle", y: node.isCentre ? 23 : 18 }, brief(text, 26)),
  ];
  const place = `translate(${Math.round(node.x)} ${Math.round(node.y)})`;
  const kind = `node ${term.kind}${node.isCentre ? " centre" : ""}`;
  if (!isAddress || node.isCentre) return svg("g", { class: kind, transform: place }, parts);
  const address = to("sparql", { node: term.text });
  return svg(
    "a",
    {
      class: kind,
      transform: place,
      href: address,
      "aria-label": `Neighbours of ${brief(text, 60)}`,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go(address);
      },
    },
    parts,
  );
}

function drag(picture, get, set) {
  let start = null;
  picture.addEventListener("pointerdown", (event) => {
    if (event.target.closest("a") || event.pointerType === "touch") return;
    start = { x: event.clientX, y: event.clientY, view: get() };
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (start === null) return;
    const scale = start.view.width / picture.getBoundingClientRect().width;
    set({
      ...start.view,
      x: start.view.x - (event.clientX - start.x) * scale,
      y: start.view.y - (event.clientY - start.y) * scale,
    });
  });
  picture.addEventListener("pointerup", () => {
    start = null;
  });
}
