
"use strict";
(() => {
  const at = (id) => document.getElementById(id);
  const inputs = [at("severity"), at("rule"), at("file"), at("text")];
  const [severity, rule, file, text] = inputs;
  const files = [...document.querySelectorAll(".file")].map((section) => ({
    section,
    rules: [...section.querySelectorAll(".rule")].map((group) => ({
      group,
      items: [...group.querySelectorAll("li")].map((item) => ({ item, text: item.textContent.toLowerCase() })),
    })),
  }));
  const filter = () => {
    const wanted = text.value.trim().toLowerCase();
    const isFiltered = inputs.some((input) => input.value !== "");
    let shown = 0;
    let all = 0;
    for (const { section, rules } of files) {
      const isFile = file.value === "" || file.value === section.dataset.file;
      let ofFile = 0;
      for (const { group, items } of rules) {
        const isRule =
          isFile &&
          (rule.value === "" || rule.value === group.dataset.rule) &&
          (severity.value === "" || severity.value === group.dataset.severity);
        let ofRule = 0;
        for (const { item, text } of items) {
          const isShown = isRule && (wanted === "" || text.includes(wanted));
          item.hidden = !isShown;
          ofRule += isShown ? 1 : 0;
        }
        group.hidden = ofRule === 0;
        ofFile += ofRule;
        all += items.length;
      }
      section.hidden = isFiltered && ofFile === 0;
      shown += ofFile;
    }
    at("shown").value = `${shown} of ${all} results shown`;
  };
  for (const input of inputs) {
    input.addEventListener("input", filter);
  }
  at("filter").hidden = false;
  filter();
})();
