// Runs before anything is painted, so that a page in chosen colours never flashes in the others.
// The choice is an attribute of the root; without it the system's wish counts.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("evalgraph.theme");
  } catch {
    // Storage may be closed to the page; the system's wish counts then.
  }
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
})();
