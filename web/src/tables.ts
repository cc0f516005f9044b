// Tables of text and numbers; verdicts by sign and colour.
import type { Table } from "./data";
import { el } from "./dom";
import { brief, full } from "./numbers";

const signs = { good: "✓", bad: "✗", none: "" };
const words = { good: "holds", bad: "does not hold", none: "" };

export function tableCard(table: Table): HTMLElement {
  const judged = table.verdicts !== undefined;
  // A column of numbers stands to the right.
  const numeric = table.headings.map((_, k) => table.rows.some((r) => typeof r[k] === "number"));
  const head = el("tr", {}, judged ? el("th", { scope: "col", class: "verdict" }, el("span", { class: "unseen" }, "verdict")) : null);
  table.headings.forEach((h, k) => head.append(el("th", { scope: "col", class: numeric[k] ? "number" : "" }, h)));
  const body = el("tbody");
  table.rows.forEach((row, i) => {
    const verdict = table.verdicts?.[i] ?? "none";
    const tr = el("tr", { class: judged ? `verdict-${verdict}` : "" });
    if (judged) {
      tr.append(
        el("td", { class: "verdict" }, el("span", { "aria-hidden": "true" }, signs[verdict]), el("span", { class: "unseen" }, words[verdict])),
      );
    }
    row.forEach((cell, k) => tr.append(dataCell(cell, numeric[k])));
    body.append(tr);
  });
  return el(
    "section",
    { class: "card table", "aria-label": table.title },
    el("h3", {}, table.title),
    el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": table.title }, el("table", {}, el("thead", {}, head), body)),
    table.note ? el("p", { class: "note" }, table.note) : null,
  );
}

function dataCell(cell: string | number | null, right: boolean): HTMLElement {
  if (typeof cell === "number") return el("td", { class: "number", title: full(cell) }, brief(cell));
  return el("td", { class: right ? "number" : "" }, cell ?? "–");
}
