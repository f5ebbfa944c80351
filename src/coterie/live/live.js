// An episode that goes on: rows come in, what people do goes out.
import { talkPanel } from "./talk.js";

export const $ = (id) => document.getElementById(id);
export function make(tag, attributes, ...inside) { // words are text, never markup
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== false && v !== undefined && v !== null) e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...inside.filter((x) => x !== "" && x !== null && x !== undefined && x !== false));
  return e;
}
export async function ask(path, body) {
  const more = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, { credentials: "same-origin", ...more });
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error || "The page does not answer (" + answer.status + ").");
  return data;
}
export async function enter() { // the token of the link goes into a cookie that no script can read
  const token = new URLSearchParams(location.hash.slice(1)).get("key");
  if (token) {
    await ask("enter", { token });
    history.replaceState(null, "", location.pathname + location.search);
  }
  return ask("me");
}
export function turnedAway(error) {
  const said = make("p", { class: "panel none", role: "alert" }, error.message);
  const name = make("input", { id: "name", autocomplete: "username", required: true }), code = make("input", { id: "code", autocomplete: "one-time-code", required: true });
  const form = make("form", { class: "panel", id: "sign-in", "aria-label": "sign in" }, make("label", {}, "Your name ", name), " ", make("label", {}, "Your code ", code), " ", make("button", { type: "submit" }, "Sign in"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask("enter", { name: name.value, code: code.value }).then(() => location.reload(), (wrong) => { said.textContent = wrong.message; });
  });
  document.querySelector("main").replaceChildren(said, location.protocol === "https:" ? form : "");
  for (const part of document.querySelectorAll("header, footer")) part.hidden = true;
}
export const nothing = () => ({ task: "", scene: "", settings: [], sees: "", verdict: { ok: null, text: "" }, figures: [], robots: [], steps: [], lines: [], words: [], scenery: {} });

