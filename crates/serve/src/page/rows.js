// A list of any length, with elements only for the rows in sight. All rows have the same height, so the place of each
// is known without the others. Browsers draw elements of up to about 33 million pixels.

const TALLEST = 30_000_000;
const AROUND = 8;

/** Rows inside an element. `draw(index)` makes one; `wanted(first, last)` is called with the rows in sight. */
export class Rows {
  /** `scroller` is the element that scrolls; without one it is the window. */
  constructor(host, { draw, wanted = () => {}, scroller = null }) {
    this.host = host;
    this.draw = draw;
    this.wanted = wanted;
    this.scroller = scroller;
    this.count = 0;
    this.height = 0;
    this.drawn = new Map();
    this.follow = () => this.look();
    this.resize = () => this.measure();
    (scroller ?? window).addEventListener("scroll", this.follow, { passive: true });
    addEventListener("resize", this.resize);
  }

  /** Ends the list and removes its listeners. */
  close() {
    (this.scroller ?? window).removeEventListener("scroll", this.follow);
    removeEventListener("resize", this.resize);
  }

  /** The number of rows that can be shown. */
  get shown() {
    return Math.min(this.count, Math.floor(TALLEST / Math.max(this.height, 1)));
  }

  /** Reads the height of rows from the style, and places all rows again. */
  measure() {
    const height = parseFloat(getComputedStyle(this.host).getPropertyValue("--row")) || 40;
    if (height === this.height) return this.look();
    const first = this.height > 0 ? this.first() : 0;
    this.height = height;
    this.host.style.height = `${this.shown * height}px`;
    this.redraw();
    // The first row in sight stays first.
    if (first > 0) this.scrollTo(first);
  }

  /** Sets the number of rows, and draws those in sight again. */
  set(count) {
    this.count = count;
    if (this.height === 0) return this.measure();
    this.host.style.height = `${this.shown * this.height}px`;
    this.redraw();
  }

  /** Draws the rows in sight again, all of them or those in a range. */
  redraw(from = 0, to = Infinity) {
    const focused = this.focused();
    for (const [index, element] of this.drawn) {
      if (index < from || index >= to) continue;
      element.remove();
      this.drawn.delete(index);
    }
    this.look();
    if (focused !== null && !this.host.contains(document.activeElement))
      this.focusable(focused)?.focus({ preventScroll: true });
  }

  /** The first row in sight. */
  first() {
    return Math.max(0, Math.floor(this.offset() / this.height));
  }

  /** How far the list has been scrolled. */
  offset() {
    return this.scroller === null ? -this.host.getBoundingClientRect().top : this.scroller.scrollTop;
  }

  /** How much of the list can be seen. */
  view() {
    return this.scroller === null ? innerHeight : this.scroller.clientHeight;
  }

  look() {
    if (this.height === 0) return;
    const first = Math.max(0, this.first() - AROUND);
    const last = Math.min(this.shown, Math.ceil((this.offset() + this.view()) / this.height) + AROUND);
    const focused = this.focused();
    for (const [index, element] of this.drawn) {
      // A focused row stays, because otherwise the next key would have no effect.
      if ((index < first || index >= last) && index !== focused) {
        element.remove();
        this.drawn.delete(index);
      }
    }
    const made = document.createDocumentFragment();
    for (let index = first; index < last; index += 1) {
      if (this.drawn.has(index)) continue;
      const element = this.draw(index);
      element.style.transform = `translateY(${index * this.height}px)`;
      element.dataset.index = index;
      this.drawn.set(index, element);
      made.append(element);
    }
    if (made.childNodes.length > 0) this.host.append(made);
    this.wanted(Math.max(first, 0), last);
  }

  /** The row with the focus. */
  focused() {
    const row = document.activeElement?.closest?.("[data-index]");
    return row && this.host.contains(row) ? Number(row.dataset.index) : null;
  }

  focusable(index) {
    const row = this.drawn.get(index);
    return row?.querySelector("a, button") ?? row;
  }

  /** Scrolls a row to the top. */
  scrollTo(index, behind = 0) {
    const top = index * this.height - behind;
    if (this.scroller !== null) this.scroller.scrollTop = top;
    else scrollTo(0, top + this.host.getBoundingClientRect().top + scrollY);
  }

  /** Focuses a row and brings it into sight; `behind` is the height that the bar at the top hides. */
  focus(index, behind = 0) {
    const to = Math.max(0, Math.min(this.shown - 1, index));
    this.reveal(to, behind);
    this.focusable(to)?.focus({ preventScroll: true });
  }

  /** Brings a row into sight. */
  reveal(index, behind = 0) {
    const top = index * this.height;
    if (top < this.offset() + (this.scroller === null ? behind : 0))
      this.scrollTo(index, this.scroller === null ? behind : 0);
    else if (top + this.height > this.offset() + this.view() - (this.scroller === null ? 0 : behind))
      this.scrollTo(index, this.view() - this.height - (this.scroller === null ? 0 : behind));
    this.look();
  }

  /** Moves the focus if a key asks for that; returns whether it did. */
  key(event, behind = 0) {
    const at = this.focused();
    if (at === null || event.ctrlKey || event.metaKey || event.altKey) return false;
    const page = Math.max(1, Math.floor((this.view() - behind) / this.height) - 1);
    const steps = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: this.shown - 1,
    };
    if (!Object.hasOwn(steps, event.key)) return false;
    event.preventDefault();
    this.focus(steps[event.key], behind);
    return true;
  }
}
