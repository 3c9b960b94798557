// A text area with colours: a layer beneath has the same text in spans, and the text of the area itself is invisible.
// So everything that browsers do for text areas (undo, selection, reading aloud, leaving with Tab) still works.

import { debounced, fill, h, unique } from "./dom.js";
import { CLASSES, tokens } from "./tokens.js";

/** A longer text has no colours. */
const MOST = 60_000;

/**
 * An editor. `changed(text)` is called after changes, `run()` on Ctrl-Enter; `propose(text, caret, isAsked)` returns
 * proposals.
 */
export class Editor {
  constructor({ label, describedBy, changed, run, propose }) {
    this.changed = changed;
    this.run = run;
    this.propose = propose;
    this.faults = [];
    this.offer = null;
    this.chosen = 0;
    this.listId = unique("proposals");
    this.area = h("textarea", {
      "aria-label": label,
      "aria-describedby": describedBy,
      "aria-autocomplete": "list",
      "aria-controls": this.listId,
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      rows: "1",
    });
    this.layer = h("pre.layer", { "aria-hidden": "true" });
    this.gutter = h("pre.gutter", { "aria-hidden": "true" });
    this.list = h("ul.proposals", { id: this.listId, role: "listbox", "aria-label": "Proposals", hidden: true });
    this.element = h(
      "div.editor",
      {},
      h("div.editor-scroll", {}, this.gutter, h("div.editor-text", {}, this.layer, this.area)),
      this.list,
    );
    this.area.addEventListener("input", (event) => this.input(event));
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("blur", () =>
      setTimeout(() => document.activeElement !== this.area && this.shut(), 150),
    );
    this.area.addEventListener("click", () => {
      this.shut();
      // For a query that is only run, a few lines are enough.
      this.element.classList.remove("compact");
    });
    this.element.querySelector(".editor-scroll").addEventListener("scroll", () => this.shut(), { passive: true });
    this.wasAsked = false;
    this.later = debounced(30, () => this.complete(false));
    this.draw();
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.faults = [];
    this.shut();
    this.draw();
  }

  /** Marks faults: `line` and `column` count characters from one, as messages do. */
  mark(faults) {
    this.faults = faults.map((fault) => ({ ...this.range(fault), severity: fault.severity ?? "error" }));
    this.draw();
  }

  /** The part of the text that a fault is about. */
  range({ line, column, length = 0 }) {
    if (!line) return { from: 0, to: 0 };
    let from = 0;
    for (let at = 1; at < line; at += 1) {
      const end = this.text.indexOf("\n", from);
      if (end < 0) break;
      from = end + 1;
    }
    from = forward(this.text, from, Math.max(0, (column ?? 1) - 1));
    return { from, to: forward(this.text, from, length) };
  }

  /** Selects a part of the text and goes there. */
  select({ from, to }) {
    this.area.focus();
    this.area.setSelectionRange(from, Math.max(from, to));
    this.rectangle(from)?.node.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }

