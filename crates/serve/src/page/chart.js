// Small charts. Each has a name, and its numbers as text for readers who cannot see it.

import { h, svg, unique } from "./dom.js";
import { brief, number } from "./text.js";

/** A histogram: how often values fall into parts of their range. */
export function histogram(
  values,
  { least = null, most = null, name = "Distribution", width = 520, height = 180, parts = null },
) {
  const from = least ?? smallest(values);
  const to = most ?? largest(values);
  const low = Math.min(from, smallest(values));
  const high = Math.max(to, largest(values));
  const kinds = new Set(values);
  const isWhole = values.every(Number.isInteger) && high - low <= 24;
  const bins = isWhole ? high - low + 1 : (parts ?? Math.min(20, Math.max(5, kinds.size)));
  const counts = new Array(bins).fill(0);
  for (const value of values) {
    const at = isWhole ? value - low : high === low ? 0 : Math.floor(((value - low) / (high - low)) * bins);
    counts[Math.min(bins - 1, at)] += 1;
  }
  const step = isWhole ? 1 : (high - low) / bins;
  const labels = counts.map((_, at) =>
    isWhole ? number(low + at) : `${number(low + at * step)} to ${number(low + (at + 1) * step)}`,
  );
  const ends = isWhole ? [number(low), number(high)] : [number(low), number(high)];
  return columns(
    labels.map((label, at) => ({ label, value: counts[at] })),
    { name, width, height, ends },
  );
}

/** Columns in the order of their labels; `ends` are written below the first and the last. */
export function columns(bars, { name, width = 520, height = 180, ends = null }) {
  const most = Math.max(1, ...bars.map((bar) => bar.value));
  const foot = 18;
  const head = height > 100 ? 18 : 2;
  // A few columns do not fill the whole width.
  const each = Math.min(64, width / bars.length);
  const room = height - foot - head;
  const gap = Math.min(3, each * 0.18);
  const end = each * bars.length;
  const picture = frame(name, width, height, bars);
  bars.forEach((bar, at) => {
    const tall = bar.value === 0 ? 0 : Math.max(1.5, (bar.value / most) * room);
    picture.append(
      svg(
        "rect",
        {
          class: "column",
          x: at * each + gap / 2,
          y: height - foot - tall,
          width: Math.max(1, each - gap),
          height: tall,
          rx: Math.min(2, each / 6),
        },
        svg("title", {}, `${bar.label}: ${number(bar.value)}`),
      ),
    );
    if (head > 10 && each >= 30 && bar.value > 0) {
      picture.append(
        svg(
          "text",
          { x: at * each + each / 2, y: height - foot - tall - 5, "text-anchor": "middle", class: "value" },
          number(bar.value),
        ),
      );
    }
    if (ends === null && each >= 26) {
      picture.append(
        svg(
          "text",
          { x: at * each + each / 2, y: height - 4, "text-anchor": "middle" },
          brief(bar.label, Math.floor(each / 7)),
        ),
      );
    }
  });
  picture.append(svg("line", { class: "axis", x1: 0, x2: end, y1: height - foot + 0.5, y2: height - foot + 0.5 }));
  const [first, last] = ends ?? (each < 26 ? [bars[0].label, bars.at(-1).label] : []);
  if (first !== undefined) {
    picture.append(
      svg("text", { x: 0, y: height - 4 }, brief(first, 24)),
      svg("text", { x: end, y: height - 4, "text-anchor": "end" }, brief(last, 24)),
    );
  }
  return picture;
}

/** Horizontal bars with labels: for names, which need room. */
export function bars(list, { name, most = null, unit = "" }) {
  const top = most ?? Math.max(0, ...list.map((bar) => bar.value));
  const below = Math.min(0, ...list.map((bar) => bar.value));
  const span = top - below || 1;
  return h(
    "ol.bars",
    { "aria-label": name },
    list.map((bar) => {
      const start = ((Math.min(bar.value, 0) - below) / span) * 100;
      const picture = svg(
        "svg",
        { viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true", class: "bar-picture" },
        svg("rect", { class: "rail", x: 0, y: 0, width: 100, height: 1 }),
        svg("rect", {
          class: "column",
          x: start,
          y: 0,
          width: Math.max(bar.value === 0 ? 0 : 0.4, (Math.abs(bar.value) / span) * 100),
          height: 1,
        }),
      );
      return h(
        "li",
        {},
        h("span.label", { dir: "auto", title: bar.label }, brief(bar.label, 80) || "–"),
        picture,
        h("span.value", {}, `${number(bar.value)}${unit}`),
      );
    }),
  );
}

function frame(name, width, height, list) {
  const id = unique("chart");
  const told =
    list.length <= 30
      ? list
          .filter((bar) => bar.value > 0)
          .map((bar) => `${bar.label}: ${number(bar.value)}`)
          .join("; ")
      : `${list.length} columns`;
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-labelledby": id },
    svg("title", { id }, `${name}. ${told}`),
  );
}

function smallest(values) {
  return values.reduce((one, other) => Math.min(one, other), Infinity);
}

function largest(values) {
  return values.reduce((one, other) => Math.max(one, other), -Infinity);
}
