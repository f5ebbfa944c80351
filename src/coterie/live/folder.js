// What was recorded: a list of logs, one of them, two side by side, and the results of benches.
import { $, ask, enter, make, nothing, turnedAway } from "./live.js";

const query = new URLSearchParams(location.search);
const link = (parts) => "?" + new URLSearchParams(parts);
const date = (seconds) => new Date(1000 * seconds).toLocaleString();

function shelf(...inside) {
  for (const part of document.querySelectorAll("header, main, footer, noscript")) part.remove();
  const found = make("main", { id: "shelf", class: "" }, ...inside);
  document.body.append(found);
  return found;
}

// -- the list ---------------------------------------------------------------------------------------------------------
async function list(me) {
  const [logs, results] = await Promise.all([ask("logs"), ask("results")]);
  const chosen = new Set();
  const cards = make("ul", { id: "cards", "aria-label": "episodes" });
  const words = make("input", { type: "search", id: "filter", placeholder: "words: task, protocol, scene, seed …", "aria-label": "filter" });
  const pick = (name, values) => make("select", { "aria-label": name, onchange: show }, make("option", { value: "" }, "any " + name), ...[...new Set(values)].sort().filter(Boolean).map((v) => make("option", { value: v }, v)));
  const task = pick("task", logs.map((l) => l.task)), protocol = pick("protocol", logs.map((l) => l.protocol)), ended = pick("end", ["done", "not achieved", "not finished"]);
  const both = make("button", { type: "button", id: "both", disabled: true, onclick: () => { const [a, b] = [...chosen]; location.search = link({ a, b }); } }, "Compare two");
  const count = make("span", { class: "faint", role: "status" });
  const state = (l) => (l.success === null ? "not finished" : l.success ? "done" : "not achieved");
  words.addEventListener("input", show);
  function card(l) {
    const tick = make("input", { type: "checkbox", "aria-label": "choose " + l.name, onchange: (event) => {
      if (event.target.checked) chosen.add(l.f); else chosen.delete(l.f);
      both.disabled = chosen.size !== 2;
    } });
    const img = make("img", { src: "picture" + link({ f: l.f }), loading: "lazy", alt: "" });
    img.addEventListener("error", () => img.remove());
    return make("li", {}, make("a", { href: link({ f: l.f }) }, img, make("b", {}, l.task)), make("span", {}, l.protocol + (l.model && l.model !== "none" ? ", " + l.model : "") + ", seed " + l.seed),
      make("span", { class: l.success ? "done" : "bad" }, state(l) + (l.steps === null ? "" : ", " + l.steps + " steps")), make("span", { class: "faint" }, l.name + ", " + date(l.at)), make("label", { class: "faint" }, tick, " compare"));
  }
  function show() {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = logs.filter((l) => (!task.value || l.task === task.value) && (!protocol.value || l.protocol === protocol.value) && (!ended.value || state(l) === ended.value) && wanted.every((w) => Object.values(l).join(" ").toLowerCase().includes(w)));
    count.textContent = found.length + " of " + logs.length + " episodes";
    chosen.clear();
    both.disabled = true;
    cards.replaceChildren(...found.slice(0, 300).map(card));
  }
  const page = shelf(make("h1", {}, "Recorded in " + me.folder));
  if (results.length) page.append(...bench(results));
  if (logs.length || !results.length) page.append(make("div", { class: "row" }, words, task, protocol, ended, both, count), cards);
  show();
}

// -- results of benches -------------------------------------------------------------------------------------------
function table(head, rows) {
  return make("div", { class: "wide" }, make("table", {}, make("thead", {}, make("tr", {}, ...head.map((h) => make("th", { scope: "col" }, h)))), make("tbody", {}, ...rows.map((r) => make("tr", {}, ...r.map((c) => make("td", {}, c)))))));
}
const number = (x, digits = 3) => (x === null ? "" : x.toFixed(digits));
function share(x) { // a bar beside the number
  if (x === null) return "";
  const bar = make("meter", { min: 0, max: 1, "aria-hidden": "true" });
  bar.value = x;
  return make("span", { class: "share" }, number(x), bar);
}
function bench(results) {
  const all = results.flatMap((r) => r.methods.map((m) => ({ ...m, in: r.name }))).sort((a, b) => (b.success ?? -1) - (a.success ?? -1) || (b.ps ?? -1) - (a.ps ?? -1));
  const board = make("section", { class: "panel", "aria-label": "leaderboard" }, make("h2", {}, "Methods over all results"),
    table(["", "method", "in", "episodes", "success", "PS", "steps", "tokens"], all.map((m, i) => [String(i + 1), m.method, m.in, String(m.n), share(m.success), share(m.ps), number(m.steps, 1), number(m.tokens, 0)])));
  return [board, make("div", { class: "benches" }, ...results.map((r) => make("details", { class: "panel bench", open: results.length === 1, "data-results": r.name }, make("summary", {}, make("b", {}, r.name), make("span", { class: "faint" }, r.methods.map((m) => m.method + " " + number(m.success)).join(", "))), r.error ? make("p", { class: "bad" }, r.error) : "",
    make("div", { class: "plots" }, ...r.plots.map((f) => make("img", { src: "plot" + link({ f }), loading: "lazy", alt: f.replace(/^.*\/|\.\w+$/g, "").replaceAll("_", " ") }))), ...tables(r.table))))];
}
function tables(text) { // of a Markdown file: each section with its words and tables, the first ones open
  const sections = [];
  let rows = [], into = make("div", {});
  const put = (part) => into.append(part);
  const flush = () => { if (rows.length) put(table(rows[0], rows.slice(1))); rows = []; };
  const bare = (words) => words.replaceAll("`", "");
  const found = [into];
  for (const line of text.split("\n")) {
    if (line.startsWith("|")) { if (!/^\|[\s:|-]+\|$/.test(line)) rows.push(line.slice(1, -1).split("|").map((c) => c.trim())); continue; }
    flush();
    if (line.startsWith("## ")) {
      into = make("details", { open: sections.push(line) < 4 }, make("summary", {}, make("b", {}, bare(line.slice(3)))));
      found.push(into);
    } else if (line.startsWith("- ")) put(make("p", { class: "faint item" }, bare(line.slice(2))));
    else if (line.trim() && !line.startsWith("```") && !line.startsWith("# ")) put(make("p", { class: "faint" }, bare(line)));
  }
  flush();
  return found;
}