async function begin() {
  const me = await enter();
  const may = (right) => me.rights.includes(right);
  const page = globalThis.coteriePage(nothing(), true);
  const say = make("p", { id: "said", role: "status", "aria-live": "polite" });
  const state = make("span", { id: "line", class: "faint" }, "connecting");
  const stop = make("button", { id: "stop", type: "button", "aria-keyshortcuts": "Control+.", title: "Stop everybody (Ctrl and .)" }, "Stop");
  const free = make("button", { id: "release", type: "button", hidden: true }, "Let them go on");
  const halt = make("span", { id: "halt", role: "alert" });
  const bar = make("div", { id: "bar-live", role: "group", "aria-label": "the team" });
  if (may("stop")) bar.append(stop, halt, free);
  document.body.prepend(bar);
  document.querySelector("footer").textContent = "Left and right arrows: one step. Space: play. Home and End: beginning and end.";
  document.body.classList.add("before"); // nothing has begun: no timeline, nothing to search
  if (me.mode === "agent") $("picture").textContent = "The agent has not begun an episode yet.";

  // -- stop -------------------------------------------------------------------------------------------------------
  let pressed = 0;
  async function halts() {
    const began = pressed = performance.now();
    halt.textContent = "Stopping …";
    try {
      const found = await ask("do", { do: "stop" });
      const wrong = Object.entries(found.wrong || {}).map(([n, why]) => n + ": " + why);
      const stopped = Object.keys(found.stopped || {}).join(", ");
      if (wrong.length) halt.textContent = "NOT stopped: " + wrong.join("; ") + (stopped ? ". Stopped: " + stopped : "");
      else if (found.took_ms !== undefined && pressed) halt.textContent = "Stopped after " + Math.round(performance.now() - began) + " ms";
      free.hidden = !may("control");
    } catch (error) { halt.textContent = error.message; }
  }
  stop.addEventListener("click", halts);
  free.addEventListener("click", async () => {
    try { await ask("do", { do: "release" }); halt.textContent = "They may move again."; free.hidden = true; } catch (error) { say.textContent = error.message; }
  });
  addEventListener("keydown", (event) => { if (event.ctrlKey && event.key === "." && may("stop")) { event.preventDefault(); halts(); } });
  function standing(row) {
    const names = Object.entries(row.stopped);
    if (names.length) {
      const took = pressed ? " after " + Math.round(performance.now() - pressed) + " ms" : "";
      halt.textContent = "Stopped" + took + " by " + [...new Set(names.map(([, by]) => by))].join(", ") + ": " + names.map(([n]) => (n === "all" ? "everybody" : n)).join(", ") + " (at " + Math.round(row.t) + " s)";
      free.hidden = !may("control");
      document.body.classList.add("halted");
      pressed = 0;
    } else if (document.body.classList.contains("halted")) {
      halt.textContent = "They may move again.";
      free.hidden = true;
      document.body.classList.remove("halted");
    }
  }

  // -- pause, step, speed -------------------------------------------------------------------------------------------
  const paused = make("button", { id: "pause", type: "button", title: "Pause the team" }, "Pause");
  const step = make("button", { id: "one", type: "button" }, "One step");
  const speed = make("select", { id: "tempo", "aria-label": "speed of the team" }, ...[0.25, 0.5, 1, 2, 5, 20].map((n) => make("option", { value: n, selected: n === 1 }, n + "×")));
  const act = (wish) => ask("do", wish).catch((error) => { say.textContent = error.message; });
  paused.addEventListener("click", () => act({ do: "pause", value: !me.paused }));
  step.addEventListener("click", () => act({ do: "step" }));
  speed.addEventListener("change", () => act({ do: "speed", value: Number(speed.value) }));
  if (may("control") && me.paces) bar.append(paused, step, speed);
  bar.append(make("span", { class: "grow" }), make("span", { class: "faint who" }, me.name), state);

  // -- minds ----------------------------------------------------------------------------------------------------------
  const minds = make("p", { id: "minds", class: "faint" });
  $("all").append(minds, say);
  const asked = new Map(); // thinking, by entry; and what it took
  let calls = 0, tokens = 0, thought = 0;
  function mind(row) {
    const key = row.i + "/" + row.k, e = row.e;
    if (e.n && asked.get(key) !== 0) {
      calls++;
      tokens += e.n[0] + e.n[1];
      thought += row.took || 0;
      asked.set(key, 0);
    } else if (!e.n && !asked.has(key)) asked.set(key, performance.now());
  }
  function think() {
    const busy = [...asked.values()].filter(Boolean), longest = busy.length ? (performance.now() - Math.min(...busy)) / 1000 : 0;
    minds.textContent = calls || busy.length ? "Minds: " + calls + " answers, " + tokens + " tokens, " + thought.toFixed(1) + " s" + (busy.length ? "; " + busy.length + " think, for " + longest.toFixed(1) + " s" : "") : "";
  }
  setInterval(think, 300);

  // -- rows -----------------------------------------------------------------------------------------------------------
  const talk = talkPanel(me, say, may("talk"));
  function take(row) {
    if (row.anew) location.reload(); // another episode
    else if (row.known) {
      Object.assign(me, row.known);
      if ("paused" in row.known) paused.textContent = row.known.paused ? "Go on" : "Pause";
      if ("speed" in row.known) speed.value = row.known.speed;
      if (row.known.over) { state.textContent = "over"; for (const b of [paused, step, speed]) b.disabled = true; }
      if (row.known.error) say.textContent = row.known.error;
    } else if (row.stopped) standing(row);
    else if (row.talk || row.offer || row.asked) talk.take(row); else {
      if (row.head) document.body.classList.remove("before");
      if (row.e && row.e.k === "ask") mind(row);
      page.take(row);
    }
  }
  let rows = 0;
  const source = new EventSource("rows");
  source.addEventListener("open", () => { if (!me.over) state.textContent = "live"; });
  source.addEventListener("error", () => { if (!me.over) state.textContent = "no connection; tries again"; });
  source.addEventListener("message", (event) => {
    for (const row of JSON.parse(event.data)) { rows++; take(row); }
    document.documentElement.dataset.rows = rows;
  });
  globalThis.coterie = { page, me };
}
if (document.querySelector('script[src="live.js"]')) begin().catch(turnedAway);
