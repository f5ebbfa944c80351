// The talk beside the map: words, proposals as cards, a box with completion of names.
import { ask, make } from "./live.js";

const span = (seconds) => (seconds >= 60 ? Math.floor(seconds / 60) + " min " : "") + Math.round(seconds % 60) + " s";

export function talkPanel(me, status, may) { // who may not talk sees what is proposed
  const list = make("ol", { id: "words", role: "log", "aria-live": "polite", "aria-label": "what was said", tabindex: "0" });
  const cards = make("div", { id: "offers", "aria-live": "polite" });
  const box = make("input", { id: "say", autocomplete: "off", maxlength: "2000", role: "combobox", "aria-expanded": "false", "aria-autocomplete": "list", "aria-controls": "names-list", "aria-label": "say something as " + me.name, placeholder: "say something as " + me.name });
  const names = make("ul", { id: "names-list", role: "listbox", "aria-label": "names", hidden: true });
  const form = make("form", { id: "speak" }, make("div", { class: "combo" }, box, names), make("button", { type: "submit" }, "Say"));
  const panel = make("section", { class: "panel", id: "dialogue", "aria-label": may ? "talk" : "proposals", hidden: !may }, make("h2", {}, may ? "Talk" : "Proposals"), cards, ...(may ? [list, form] : []));
  document.querySelector(".right").prepend(panel);
  const pending = [];

  function add(talk, sending) {
    const mine = talk.w !== "team";
    const li = make("li", { class: (mine ? "mine" : "theirs") + (talk.more ? " aside" : "") }, make("span", { class: "faint" }, mine ? talk.w + (sending ? " (sending)" : "") : "team to " + talk.to), make("div", {}, talk.x));
    const low = list.scrollTop + list.clientHeight >= list.scrollHeight - 60;
    list.append(li);
    while (list.children.length > 400) list.firstChild.remove();
    if (low) list.scrollTop = list.scrollHeight;
    return li;
  }
  async function say(text) {
    const li = add({ w: me.name, x: text }, true);
    pending.push([text, li]);
    try { await ask("do", { do: "say", text }); } catch (error) { li.remove(); status.textContent = error.message; return false; }
    return true;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = box.value.trim();
    if (!text) return;
    box.value = "";
    complete();
    if (!(await say(text))) box.value = text;
  });

  // -- completion of names ----------------------------------------------------------------------------------------
  let chosen = -1;
  const typed = () => { // the words before the cursor that may be the beginning of a name
    const before = box.value.slice(0, box.selectionStart), words = before.split(" ");
    for (let n = Math.min(4, words.length); n > 0; n--) {
      const part = words.slice(-n).join(" ");
      const found = part.length > 1 ? (me.names || []).filter((name) => name.toLowerCase().startsWith(part.toLowerCase()) && name.toLowerCase() !== part.toLowerCase()) : [];
      if (found.length) return [part, found.slice(0, 8)];
    }
    return ["", []];
  };
  function complete() {
    const [, found] = typed();
    chosen = Math.min(chosen, found.length - 1);
    names.hidden = !found.length;
    box.setAttribute("aria-expanded", String(found.length > 0));
    names.replaceChildren(...found.map((name, i) => make("li", { role: "option", id: "name-" + i, "aria-selected": String(i === chosen), onpointerdown: (event) => { event.preventDefault(); put(name); } }, name)));
    if (chosen >= 0) box.setAttribute("aria-activedescendant", "name-" + chosen);
    else box.removeAttribute("aria-activedescendant");
  }
  function put(name) {
    const [part] = typed(), at = box.selectionStart;
    box.value = box.value.slice(0, at - part.length) + name + box.value.slice(at);
    box.selectionStart = box.selectionEnd = at - part.length + name.length;
    chosen = -1;
    complete();
    box.focus();
  }
  box.addEventListener("input", () => { chosen = -1; complete(); });
  box.addEventListener("blur", () => { names.hidden = true; box.setAttribute("aria-expanded", "false"); });
  box.addEventListener("keydown", (event) => {
    const [, found] = typed();
    if (!found.length || names.hidden) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) { chosen = (chosen + move + found.length) % found.length; complete(); } else if (event.key === "Tab" && !event.shiftKey) put(found[Math.max(0, chosen)]);
    else if (event.key === "Enter" && chosen >= 0) put(found[chosen]);
    else if (event.key === "Escape") { names.hidden = true; } else return;
    event.preventDefault();
  });

  // -- proposals ----------------------------------------------------------------------------------------------------
  const offers = new Map();
  function offer(o) {
    const old = offers.get(o.goal);
    if (old) old.remove();
    panel.hidden = false;
    if (o.over) {
      const done = make("p", { class: "faint" }, "The proposal was " + o.over + ".");
      cards.append(done);
      setTimeout(() => { done.remove(); panel.hidden = !may && !cards.children.length; }, 8000);
      offers.delete(o.goal);
      return;
    }
    const answer = (answer, number) => async (event) => {
      event.target.disabled = true;
      try { await ask("do", { do: "answer", goal: o.goal, seq: o.seq, answer, number }); } catch (error) { status.textContent = error.message; }
      setTimeout(() => { event.target.disabled = false; }, 1500);
    };
    const ways = o.ways.map((way, i) => make("div", { class: "way" },
      make("p", {}, make("b", {}, (o.ways.length > 1 ? i + 1 + ". " : "") + way.words)),
      way.seconds === undefined ? "" : make("p", {}, "about " + span(way.seconds) + " (" + span(way.low_s) + " to " + span(way.high_s) + "), works " + Math.round(100 * way.chance) + " % of the time"),
      !way.steps ? "" : make("details", {}, make("summary", {}, way.steps.length + " steps"), make("ol", { class: "plan" }, ...way.steps.map((s) => make("li", {}, s)))),
      may && make("button", { type: "button", class: "yes", "data-answer": "yes", "data-plan": i + 1, onclick: answer("yes", i + 1) }, o.ways.length > 1 ? "Yes, plan " + (i + 1) : "Yes")));
    const card = make("section", { class: "offer", "aria-label": "a proposal for " + o.to }, make("h3", {}, "Proposed to " + o.to), ...ways,
      may && make("p", { class: "row" }, make("button", { type: "button", "data-answer": "no", onclick: answer("no") }, "No"), make("button", { type: "button", "data-answer": "ask", onclick: answer("ask") }, me.mode === "agent" ? "Ask" : "Ask: what is the plan?")));
    offers.set(o.goal, card);
    cards.append(card);
  }
  let question = null;
  function asked(text) { // of a team whose proposals are words alone
    if (question) question.remove();
    question = text ? make("section", { class: "offer", "aria-label": "a question" }, make("p", {}, text), make("p", { class: "row" }, ...["Yes.", "No."].map((word) => make("button", { type: "button", onclick: () => say(word) }, word.slice(0, -1))))) : null;
    if (question) cards.append(question);
  }

  return { take(row) {
    if (row.offer) offer(row.offer);
    if (!may) return;
    if (row.asked && row.asked.to === me.name) asked(row.asked.x);
    if (row.talk) {
      const at = row.talk.w === me.name ? pending.findIndex(([text]) => text === row.talk.x) : -1;
      if (at >= 0) { pending[at][1].remove(); pending.splice(at, 1); }
      add(row.talk);
    }
  } };
}