// -- one log, and two ---------------------------------------------------------------------------------------------
function one(f) {
  const page = globalThis.coteriePage(nothing(), false);
  const asked = location.hash;
  const say = make("p", { id: "said", role: "status" });
  $("all").append(say);
  if (query.has("frame")) document.body.classList.add("frame");
  else document.body.prepend(make("nav", { id: "bar-live", "aria-label": "where you are" }, make("a", { href: "." }, "All episodes"), make("span", { class: "faint" }, f)));
  const source = new EventSource("rows" + link({ f }));
  let first = true;
  source.addEventListener("message", (event) => {
    for (const row of JSON.parse(event.data)) {
      if (!row.known) { page.take(row); continue; }
      if (row.known.error) say.textContent = row.known.error;
      if (row.known.told || row.known.over) document.documentElement.dataset.told = "1";
      if (row.known.over) {
        source.close();
        document.documentElement.dataset.over = "1";
        if (asked.startsWith("#step=")) page.go(page.data.steps.findIndex((s) => s.n === parseInt(asked.slice(6), 10)));
      }
    }
    if (first && page.data.steps.length) { first = false; page.go(0); }
  });
  globalThis.coterie = { page };
}
function two(a, b) {
  const frames = [a, b].map((f) => make("iframe", { src: link({ f, frame: 1 }), title: f }));
  const scrub = make("input", { type: "range", min: 0, max: 0, value: 0, id: "both-scrub", "aria-label": "step of both" });
  const by = (n) => () => { scrub.value = Number(scrub.value) + n; go(Number(scrub.value)); };
  const back = make("button", { type: "button", "aria-label": "one step back", onclick: by(-1) }, "\u25c0\ufe0e"), next = make("button", { type: "button", "aria-label": "one step on", onclick: by(1) }, "\u25b6\ufe0e");
  const beside = make("div", { id: "beside" });
  const when = make("output", { id: "both-when" }), apart = make("p", { id: "apart", role: "status", class: "faint" }, "Both are being read …");
  shelf(make("div", { class: "row" }, make("a", { href: "." }, "All episodes"), back, scrub, next, when), apart, beside, make("div", { class: "pair" }, ...frames));
  const pages = () => frames.map((f) => f.contentWindow.coterie && f.contentWindow.coterie.page).filter(Boolean);
  const does = (p, i, name) => p.data.steps[i] ? p.data.steps[i].e.filter((e) => e.k === "act" && e.w === name).map((e) => e.a + (e.o && e.o !== "done" ? " " + e.o : "")).join(", ") : "";
  const go = (i) => {
    const both = pages(), names = [...new Set(both.flatMap((p) => p.data.robots.map((r) => r.name)))];
    for (const p of both) p.go(Math.min(i, p.last()));
    when.textContent = i ? "step " + (i - 1) : "before the first step";
    if (both.length === 2) {
      const rows = names.map((name) => [name, ...both.map((p) => does(p, i, name))]);
      beside.replaceChildren(table(["robot", a, b], rows));
      [...beside.querySelectorAll("tbody tr")].forEach((tr, k) => tr.classList.toggle("other", rows[k][1] !== rows[k][2]));
    }
  };
  scrub.addEventListener("input", () => go(Number(scrub.value)));
  const timer = setInterval(() => {
    const both = pages();
    scrub.max = Math.max(0, ...both.map((p) => p.last()));
    if (both.length < 2 || frames.some((f) => !f.contentDocument.documentElement.dataset.told)) return; // pictures may still come
    clearInterval(timer);
    const acts = both.map((p) => p.data.steps.map((s) => JSON.stringify(s.e.filter((e) => e.k === "act").map((e) => [e.w, e.a, e.o]).sort())));
    let i = 0;
    while (i < Math.max(acts[0].length, acts[1].length) && acts[0][i] === acts[1][i]) i++;
    const same = i >= Math.max(acts[0].length, acts[1].length);
    apart.textContent = same ? "Both do the same in every step." : "They first do something else in step " + Math.max(0, i - 1) + ". In the table, what differs is marked.";
    scrub.value = same ? 0 : i;
    go(Number(scrub.value));
  }, 300);
}

enter().then((me) => (query.has("f") ? one(query.get("f")) : query.has("a") && query.has("b") ? two(query.get("a"), query.get("b")) : list(me))).catch(turnedAway);
