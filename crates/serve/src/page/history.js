// The queries that were run, kept in the browser.

const KEY = "evalgraph.history";
const MOST = 40;
const LONGEST = 20_000;

/** The queries that were run, the last one first. */
export function remembered() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list)
      ? list.filter((one) => typeof one?.text === "string" && typeof one.hash === "string" && one.hash.startsWith("#/"))
      : [];
  } catch {
    return [];
  }
}

/** Keeps a query; one that was run before moves to the front. */
export function remember(entry) {
  if (entry.text.length > LONGEST || entry.text.trim() === "") return;
  const list = [entry, ...remembered().filter((one) => one.hash !== entry.hash)].slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // The storage may be full or forbidden; the page works without it.
  }
}

/** Forgets all of them. */
export function forgetAll() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Then there is nothing to forget.
  }
}
