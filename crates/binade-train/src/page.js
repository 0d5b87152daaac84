// The numbers under the pointer, of all curves at the nearest epoch.
for (const figure of document.querySelectorAll("figure")) {
  const data = figure.querySelector("script");
  if (!data) continue;
  const facts = JSON.parse(data.textContent);
  const svg = figure.querySelector("svg"), rule = svg.querySelector(".rule"), tip = figure.querySelector(".tip");
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect(), scale = facts.width / box.width;
    const x = (event.clientX - box.left) * scale;
    const at = Math.max(0, Math.min(facts.x.length - 1, Math.round((x - facts.left) / facts.step)));
    const place = facts.left + at * facts.step;
    rule.setAttribute("x1", place); rule.setAttribute("x2", place); rule.style.display = "inline";
    const lines = facts.curves.map((curve) => {
      const point = curve.points[at];
      return `${curve.name.padEnd(facts.longest)}  ${point === null || point === undefined ? "–" : point}`;
    });
    tip.textContent = [`epoch ${facts.x[at]}`, ...lines].join("\n");
    tip.style.display = "block";
    const left = place / scale, room = box.width - left - 12;
    tip.style.left = room > tip.offsetWidth ? `${left + 12}px` : `${Math.max(0, left - 12 - tip.offsetWidth)}px`;
  });
  svg.addEventListener("pointerleave", () => { rule.style.display = "none"; tip.style.display = "none"; });
}