  /** Replaces a part of the text, so that it can be undone. */
  write(from, to, text) {
    this.area.focus();
    this.area.setSelectionRange(from, to);
    // Only this keeps the undo history. If it is missing, the text is replaced without it.
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, from, to, "end");
      this.area.dispatchEvent(new Event("input"));
    }
  }

  draw() {
    const { text } = this;
    const isPlain = text.length > MOST;
    this.element.classList.toggle("plain", isPlain);
    const lines = text.split("\n").length;
    if (this.lines !== lines) this.gutter.textContent = Array.from({ length: lines }, (_, at) => at + 1).join("\n");
    this.lines = lines;
    // The last line needs a height even if it is empty.
    fill(this.layer, isPlain ? text : this.spans(text), "\n");
  }

  spans(text) {
    const cuts = this.faults
      .map(({ from, to, severity }) => ({ from, to: Math.max(to, from + 1), severity }))
      .sort((one, other) => one.from - other.from);
    const parts = [];
    const put = (from, to, name) => {
      // A token that a fault begins or ends in is drawn in pieces.
      let at = from;
      while (at < to) {
        const fault = cuts.find((one) => one.from <= at && at < one.to);
        const next = cuts.find((one) => one.from > at && one.from < to);
        const end = Math.min(to, fault ? fault.to : to, next ? next.from : to);
        const names = [name, fault && `fault ${fault.severity}`].filter(Boolean).join(" ");
        parts.push(names === "" ? text.slice(at, end) : h("span", { class: names }, text.slice(at, end)));
        at = end;
      }
    };
    let done = 0;
    for (const token of tokens(text)) {
      put(done, token.from, null);
      put(token.from, token.to, CLASSES[token.kind]);
      done = token.to;
    }
    put(done, text.length, null);
    // A missing part at the end is marked after the last character.
    const last = cuts.find((one) => one.from >= text.length);
    if (last) parts.push(h("span", { class: `fault ${last.severity}` }, "\u00a0\u00a0"));
    return parts;
  }

  input(event) {
    this.wasAsked = false;
    // The places of faults refer to the previous text.
    this.faults = [];
    this.element.classList.remove("compact");
    this.draw();
    this.changed(this.text);
    if (event.inputType === "insertText" || event.inputType === "deleteContentBackward") this.later();
    else this.shut();
  }

  key(event) {
    if (event.isComposing) return;
    const isOpen = this.offer !== null;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.shut();
      this.run();
    } else if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.complete(true);
    } else if (isOpen && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      const count = this.offer.items.length;
      this.choose((this.chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count);
    } else if (isOpen && event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.shut();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (isOpen) this.take(this.offer.items[this.chosen]);
      else this.newLine();
    } else if (event.key === "/" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.comment();
    } else if (event.key === "Tab") this.shut();
    else if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(event.key)) this.shut();
    else if (event.key === "}" && !event.ctrlKey) this.closeBrace(event);
  }

  /** A new line has the indentation of the current one, and more after an opening brace. */
  newLine() {
    const { selectionStart: from, selectionEnd: to } = this.area;
    const begin = this.text.lastIndexOf("\n", from - 1) + 1;
    const line = this.text.slice(begin, from);
    const indent = /^[ \t]*/.exec(line)[0];
    const isOpen = /[{([]\s*$/.test(line);
    this.write(from, to, `\n${indent}${isOpen ? "  " : ""}`);
    if (isOpen && this.text[this.area.selectionStart] === "}") {
      const at = this.area.selectionStart;
      this.write(at, at, `\n${indent}`);
      this.area.setSelectionRange(at, at);
    }
  }

  /** Turns the selected lines into comments, or back. */
  comment() {
    const { selectionStart, selectionEnd } = this.area;
    const from = this.text.lastIndexOf("\n", selectionStart - 1) + 1;
    const next = this.text.indexOf("\n", Math.max(from, selectionEnd - (selectionEnd > selectionStart ? 1 : 0)));
    const to = next < 0 ? this.text.length : next;
    const lines = this.text.slice(from, to).split("\n");
    const isComment = lines.every((line) => /^\s*(#|$)/.test(line));
    const text = lines.map((line) => (isComment ? line.replace(/^(\s*)# ?/, "$1") : `# ${line}`)).join("\n");
    this.write(from, to, text);
    this.area.setSelectionRange(from, from + text.length);
  }

  closeBrace(event) {
    const { selectionStart: from, selectionEnd: to } = this.area;
    const begin = this.text.lastIndexOf("\n", from - 1) + 1;
    const line = this.text.slice(begin, from);
    if (from !== to || !/^ {2,}$/.test(line)) return;
    event.preventDefault();
    this.write(from - 2, from, "}");
  }

  /** There are more proposals than before: a list that waits for them is drawn again. */
  known() {
    if (this.offer !== null || this.wasAsked) this.complete(this.wasAsked);
  }

  complete(isAsked) {
    this.wasAsked = isAsked;
    const { selectionStart: caret, selectionEnd: end } = this.area;
    if (document.activeElement !== this.area || caret !== end) return this.shut();
    const offer = this.propose(this.text, caret, isAsked);
    const typed = offer ? this.text.slice(offer.from, caret) : "";
    // While the reader types, a complete word gets no list, so Enter begins a new line.
    const isWhole =
      offer &&
      !isAsked &&
      (offer.items.length === 0 || offer.items.some((item) => item.text.toLowerCase() === typed.toLowerCase()));
    if (!offer || offer.items.length === 0 || isWhole) {
      this.shut();
      // The server may still send proposals.
      this.wasAsked = isAsked;
      return;
    }
    this.offer = offer;
    fill(
      this.list,
      offer.items.map((item, at) =>
        h(
          "li",
          {
            role: "option",
            id: `${this.listId}-${at}`,
            class: item.isElse ? "else" : "",
            onmousedown: (event) => {
              event.preventDefault();
              this.take(item);
            },
          },
          h("span.kind", { class: `k-${item.kind}`, "aria-hidden": "true" }, KINDS[item.kind] ?? ""),
          h("span.proposal", {}, item.label ?? item.text),
          item.isElse
            ? h("small", {}, "not in these data with this class")
            : item.detail && h("small", { dir: "auto" }, item.detail),
        ),
      ),
    );
    this.list.hidden = false;
    this.position(offer.from);
    this.choose(0);
  }

  position(from) {
    const at = this.rectangle(from);
    if (at === null) return;
    const box = this.element.getBoundingClientRect();
    const left = Math.max(0, Math.min(at.left - box.left - 8, box.width - this.list.offsetWidth));
    this.list.style.left = `${left}px`;
    // Below the line, or above it if there is no room.
    const isBelow = at.bottom + this.list.offsetHeight < innerHeight || at.top < this.list.offsetHeight;
    this.list.style.top = isBelow
      ? `${at.bottom - box.top + 4}px`
      : `${at.top - box.top - this.list.offsetHeight - 4}px`;
  }

  /** The position of a character on the screen, measured in the layer beneath. */
  rectangle(offset) {
    const walker = document.createTreeWalker(this.layer, NodeFilter.SHOW_TEXT);
    let before = 0;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (before + node.data.length >= offset) {
        const range = document.createRange();
        range.setStart(node, offset - before);
        range.collapse(true);
        const box = range.getClientRects()[0] ?? node.parentElement.getBoundingClientRect();
        return { left: box.left, top: box.top, bottom: box.bottom, node: node.parentElement };
      }
      before += node.data.length;
    }
    return null;
  }

  choose(index) {
    this.chosen = index;
    [...this.list.children].forEach((item, at) => {
      item.setAttribute("aria-selected", String(at === index));
      if (at === index) item.scrollIntoView({ block: "nearest" });
    });
    this.area.setAttribute("aria-activedescendant", `${this.listId}-${index}`);
  }

  take(item) {
    const { from, to } = this.offer;
    this.shut();
    this.write(from, to, item.text);
    this.later.cancel();
  }

  shut() {
    this.later?.cancel();
    this.wasAsked = false;
    if (this.offer === null) return;
    this.offer = null;
    this.list.hidden = true;
    this.list.replaceChildren();
    this.area.removeAttribute("aria-activedescendant");
  }
}

const KINDS = { class: "C", property: "p", variable: "?", function: "f", word: "·", prefix: ":", value: "“" };

/** The offset after some characters, each of one or two code units; it stays in its line. */
function forward(text, from, count) {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left -= 1) {
    if (text[at] === "\n") break;
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return at;
}
