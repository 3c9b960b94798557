// Runs before anything is painted, so that the page never flashes in the wrong colours. The choice is an attribute of
// the root element; without it, the system's setting counts.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem("evalgraph.theme");
  } catch {
    // The page may not be allowed to use storage; then the system's setting counts.
  }
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
})();
