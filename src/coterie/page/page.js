"use strict";
// One page for an episode that is over (`D` holds all of it) and for one that goes on (`take` brings row after row; see
// page/telling.py). `live`: it stays at the last step until somebody looks back.
function coteriePage(D, live) {
  const $ = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const colours = new Map();
  const open = new Set(); // which details are open, while steps come and go
  const unfolded = location.hash.endsWith("+all"); // to print, or to search with the browser
  let now = 0, playing = 0, moving = 0, speed = 1, follows = live, due = 0, dirty = false, followed = "";
  const last = () => Math.max(0, D.steps.length - 1);

  // Everything of the log goes onto the page as text or as a plain attribute, never as markup.
  function make(tag, cls, ...inside) {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    e.append(...inside.filter((x) => x !== "" && x !== null && x !== undefined));
    return e;
  }
  function draw(tag, attributes, text) {
    const e = document.createElementNS(SVG, tag);
    for (const [k, v] of Object.entries(attributes)) if (v !== "" && v !== undefined) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  }
  const text = (ids) => ids.map((i) => D.lines[i]).join("\n");
  const hue = (name) => colours.get(name) || "#75757f";
  const BROKEN_OFF = ["cancelled", "rewound"];
  const failed = (a) => a.o !== undefined && a.o !== "done" && !BROKEN_OFF.includes(a.o);
  const acts = (i) => D.steps[i].e.filter((e) => e.k === "act");
  const label = (i) => (D.steps[i].n < 0 ? "before the first step" : "step " + D.steps[i].n);

  // -- what holds at every step ---------------------------------------------------------------------------------
  const goals = [], states = [], wanted = []; // goal, status, and goals of people, by frame
  function settle(from) {
    for (let i = from; i < D.steps.length; i++) {
      const s = D.steps[i];
      goals[i] = s.g !== undefined ? s.g : i ? goals[i - 1] : "";
      wanted[i] = s.goals || (i ? wanted[i - 1] : []);
      states[i] = s.e.reduce((found, e) => (e.k === "status" ? e : found), i ? states[i - 1] : { x: "", ps: 0 });
    }
  }
  function underWay(name, i) { // the action that a robot began last, if it goes on in this frame
    for (let k = i; k >= 0; k--) {
      const mine = acts(k).filter((a) => a.w === name);
      if (!mine.length) continue;
      const a = mine[mine.length - 1];
      return a.e === undefined || a.e >= i ? a : undefined;
    }
  }
  function beliefs(name, upto) {
    const facts = new Map();
    for (let i = 0; i <= upto; i++) {
      for (const [subject, kind, value, source, instead] of (D.steps[i].b || {})[name] || []) {
        const key = subject + "/" + kind, old = facts.get(key);
        if (value < 0) { facts.delete(key); continue; }
        const fresh = source >= 0 || !old;
        facts.set(key, {
          subject: D.words[subject], kind: D.words[kind], value: D.words[value],
          source: source >= 0 ? D.words[source] : old ? old.source : "",
          since: fresh ? i : old.since, instead: instead === undefined ? "" : D.words[instead],
        });
      }
    }
    return [...facts.values()];
  }

  // -- the picture ----------------------------------------------------------------------------------------------
  const paint = (a, [fill, stroke, width]) => Object.assign(a, { fill: fill || "none", stroke, "stroke-width": stroke ? width : "" });
  function shape(s) {
    const [kind, ...r] = s;
    if (kind === "b") return draw("rect", paint({ x: r[0], y: r[1], width: r[2], height: r[3], rx: r[4] || "" }, r.slice(5)));
    if (kind === "d") return draw("circle", paint({ cx: r[0], cy: r[1], r: r[2] }, r.slice(3)));
    if (kind === "p") {
      const a = { points: r[0], "stroke-dasharray": r[2], "stroke-linecap": "round", "stroke-linejoin": "round" };
      return draw(r[1] ? "polygon" : "polyline", paint(a, r.slice(3)));
    }
    if (kind === "i") {
      const place = { x: r[0], y: r[1], width: r[2], height: r[3], preserveAspectRatio: "none" };
      return draw("image", { ...place, "image-rendering": r[5] ? "auto" : "pixelated", href: r[4] });
    }
    const [x, y, words, size, fill, anchor, bold, halo] = r;
    const edge = halo ? { stroke: halo, "stroke-width": 3, "paint-order": "stroke", "stroke-linejoin": "round" } : {};
    return draw("text", { x, y, "font-size": size, fill, "text-anchor": anchor, "font-weight": bold ? "bold" : "", ...edge }, words);
  }

  function moved(list, edits) {
    if (!edits) return list;
    const next = [...list];
    for (const [at, gone, ...come] of edits) next.splice(at, gone, ...come);
    return next;
  }

  function mapOf(M) {
    const [x0, y0, w, h] = M.box;
    const root = draw("svg", { viewBox: M.box.join(" "), role: "img", "font-family": "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif" });
    const title = draw("title", {}, "the map");
    const [under, trails, team, over, words] = [0, 0, 0, 0, 0].map(() => draw("g", {}));
    root.append(title, draw("rect", { x: x0, y: y0, width: w, height: h, class: "ground" }), under, trails, over, team, words); // the team above the names of what stays
    const drawn = [], frames = [];
    let u = [], o = [], at = {};
    function add(f, i) { // frame i, or how it has changed
      u = moved(u, f.u);
      o = moved(o, f.o);
      if (f.r) {
        at = { ...at };
        for (const [name, row] of Object.entries(f.r)) {
          if (!row) { delete at[name]; continue; }
          const [x, y, sign, ...way] = row;
          at[name] = { x, y, sign, way };
        }
      }
      const before = i ? frames[i - 1].at : {}, ways = {};
      for (const [name, p] of Object.entries(at)) {
        const old = before[name];
        if (!old || (old.x === p.x && old.y === p.y)) continue;
        const points = [[old.x, old.y]];
        for (let k = 0; k < p.way.length; k += 2) points.push([p.way[k], p.way[k + 1]]);
        ways[name] = [...points, [p.x, p.y]];
      }
      frames[i] = { u, o, at, ways };
    }
    M.frames.forEach(add);
    const one = (id) => (drawn[id] || (drawn[id] = shape(M.shapes[id])));
    function fill(g, ids) {
      const used = new Set();
      g.replaceChildren(...ids.map((id) => { const e = used.has(id) ? one(id).cloneNode(true) : one(id); used.add(id); return e; }));
    }
    const signs = new Map(), shown = { u: null, o: null };
    function put(i, share) {
      const f = frames[i];
      for (const [name, g] of signs) if (!(name in f.at)) { g.remove(); signs.delete(name); }
      for (const [name, p] of Object.entries(f.at)) {
        let g = signs.get(name);
        if (!g) { g = draw("g", {}); signs.set(name, g); team.append(g); }
        if (g.sign !== p.sign) { g.replaceChildren(...M.signs[p.sign].map((id) => shape(M.shapes[id]))); g.sign = p.sign; }
        const [x, y] = share < 1 && f.ways[name] ? along(f.ways[name], share) : [p.x, p.y];
        g.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
        if (name === followed) look(x, y);
      }
      if (!(followed in f.at)) root.setAttribute("viewBox", M.box.join(" "));
    }
    function look(x, y) { // at one robot, from near
      const wide = w / 2, high = h / 2;
      const left = Math.min(Math.max(x - wide / 2, x0), x0 + w - wide), top = Math.min(Math.max(y - high / 2, y0), y0 + h - high);
      root.setAttribute("viewBox", [left, top, wide, high].join(" "));
    }
    function trail(i) {
      trails.replaceChildren();
      for (let k = Math.max(0, i - M.trail + 1); k <= i; k++) {
        for (const [name, way] of Object.entries(frames[k].ways)) {
          const opacity = (0.75 - 0.6 * (i - k) / M.trail).toFixed(2);
          trails.append(draw("polyline", { points: way.map((p) => p.join(",")).join(" "), fill: "none", stroke: hue(name), opacity,
            "stroke-width": 2.8, "stroke-linecap": "round", "stroke-dasharray": M.trail > 5 ? "" : "1.5 6" }));
        }
      }
    }
    function bubbles(i) {
      words.replaceChildren();
      const last = new Map();
      for (const e of D.steps[i].e) if (e.k === "say" && frames[i].at[e.w]) last.set(e.w, e);
      let n = 0;
      for (const [name, e] of last) {
        const p = frames[i].at[name], rows = wrapped(e.x, 34, 3), g = draw("g", {});
        const wide = Math.max(...rows.map((r) => r.length)) * 6.1 + 18, high = rows.length * 14.5 + 11;
        const left = Math.min(Math.max(p.x - wide / 2, x0 + 4), x0 + w - wide - 4);
        let top = p.y - 30 - high;
        if (top < y0 + 4) top = Math.min(p.y + 50, y0 + h - high - 4);
        for (const other of words.children) { // bubbles keep off each other
          const [ol, ot, ow, oh] = other.box;
          if (left < ol + ow && ol < left + wide && top < ot + oh && ot < top + high) top = Math.max(y0 + 4, ot - high - 4);
        }
        g.box = [left, top, wide, high];
        g.append(draw("line", { x1: p.x, y1: p.y + (top < p.y ? -16 : 16), x2: Math.min(Math.max(p.x, left + 8), left + wide - 8), y2: top < p.y ? top + high : top, stroke: hue(name), "stroke-width": 1.6 }));
        g.append(draw("rect", { x: left, y: top, width: wide, height: high, rx: 9, fill: "#ffffff", stroke: hue(name), "stroke-width": 1.6 }));
        rows.forEach((r, k) => g.append(draw("text", { x: left + 9, y: top + 16 + 14.5 * k, "font-size": 11, fill: "#2b2b33" }, r)));
        words.append(g);
        if (++n >= 4) break;
      }
    }
    $("picture").replaceChildren(root);
    const show = (i, fluent) => {
      cancelAnimationFrame(moving);
      i = Math.min(i, frames.length - 1);
      const f = frames[i];
      if (!f) return;
      const rest = () => {
        put(i, 1);
        trail(i);
        if (shown.u !== f.u) fill(under, (shown.u = f.u));
        if (shown.o !== f.o) fill(over, (shown.o = f.o));
        bubbles(i);
        title.textContent = "the map, " + label(i) + ": " + Object.keys(f.at).join(", ");
      };
      if (!fluent || still || !Object.keys(f.ways).length) return rest();
      words.replaceChildren();
      const begun = performance.now(), long = (D.steps.length > 80 ? 110 : 520) / speed;
      const tick = (t) => {
        const share = Math.min(1, Math.max(0, (t - begun) / long));
        if (share >= 1) return rest();
        put(i, share);
        moving = requestAnimationFrame(tick);
      };
      moving = requestAnimationFrame(tick);
    };
    return { show, add };
  }
  function along(points, share) {
    const gaps = points.slice(1).map((p, k) => Math.hypot(p[0] - points[k][0], p[1] - points[k][1]));
    let left = share * gaps.reduce((a, b) => a + b, 0);
    for (let k = 0; k < gaps.length; k++) {
      if (left <= gaps[k] && gaps[k] > 0) {
        const s = left / gaps[k], [a, b] = [points[k], points[k + 1]];
        return [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s];
      }
      left -= gaps[k];
    }
    return points[points.length - 1];
  }
  function wrapped(words, most, rows) {
    const found = [""];
    for (const word of words.split(/\s+/)) {
      const line = found[found.length - 1];
      if (line && line.length + word.length + 1 > most) found.push(word.slice(0, most));
      else found[found.length - 1] = (line ? line + " " : "") + word.slice(0, most);
    }
    return found.length <= rows ? found : [...found.slice(0, rows - 1), found[rows - 1].slice(0, most - 1) + "…"];
  }

  function filmOf(stills) {
    const img = make("img");
    img.alt = "the arms";
    $("picture").replaceChildren(img);
    let timer = 0;
    const show = (i, fluent) => {
      clearTimeout(timer);
      let k = i;
      while (k > 0 && !(stills[k] || []).length) k--;
      const reel = stills[k] || [];
      if (!reel.length) return;
      let n = fluent && !still && k === i ? 0 : reel.length - 1;
      const tick = () => {
        img.src = reel[n];
        if (++n < reel.length) timer = setTimeout(tick, Math.max(60, 700 / reel.length) / speed);
      };
      tick();
      img.alt = "the arms, " + label(i);
    };
    return { show, add: (reel, i) => { stills[i] = reel; } };
  }
  function nothing(why) {
    $("picture").replaceChildren(make("p", "none", why));
    return { show: () => {}, add: () => {} };
  }
  const pictured = (S) => (S.map ? mapOf(S.map) : S.stills ? filmOf(S.stills) : nothing(S.none ? "No map: " + S.none : "The first picture is being drawn."));
  let picture = pictured(D.scenery);

  // -- the team -------------------------------------------------------------------------------------------------
  function details(key, summary, build, cls) {
    const d = make("details", cls, summary);
    summary.dataset.key = key;
    const grow = () => { if (d.open && d.children.length === 1) d.append(...build()); };
    d.open = unfolded || open.has(key);
    grow();
    d.addEventListener("toggle", () => { if (d.open) open.add(key); else open.delete(key); grow(); });
    return d;
  }
  const faint = (words) => make("span", "faint", words);

  function actLine(a, i) {
    const p = make("p", "act", make("b", "", a.a));
    const over = a.e !== undefined && a.e <= i;
    if (!over) p.append(" ", make("span", "mark faint", "under way"));
    else if (a.o === "done") p.append(make("span", "mark done", "✓"));
    else if (BROKEN_OFF.includes(a.o)) p.append(make("span", "mark faint", a.o));
    else p.append(make("span", "mark bad", "✗ " + a.o));
    const found = [p];
    if (over && a.x) found.push(make("p", failed(a) ? "bad" : "faint", a.x));
    if (a.y) found.push(make("p", "why", "“" + a.y + "”"));
    return found;
  }
  function bubble(e, heardBy) {
    const to = e.to.includes("all") ? "all" : e.to.join(", ");
    const head = heardBy ? "heard from " + e.w : "says to " + to + (e.in ? " (while deciding)" : "");
    const b = make("div", heardBy ? "say heard" : "say", faint(head), e.x);
    b.style.borderLeftColor = hue(e.w);
    if (!heardBy && e.missed) b.append(make("span", "faint", "missed: " + Object.entries(e.missed).map(([n, why]) => n + " (" + why + ")").join(", ")));
    return b;
  }
  function asked(e, n) {
    const reply = e.r ? text(e.r) : "";
    const brief = reply.replace(/\s+/g, " ").slice(0, 90);
    const words = make("summary", "", "Asked: " + (e.meant ? e.meant + " (" + e.stage + ")" : e.stage) + (e.again ? ", again" : ""), e.n ? faint(e.n[0] + " tokens read, " + e.n[1] + " written") : "");
    if (e.error) words.append(make("span", "bad", " " + e.error));
    if (brief) words.append(make("div", "why", "answered: " + brief + (reply.length > 90 ? "…" : "")));
    else if (live && e.p && !e.n) words.append(make("span", "thinks", " thinks"));
    return details("ask/" + e.w + "/" + n, words, () => {
      if (!e.p) return [make("p", "role", "Only those with the right to see prompts see what was asked and answered.")];
      const parts = [make("p", "role", e.r ? "the answer" : live ? "No answer yet." : "The log ends before the answer.")];
      if (e.r) parts.push(make("pre", "reply", reply));
      for (const [role, ...ids] of e.p) parts.push(make("p", "role", "the prompt, " + role), make("pre", "", text(ids)));
      return parts;
    });
  }
  const SEES = {
    own: "It decides on this alone.",
    pooled: "Minds of this protocol read what all robots know together.",
    truth: "Minds of this protocol read the truth, whatever the robot itself knows.",
  };
  function knows(name, i) {
    const facts = beliefs(name, i);
    if (!facts.length) return null;
    const fresh = facts.filter((f) => f.since === i).length, wrong = facts.filter((f) => f.instead).length;
    const words = make("summary", "", "Knows " + facts.length + " facts ", faint((fresh ? fresh + " new" : "nothing new") + (wrong ? ", " : "")));
    if (wrong) words.append(make("span", "bad", wrong + " not true"));
    return details("knows/" + name, words, () => {
      facts.sort((a, b) => (b.since === i) - (a.since === i) || (b.instead !== "") - (a.instead !== "") || a.subject.localeCompare(b.subject, "en", { numeric: true }));
      const rows = facts.map((f) => {
        const from = (f.source ? "from " + f.source + ", " : "") + (D.steps[f.since].n < 0 ? "at first" : "step " + D.steps[f.since].n);
        const value = make("td", "", f.kind + " " + f.value, f.instead ? make("span", "wrong", "in truth: " + f.instead) : "");
        return make("tr", f.since === i ? "new" : "", make("td", "", f.subject), value, make("td", "faint", from));
      });
      return [make("p", "faint", SEES[D.sees] || ""), make("div", "facts", make("table", "", ...rows))];
    });
  }
  function card(name, robot, i) {
    const s = D.steps[i], mine = s.e.filter((e) => e.w === name);
    const gone = (s.gone || []).includes(name);
    const c = make("section", gone ? "robot gone" : robot ? "robot" : "robot other");
    c.style.borderLeftColor = hue(name);
    c.dataset.robot = name;
    c.setAttribute("aria-label", name);
    const top = make("div", "top", make("h3", "name", name));
    if (robot) {
      top.append(faint(robot.body));
      const at = (s.at || {})[name], holds = (s.h || {})[name];
      if (gone) top.append(make("span", "bad", "gone"));
      else top.append(faint([at ? "at " + at : "", holds ? "holds " + holds : ""].filter(Boolean).join(", ")));
      if (s.power && name in s.power) {
        const bar = meter("meter", s.power[name], "battery " + Math.round(100 * s.power[name]) + " %");
        bar.low = 0.2;
        top.append(bar);
      }
      if (robot.about) top.title = robot.about;
    }
    c.append(top);
    const begun = mine.filter((e) => e.k === "act"), going = underWay(name, i);
    if (!begun.length && going) c.append(...actLine(going, i));
    mine.filter((e) => e.k === "refused").forEach((e) => c.append(make("p", "act", make("b", "", e.a), make("span", "mark bad", "refused")), make("p", "faint", e.x)));
    begun.forEach((a) => c.append(...actLine(a, i)));
    mine.filter((e) => e.k === "say").forEach((e) => c.append(bubble(e, "")));
    const heard = robot ? s.e.filter((e) => e.k === "say" && e.w !== name && (e.to.includes("all") || e.to.includes(name)) && !(e.missed || {})[name]) : [];
    if (heard.length) {
      const from = make("summary", "", "Heard " + heard.length + (heard.length === 1 ? " message" : " messages"), faint("from " + [...new Set(heard.map((e) => e.w))].join(", ")));
      c.append(details("heard/" + name, from, () => heard.map((e) => bubble(e, name))));
    }
    mine.filter((e) => e.k === "note").forEach((e) => c.append(make("p", "faint", e.x)));
    mine.filter((e) => e.k === "ask").forEach((e, n) => c.append(asked(e, n)));
    const k = robot ? knows(name, i) : null;
    if (k) c.append(k);
    return c;
  }
  function team(i) {
    const s = D.steps[i], names = new Set(D.robots.map((r) => r.name));
    const others = [...new Set(s.e.filter((e) => e.w && !names.has(e.w)).map((e) => e.w))];
    $("team").replaceChildren(...D.robots.filter((r) => (r.name in (s.at || {})) || s.e.some((e) => e.w === r.name)).map((r) => card(r.name, r, i)), ...others.map((n) => card(n, null, i)));
  }

  // -- goals of people, and what went wrong -----------------------------------------------------------------------
  function wants(i) {
    $("wanted").hidden = !wanted[i].length;
    $("goals").replaceChildren(...wanted[i].map((g) => {
      const done = (g.of || 0) - g.left.length, rest = g.left.map((id) => D.words[id]);
      const li = make("li", "", make("div", "row", make("b", "", g.text), make("span", "state", g.state)), faint("for " + g.by + (rest.length ? ", " + done + " of " + g.of + " steps done; next: " + rest[0] : "")));
      li.dataset.state = g.state;
      if (rest.length) li.append(meter("progress", done / g.of, done + " of " + g.of + " steps"), details("goal/" + g.id, make("summary", "", rest.length + " steps to come"), () => [make("ol", "plan", ...rest.map((words) => make("li", "", words)))]));
      return li;
    }));
  }
  function meter(tag, value, words) {
    const m = make(tag, "power");
    m.value = value;
    m.title = words;
    m.setAttribute("aria-label", words);
    return m;
  }
  const MOST_FAULTS = 6;
  let known = "";
  function wrong(e, i) { // in words; empty for what is no fault, or not yet
    if (e.k === "act") return failed(e) && e.e <= i ? e.a + " " + e.o + (e.x ? ". " + e.x : "") : "";
    if (e.k === "refused") return e.a + " refused. " + e.x;
    return e.bad ? e.x : e.error ? "an answer could not be used: " + e.error : "";
  }
  function faults(i) {
    const found = [];
    for (let k = 0; k <= i; k++) for (const e of D.steps[k].e) { const words = wrong(e, i); if (words) found.push([k, e.w, (e.w ? ": " : "") + words]); }
    const key = found.join();
    if (key === known) return; // who goes through it by keyboard stays there
    known = key;
    $("faults").hidden = !found.length;
    $("wrongs").replaceChildren(...found.slice(-MOST_FAULTS).reverse().map((f) => line(...f)));
    if (found.length > MOST_FAULTS) $("wrongs").append(make("li", "", make("span"), faint((found.length - MOST_FAULTS) + " earlier")));
  }
  function line(frame, who, rest) { // one that leads to its step
    const name = make("b", "", who), li = make("li", frame === now ? "now" : "", make("span", "n", String(Math.max(0, D.steps[frame].n))), make("span", "", name, rest));
    name.style.color = who ? hue(who) : "";
    li.tabIndex = 0;
    li.dataset.frame = frame;
    const jump = () => { pause(); go(frame); };
    li.addEventListener("click", jump);
    li.addEventListener("keydown", (event) => { if (event.key === "Enter") jump(); });
    return li;
  }

  // -- the timeline ---------------------------------------------------------------------------------------------
  const LANE = 18, strip = $("strip");
  function cross(c, x, y) {
    c.strokeStyle = "#fff";
    c.lineWidth = 1.8;
    c.beginPath();
    for (const way of [-1, 1]) { c.moveTo(x - 3, y - 3 * way); c.lineTo(x + 3, y + 3 * way); }
    c.stroke();
  }
  function lanes() {
    const N = D.steps.length;
    const wide = strip.clientWidth || 300, high = D.robots.length * LANE, sharp = devicePixelRatio || 1;
    strip.width = wide * sharp;
    strip.height = high * sharp;
    strip.style.height = high + "px";
    const c = strip.getContext("2d"), css = getComputedStyle(document.documentElement), v = (n) => css.getPropertyValue(n).trim();
    c.scale(sharp, sharp);
    const cell = wide / N, gap = cell > 5 ? 1 : 0;
    const rows = new Map(D.robots.map((r, k) => [r.name, k]));
    c.fillStyle = v("--soft");
    c.fillRect(0, 0, wide, high);
    D.steps.forEach((s, i) => {
      for (const e of s.e) {
        const y = (rows.get(e.w) || 0) * LANE;
        if (!rows.has(e.w)) continue;
        if (e.k === "act") {
          const end = Math.max(i, e.e === undefined ? N - 1 : e.e), wide = Math.max(1, (end - i + 1) * cell - gap);
          c.fillStyle = failed(e) ? v("--bad") : e.s === "wait" ? v("--rule") : hue(e.w);
          c.fillRect(i * cell, y + 3, wide, LANE - 6);
          if (failed(e) && wide > 5) cross(c, i * cell + wide / 2, y + LANE / 2); // told by more than its colour
        }
      }
      for (const e of s.e) if (e.k === "say" && rows.has(e.w)) {
        c.beginPath();
        c.arc((i + 0.5) * cell, rows.get(e.w) * LANE + LANE / 2, Math.min(4, Math.max(2, cell / 3)), 0, 7);
        c.fillStyle = "#fff"; c.fill();
        c.strokeStyle = "#2b2b33"; c.lineWidth = 1; c.stroke();
      }
    });
    c.fillStyle = "#e3a008";
    D.steps.forEach((s, i) => { if (s.e.some((e) => e.k === "news")) c.fillRect(i * cell, 0, Math.max(2, Math.min(4, cell * 0.14)), high); });
    c.strokeStyle = v("--ink");
    c.lineWidth = 2;
    c.strokeRect(Math.min(wide - 3, now * cell) + 1, 1, Math.max(2, cell - 2), high - 2);
  }
  const pick = (event) => go(Math.floor((event.clientX - strip.getBoundingClientRect().left) / strip.clientWidth * D.steps.length));
  strip.addEventListener("pointerdown", (event) => { pause(); pick(event); strip.setPointerCapture(event.pointerId); });
  strip.addEventListener("pointermove", (event) => { if (event.buttons) pick(event); });

  // -- what was said and done -----------------------------------------------------------------------------------
  const index = [], told = [0, 0]; // up to which entry of which frame
  function heard() { // what has come since
    for (;;) {
      const [i, k] = told, s = D.steps[i];
      if (!s) return;
      if (k >= s.e.length) {
        if (i >= last()) return;
        told[0]++;
        told[1] = 0;
        continue;
      }
      told[1]++;
      const e = s.e[k];
      if (e && ["say", "act", "refused", "news"].includes(e.k) && e.s !== "wait") index.push({ i, k, said: e.k === "say" || e.k === "news" });
    }
  }
  function words(h) {
    const e = D.steps[h.i].e[h.k];
    if (e.k === "say") return e.w + " to " + (e.to.includes("all") ? "all" : e.to.join(", ")) + ": " + e.x.replace(/\s+/g, " ");
    if (e.k === "act") return e.w + ": " + e.a + (e.o && e.o !== "done" ? " " + e.o : "") + (e.x ? ". " + e.x : "") + (e.y ? " “" + e.y + "”" : "");
    return e.k === "refused" ? e.w + ": " + e.a + " refused. " + e.x : e.x;
  }
  const MOST = 300;
  function hits() {
    heard();
    const wanted = $("search").value.trim().toLowerCase();
    const said = index.some((h) => h.said); // without talk, what was done
    const found = index.filter((h) => (wanted ? words(h).toLowerCase().includes(wanted) : h.said || !said));
    const list = $("hits"), low = list.scrollTop + list.clientHeight >= list.scrollHeight - 40;
    list.replaceChildren(...(live ? found.slice(-MOST) : found.slice(0, MOST)).map((h) => {
      const e = D.steps[h.i].e[h.k], text = words(h);
      return line(h.i, e.w, e.w ? text.slice(e.w.length) : text);
    }));
    if (live && low) list.scrollTop = list.scrollHeight;
    if (found.length > MOST) $("hits").append(make("li", "", make("span"), faint((found.length - MOST) + " more")));
    if (!found.length) $("hits").append(make("li", "", make("span"), faint(wanted ? "Nothing says that." : "Nothing yet.")));
  }
  $("search").addEventListener("input", hits);

  // -- one step -------------------------------------------------------------------------------------------------
  function go(i, fluent) {
    now = Math.max(0, Math.min(last(), i || 0));
    follows = live && now === last();
    show(fluent);
    try { history.replaceState(null, "", follows ? location.pathname + location.search : hash(now)); } catch (e) { /* a viewer of mail may not allow it */ }
  }
  function show(fluent) {
    const s = D.steps[now], state = states[now];
    if (!s) return;
    const percent = Math.round(100 * state.ps) + " %";
    $("scrub").max = last();
    $("scrub").value = now;
    $("scrub").setAttribute("aria-valuetext", label(now));
    $("when").textContent = label(now) + (D.steps[last()].n >= 0 ? " (0 to " + D.steps[last()].n + ")" : "") + " · " + Math.round(s.t) + " s";
    $("goal").textContent = goals[now];
    $("percent").textContent = percent;
    $("part").style.width = percent.replace(" ", "");
    $("bar").setAttribute("aria-valuenow", Math.round(100 * state.ps));
    $("status").textContent = state.x;
    const news = s.e.filter((e) => e.k === "news").map((e) => e.x);
    if ([...$("news").children].map((li) => li.textContent).join("\n") !== news.join("\n")) $("news").replaceChildren(...news.map((x) => make("li", "", x))); // said once
    $("now").hidden = !live || follows;
    picture.show(now, fluent);
    const held = (document.activeElement || {}).dataset, key = held && held.key; // who goes through it by keyboard stays there
    wants(now);
    faults(now);
    team(now);
    const again = key && [...document.querySelectorAll("[data-key]")].find((e) => e.dataset.key === key);
    if (again) again.focus({ preventScroll: true });
    lanes();
    for (const li of document.querySelectorAll(".lines li")) li.classList.toggle("now", li.dataset.frame === String(now));
  }
  function pause() { clearTimeout(playing); playing = 0; $("play").textContent = "Play"; }
  function play() {
    if (playing) return pause();
    if (now === last()) go(0);
    $("play").textContent = "Pause";
    const on = () => {
      if (now >= last()) return pause();
      go(now + 1, true);
      const long = D.steps.length > 80, talk = D.steps[now].e.some((e) => (e.k === "say" && !long) || e.k === "news");
      playing = setTimeout(on, (talk ? 2600 : long ? 130 : 1100) / speed);
    };
    playing = setTimeout(on, 150);
  }
  $("play").addEventListener("click", play);
  $("back").addEventListener("click", () => { pause(); go(now - 1); });
  $("next").addEventListener("click", () => { pause(); go(now + 1, true); });
  $("now").addEventListener("click", () => { pause(); go(last()); $("scrub").focus(); });
  $("scrub").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
  $("speed").addEventListener("change", (event) => { speed = Number(event.target.value); });
  $("follow").addEventListener("change", (event) => { followed = event.target.value; show(); });
  addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || ["TEXTAREA", "SELECT"].includes(at.tagName) || (at.tagName === "INPUT" && at.type !== "range")) return;
    const keys = { ArrowLeft: () => { pause(); go(now - 1); }, ArrowRight: () => { pause(); go(now + 1, true); }, Home: () => { pause(); go(0); }, End: () => { pause(); go(last()); } };
    if (event.key === " " && (at.tagName === "BUTTON" || at.tagName === "SUMMARY")) return; // they have a use for it
    const use = event.key === " " ? play : keys[event.key];
    if (use) { event.preventDefault(); use(); }
  });
  addEventListener("resize", lanes);
  const hash = (i) => (D.steps[i].n < 0 ? "#start" : "#step=" + D.steps[i].n) + (unfolded ? "+all" : "");
  function named() { // the frame that the address asks for: #step=5
    const n = parseInt(location.hash.replace("#step=", ""), 10);
    return Math.max(0, D.steps.findIndex((s) => s.n === n));
  }
  addEventListener("hashchange", () => { if (D.steps.length && named() !== now) go(named()); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", lanes);

  // -- the head, and what comes while it goes on ----------------------------------------------------------------
  function head() {
    $("title").textContent = D.task + " in " + D.scene;
    $("settings").textContent = D.settings.join(" · ");
    if (live) document.title = D.task + " in " + D.scene;
  }
  function crew() {
    D.robots.forEach((r) => colours.set(r.name, r.colour));
    $("names").replaceChildren(...D.robots.map((r) => { const d = make("div", "", r.name); d.style.color = r.colour; return d; }));
    const chosen = $("follow").value;
    $("follow").replaceChildren(...["", ...D.robots.map((r) => r.name)].map((name) => { const o = make("option", "", name || "nobody"); o.value = name; return o; }));
    $("follow").value = chosen;
    const sign = (colour, words) => { const i = make("i"); i.style.background = colour; return [i, words]; };
    $("key").replaceChildren(...sign(D.robots.length ? D.robots[0].colour : "#75757f", "acts (in its colour)"), ...sign("var(--rule)", "waits"), ...sign("var(--bad)", "fails"), ...sign("#e3a008", "something happens to the task"), " ○ speaks");
  }
  function result() {
    $("verdict").textContent = D.verdict.text;
    $("verdict").className = D.verdict.ok === null ? "" : D.verdict.ok ? "yes" : "no";
    $("figures").replaceChildren(...D.figures.map(([key, value, name, meaning]) => {
      const dd = make("dd", "", value), box = make("div", "", dd, make("dt", "", name));
      dd.dataset.figure = key;
      box.title = meaning;
      return box;
    }));
  }
  function put(pool, [at, items]) { items.forEach((item, k) => { pool[at + k] = item; }); }
  function take(row) {
    if (row.head) { Object.assign(D, row.head); head(); crew(); result(); }
    if (row.robots) { D.robots = row.robots; crew(); }
    if (row.lines) put(D.lines, row.lines);
    if (row.words) put(D.words, row.words);
    const i = row.i;
    if (row.n !== undefined) { if (!D.steps[i]) D.steps[i] = { n: row.n, t: row.t, e: [] }; settle(i); }
    if (row.e) { const e = D.steps[i].e; e[row.k] = row.e; for (let k = 0; k < row.k; k++) if (!e[k]) e[k] = { k: "", w: "" }; settle(i); } // some are for others alone
    if (row.s) { D.steps[i] = { ...row.s, e: D.steps[i].e }; settle(i); }
    if (row.none) picture = nothing("No map: " + row.none);
    if (row.f && !D.scenery.map) { D.scenery.map = { ...row.ground, shapes: [], signs: [], frames: [] }; put(D.scenery.map.shapes, row.shapes); put(D.scenery.map.signs, row.signs || [0, []]); picture = mapOf(D.scenery.map); } else if (row.f) {
      if (row.shapes) put(D.scenery.map.shapes, row.shapes);
      if (row.signs) put(D.scenery.map.signs, row.signs);
    }
    if (row.p && !D.scenery.stills) picture = filmOf(D.scenery.stills = []);
    if (row.f || row.p) picture.add(row.f || row.p, i);
    if (row.end) { Object.assign(D, row.end); result(); }
    if (follows && i > now) now = i;
    dirty = dirty || i === undefined || i === now || i === last();
    if (!due && dirty) due = requestAnimationFrame(() => { due = 0; dirty = false; const fresh = now === last() && shown !== now; shown = now; show(follows && fresh); lateHits(); });
  }
  let shown = -1, later = 0;
  const lateHits = () => { if (!later) later = setTimeout(() => { later = 0; hits(); }, 250); };
  settle(0);
  if (D.steps.length) {
    head();
    crew();
    result();
    hits();
    go(named());
  }
  document.documentElement.dataset.ready = Math.round(performance.now());
  return { take, go, last, make, hue, data: D, at: () => now };
}
if (document.getElementById("data")) coteriePage(JSON.parse(document.getElementById("data").textContent), false);
