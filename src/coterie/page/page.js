"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const D = JSON.parse($("data").textContent);
  const N = D.steps.length;
  const SVG = "http://www.w3.org/2000/svg";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const colours = new Map(D.robots.map((r) => [r.name, r.colour]));
  const open = new Set(); // which details are open, while steps come and go
  const unfolded = location.hash.endsWith("+all"); // to print, or to search with the browser
  let now = 0, playing = 0, moving = 0, speed = 1;

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
  const acts = (i) => D.steps[i].e.filter((e) => e.k === "act");
  const label = (i) => (D.steps[i].n < 0 ? "before the first step" : "step " + D.steps[i].n);

  // -- what holds at every step ---------------------------------------------------------------------------------
  const goals = [], states = [], running = []; // goal, status, and the actions under way, by frame
  {
    let goal = "", status = { x: "", ps: 0 };
    const under = new Map();
    D.steps.forEach((s, i) => {
      if (s.g !== undefined) goal = s.g;
      for (const e of s.e) if (e.k === "status") status = e;
      goals.push(goal);
      states.push(status);
      for (const a of acts(i)) under.set(a.w, a);
      running.push(new Map([...under].filter(([, a]) => a.e === undefined || a.e >= i || s.e.includes(a))));
    });
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
    root.append(title, draw("rect", { x: x0, y: y0, width: w, height: h, fill: M.ground }), under, trails, team, over, words);
    const drawn = [], frames = [];
    let u = [], o = [], at = {};
    for (const f of M.frames) {
      u = moved(u, f.u);
      o = moved(o, f.o);
      const ways = {};
      if (f.r) {
        const next = { ...at };
        for (const [name, row] of Object.entries(f.r)) {
          if (!row) { delete next[name]; continue; }
          const [x, y, sign, ...way] = row, old = at[name];
          next[name] = { x, y, sign };
          if (old && (old.x !== x || old.y !== y)) {
            const points = [[old.x, old.y]];
            for (let k = 0; k < way.length; k += 2) points.push([way[k], way[k + 1]]);
            ways[name] = [...points, [x, y]];
          }
        }
        at = next;
      }
      frames.push({ u, o, at, ways });
    }
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
      }
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
    $("picture").append(root);
    return (i, fluent) => {
      cancelAnimationFrame(moving);
      const f = frames[i];
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
      const begun = performance.now(), long = (N > 80 ? 110 : 520) / speed;
      const tick = (t) => {
        const share = Math.min(1, Math.max(0, (t - begun) / long));
        if (share >= 1) return rest();
        put(i, share);
        moving = requestAnimationFrame(tick);
      };
      moving = requestAnimationFrame(tick);
    };
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
    $("picture").append(img);
    let timer = 0;
    return (i, fluent) => {
      clearTimeout(timer);
      let k = i;
      while (k > 0 && !stills[k].length) k--;
      const reel = stills[k];
      if (!reel.length) return;
      let n = fluent && !still && k === i ? 0 : reel.length - 1;
      const tick = () => {
        img.src = reel[n];
        if (++n < reel.length) timer = setTimeout(tick, Math.max(60, 700 / reel.length) / speed);
      };
      tick();
      img.alt = "the arms, " + label(i);
    };
  }
  function nothing(why) {
    $("picture").append(make("p", "none", "No map: " + why));
    return () => {};
  }
  const S = D.scenery;
  const picture = S.map ? mapOf(S.map) : S.stills ? filmOf(S.stills) : nothing(S.none);

  // -- the team -------------------------------------------------------------------------------------------------
  function details(key, summary, build, cls) {
    const d = make("details", cls, summary);
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
    if (!over) p.append(make("span", "mark faint", "under way"));
    else if (a.o === "done") p.append(make("span", "mark done", "✓"));
    else p.append(make("span", "mark bad", "✗ " + a.o));
    const found = [p];
    if (over && a.x) found.push(make("p", a.o === "done" ? "faint" : "bad", a.x));
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
    return details("ask/" + e.w + "/" + n, words, () => {
      const parts = [make("p", "role", e.r ? "the answer" : "The log ends before the answer.")];
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
    const words = make("summary", "", "Knows " + facts.length + " facts", faint((fresh ? fresh + " new" : "nothing new") + (wrong ? ", " : "")));
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
    const c = make("section", gone ? "robot gone" : "robot");
    c.style.borderLeftColor = hue(name);
    c.dataset.robot = name;
    const top = make("div", "top", make("span", "name", name));
    if (robot) {
      top.append(faint(robot.body));
      const at = (s.at || {})[name], holds = (s.h || {})[name];
      if (gone) top.append(make("span", "bad", "gone"));
      else top.append(faint([at ? "at " + at : "", holds ? "holds " + holds : ""].filter(Boolean).join(", ")));
      if (robot.about) top.title = robot.about;
    }
    c.append(top);
    const begun = mine.filter((e) => e.k === "act"), going = running[i].get(name);
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

  // -- the timeline ---------------------------------------------------------------------------------------------
  const LANE = 18, strip = $("strip");
  function lanes() {
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
          const end = Math.max(i, e.e === undefined ? N - 1 : e.e), idle = e.s === "wait" && e.o === "done";
          c.fillStyle = e.o && e.o !== "done" ? v("--bad") : idle ? v("--rule") : hue(e.w);
          c.fillRect(i * cell, y + 3, Math.max(1, (end - i + 1) * cell - gap), LANE - 6);
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
  const pick = (event) => go(Math.floor((event.clientX - strip.getBoundingClientRect().left) / strip.clientWidth * N));
  strip.addEventListener("pointerdown", (event) => { pause(); pick(event); strip.setPointerCapture(event.pointerId); });
  strip.addEventListener("pointermove", (event) => { if (event.buttons) pick(event); });

  // -- what was said and done -----------------------------------------------------------------------------------
  const index = [];
  D.steps.forEach((s, i) => s.e.forEach((e) => {
    if (e.k === "say") index.push({ i, e, said: true, words: e.w + " to " + (e.to.includes("all") ? "all" : e.to.join(", ")) + ": " + e.x.replace(/\s+/g, " ") });
    else if (e.k === "act" && e.s !== "wait") index.push({ i, e, words: e.w + ": " + e.a + (e.o && e.o !== "done" ? " " + e.o : "") + (e.x ? ". " + e.x : "") + (e.y ? " “" + e.y + "”" : "") });
    else if (e.k === "refused") index.push({ i, e, words: e.w + ": " + e.a + " refused. " + e.x });
    else if (e.k === "news") index.push({ i, e, said: true, words: e.x });
  }));
  const MOST = 300;
  function hits() {
    const wanted = $("search").value.trim().toLowerCase();
    const said = index.some((h) => h.said); // without talk, what was done
    const found = index.filter((h) => (wanted ? h.words.toLowerCase().includes(wanted) : h.said || !said));
    $("hits").replaceChildren(...found.slice(0, MOST).map((h) => {
      const who = make("b", "", h.e.w), rest = h.e.w ? h.words.slice(h.e.w.length) : h.words;
      const li = make("li", h.i === now ? "now" : "", make("span", "n", String(Math.max(0, D.steps[h.i].n))), make("span", "", who, rest));
      who.style.color = h.e.w ? hue(h.e.w) : "";
      li.tabIndex = 0;
      li.dataset.frame = h.i;
      const jump = () => { pause(); go(h.i); };
      li.addEventListener("click", jump);
      li.addEventListener("keydown", (event) => { if (event.key === "Enter") jump(); });
      return li;
    }));
    if (found.length > MOST) $("hits").append(make("li", "", make("span"), faint((found.length - MOST) + " more")));
    if (!found.length) $("hits").append(make("li", "", make("span"), faint(wanted ? "Nothing says that." : "Nothing yet.")));
  }
  $("search").addEventListener("input", hits);

  // -- one step -------------------------------------------------------------------------------------------------
  function go(i, fluent) {
    now = Math.max(0, Math.min(N - 1, i || 0));
    const s = D.steps[now], state = states[now], percent = Math.round(100 * state.ps) + " %";
    $("scrub").value = now;
    $("when").textContent = label(now) + (D.steps[N - 1].n >= 0 ? " (0 to " + D.steps[N - 1].n + ")" : "") + " · " + Math.round(s.t) + " s";
    $("goal").textContent = goals[now];
    $("percent").textContent = percent;
    $("part").style.width = percent.replace(" ", "");
    $("status").textContent = state.x;
    $("news").replaceChildren(...s.e.filter((e) => e.k === "news").map((e) => make("li", "", e.x)));
    picture(now, fluent);
    team(now);
    lanes();
    for (const li of $("hits").children) li.classList.toggle("now", li.dataset.frame === String(now));
    try { history.replaceState(null, "", hash(now)); } catch (e) { /* a viewer of mail may not allow it */ }
  }
  function pause() { clearTimeout(playing); playing = 0; $("play").textContent = "Play"; }
  function play() {
    if (playing) return pause();
    if (now === N - 1) go(0);
    $("play").textContent = "Pause";
    const on = () => {
      if (now >= N - 1) return pause();
      go(now + 1, true);
      const talk = D.steps[now].e.some((e) => (e.k === "say" && N <= 80) || e.k === "news");
      playing = setTimeout(on, (talk ? 2600 : N > 80 ? 130 : 1100) / speed);
    };
    playing = setTimeout(on, 150);
  }
  $("play").addEventListener("click", play);
  $("back").addEventListener("click", () => { pause(); go(now - 1); });
  $("next").addEventListener("click", () => { pause(); go(now + 1, true); });
  $("scrub").addEventListener("input", (event) => { pause(); go(Number(event.target.value)); });
  $("speed").addEventListener("change", (event) => { speed = Number(event.target.value); });
  addEventListener("keydown", (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || at.id === "search" || at.tagName === "SELECT") return;
    const keys = { ArrowLeft: () => { pause(); go(now - 1); }, ArrowRight: () => { pause(); go(now + 1, true); }, Home: () => { pause(); go(0); }, End: () => { pause(); go(N - 1); } };
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
  addEventListener("hashchange", () => { if (named() !== now) go(named()); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", lanes);

  // -- the beginning --------------------------------------------------------------------------------------------
  $("title").textContent = D.task + " in " + D.scene;
  $("verdict").textContent = D.verdict.text;
  $("verdict").className = D.verdict.ok === null ? "" : D.verdict.ok ? "yes" : "no";
  $("settings").textContent = D.settings.join(" · ");
  $("figures").append(...D.figures.map(([key, value, name, meaning]) => {
    const dd = make("dd", "", value), box = make("div", "", dd, make("dt", "", name));
    dd.dataset.figure = key;
    box.title = meaning;
    return box;
  }));
  $("names").append(...D.robots.map((r) => { const d = make("div", "", r.name); d.style.color = r.colour; return d; }));
  const sign = (colour, words) => { const i = make("i"); i.style.background = colour; return [i, words]; };
  $("key").append(...sign(D.robots.length ? D.robots[0].colour : "#75757f", "acts (in its colour)"), ...sign("var(--rule)", "waits"), ...sign("var(--bad)", "fails"), ...sign("#e3a008", "something happens to the task"), " ○ speaks");
  $("scrub").max = N - 1;
  hits();
  go(named());
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
