"use strict";
(() => {
  const root = document.documentElement;
  const served = document.body.classList.contains("served"); // the pages of a server have a program for the rest
  root.classList.add("js");

  // The theme: the system's until the reader chooses; the choice is kept where the browser allows that.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const store = {
    get() { try { return localStorage.getItem("spar-theme"); } catch { return null; } },
    set(v) { try { localStorage.setItem("spar-theme", v); } catch { /* a page from a file may not store anything */ } },
  };
  if (!served) {
    if (["light", "dark"].includes(store.get())) root.dataset.theme = store.get();
    document.querySelector(".theme").addEventListener("click", () => {
      const now = root.dataset.theme || (dark.matches ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
      store.set(root.dataset.theme);
    });
  }

  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

  for (const [what, names] of [["sides", ["--x", "--x-ink", "--o", "--o-ink"]], ["hues", ["--first", "--second"]]]) {
    document.querySelectorAll(`[data-${what}]`).forEach((e) => e.dataset[what].split(" ").forEach((colour, i) =>
      e.style.setProperty(names[i], colour)));
  }

  // Games: every cell is patched, never made anew, so that nothing loses its focus.
  const digits = ".123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const marks = [
    ["next", "n", "leaves next"], ["gone", "x", "captured"], ["flip", "v", "turned over"], ["old", "o", "left by age"],
    ["win", "w", "decisive line"],
  ];
  const step = (game) => {
    const data = JSON.parse(game.querySelector("script").textContent);
    const cells = [...game.querySelectorAll(".board tbody td")];
    const moves = [...game.querySelectorAll(".moves li")];
    const list = game.querySelector(".moves");
    const say = game.querySelector(".say");
    const hands = game.querySelector(".hands");
    const cursor = game.querySelector(".cursor");
    const fixed = cells.map((cell) => [...cell.classList].filter((name) => /^(goal|hole|gap)/.test(name)));
    let at = data.at;
    let moved = false;
    const show = (ply) => {
      at = Math.max(0, Math.min(data.frames.length - 1, ply));
      const f = data.frames[at];
      cells.forEach((cell, c) => {
        const piece = f.b[c];
        const names = [...fixed[c], ...{ ".": [], "#": fixed[c].includes("hole") ? [] : ["blocked"] }[piece] || [piece]];
        const words = [];
        const add = (on, name, text) => { if (on) { names.push(name); words.push(text); } };
        for (const [name, key, text] of marks.slice(0, 1)) add((f[key] || []).includes(c), name, text);
        add(f.t === c, "to", "last move");
        add(f.f === c, "from", "moved from here");
        for (const [name, key, text] of marks.slice(1)) add((f[key] || []).includes(c), name, text);
        cell.className = names.join(" ");
        cell.children[0].textContent = piece === "." || piece === "#" ? "" : f.k ? f.k[c] : piece;
        cell.children[1].textContent = f.a && f.a[c] !== "." ? digits.indexOf(f.a[c]) : "";
        cell.children[2].textContent = words.join(", ");
      });
      moves.forEach((li, i) => {
        if (i + 1 === at) li.setAttribute("aria-current", "step"); else li.removeAttribute("aria-current");
      });
      const li = moves[Math.max(0, at - 1)];
      if (li) list.scrollTop = li.offsetTop - list.offsetTop - list.clientHeight / 2;
      if (hands) hands.textContent = f.h;
      if (cursor) cursor.setAttribute("d", `M${(at * cursor.dataset.step).toFixed(1)} -4V104`);
      say.textContent = [f.s, data.notes[at]].filter(Boolean).join(" ");
      if (!moved || !served) return;
      history.replaceState(null, "", `#p${at}`);
      document.querySelectorAll("[data-ply-of-game]").forEach((i) => { i.value = at; });
    };
    // Playing through: a ply at a time, at the pace that was chosen, until it is paused, stepped, or over.
    const player = game.querySelector("[data-go=play]");
    const pace = game.querySelector("[data-pace]");
    let timer;
    const pause = () => {
      clearInterval(timer);
      timer = undefined;
      if (player) { player.textContent = "Play through"; player.setAttribute("aria-pressed", "false"); }
    };
    const run = () => {
      clearInterval(timer);
      timer = setInterval(() => { show(at + 1); if (at === data.frames.length - 1) pause(); }, Number(pace.value));
      player.textContent = "Pause";
      player.setAttribute("aria-pressed", "true");
    };
    const go = {
      play: () => { if (timer || !player) { pause(); return; } if (at === data.frames.length - 1) show(0); run(); },
      start: () => show(0),
      back: () => show(at - 1),
      next: () => show(at + 1),
      end: () => show(data.frames.length - 1),
      mistake: () => show(data.bad.find((p) => p > at) ?? data.bad[0] ?? at),
      before: () => show(data.bad.findLast((p) => p < at) ?? data.bad.at(-1) ?? at),
    };
    const act = (what) => { if (what !== "play") pause(); go[what](); };
    pace?.addEventListener("change", () => { if (timer) run(); });
    const keys = {
      " ": "play", ArrowLeft: "back", ArrowRight: "next", Home: "start", End: "end", n: "mistake", p: "before",
    };
    game.querySelector(".stage").addEventListener("keydown", (e) => {
      const what = keys[e.key];
      if (!what || e.ctrlKey || e.altKey || e.metaKey || e.target.matches("select")) return;
      if (what === "play" && e.target.matches("button")) return;
      e.preventDefault();
      act(what);
    });
    game.querySelectorAll("[data-go]").forEach((b) => {
      if (b.dataset.go === "mistake" && !data.bad.length) b.hidden = true;
      b.addEventListener("click", () => act(b.dataset.go));
    });
    moves.forEach((li) => li.addEventListener("click", () => { pause(); show(Number(li.dataset.ply)); }));
    const wanted = served && /^#p(\d+)$/.exec(location.hash);
    show(wanted ? Number(wanted[1]) : at);
    moved = true;
  };
  document.querySelectorAll(".game").forEach(step);
})();
