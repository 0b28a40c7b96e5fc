// The program of the pages: themes; forms whose answers are patched into the page, so that nothing loses its focus;
// the keyboard on boards; one stream that says when a page has changed. What is shown comes from the server; no rule
// of a game is known here.
const root = document.documentElement;
root.classList.add("js");
const live = () => document.getElementById("live");

// The theme: the system's until the reader chooses.
const kept = {
  get(k) { try { return localStorage.getItem(k); } catch { return null; } },
  set(k, v) { try { localStorage.setItem(k, v); } catch { /* nothing may be stored: then nothing is */ } },
};
if (["light", "dark"].includes(kept.get("spar-theme"))) root.dataset.theme = kept.get("spar-theme");
document.querySelector(".theme").addEventListener("click", () => {
  const now = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  root.dataset.theme = now === "dark" ? "light" : "dark";
  kept.set("spar-theme", root.dataset.theme);
});

// patch makes an element like another one without replacing what is the same: the focus stays, and only what is new
// is animated.
function patch(old, now) {
  if (old.nodeType !== now.nodeType || old.nodeName !== now.nodeName || (old.id || "") !== (now.id || "")) {
    old.replaceWith(now.cloneNode(true));
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== now.data) old.data = now.data;
    return;
  }
  if (old.nodeType !== Node.ELEMENT_NODE || old.isEqualNode(now)) return;
  const busy = old === document.activeElement && old.matches("input:not([type=checkbox]),textarea,select");
  const ours = ({ name }) => !/^(open|checked)$/.test(name) && !(busy && name === "value"); // not what the reader sets
  for (const { name, value } of [...now.attributes].filter(ours)) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const { name } of [...old.attributes].filter(ours)) {
    if (!now.hasAttribute(name)) old.removeAttribute(name);
  }
  if (old.matches("input[type=checkbox]")) old.checked = now.checked;
  if (old.matches("input[type=hidden]")) old.value = now.value;
  if (busy) return;
  if (old.matches("textarea")) old.value = now.value;
  const next = [...now.childNodes];
  const have = [...old.childNodes];
  next.forEach((n, i) => { if (have[i]) patch(have[i], n); else old.append(n.cloneNode(true)); });
  have.slice(next.length).forEach((n) => n.remove());
}

// take shows the page that a text is, at an address if it is a new one.
let query = "";
function take(text, address) {
  const page = new DOMParser().parseFromString(text, "text/html");
  const now = page.getElementById("live");
  if (!now) return;
  if (address) {
    const at = new URL(address, location.href);
    history[at.pathname === location.pathname ? "replaceState" : "pushState"](null, "", at.pathname + at.search);
  }
  const focus = document.activeElement?.dataset?.cell;
  const ghost = document.activeElement?.closest?.(".ghost");
  patch(live(), now);
  document.title = page.title;
  if (focus !== undefined && !ghost) rove(document.getElementById("c" + focus),
    document.activeElement === document.body);
  if (document.activeElement === document.body && lost) (document.querySelector("[role=grid] button[tabindex='0']") ||
    live()).focus?.();
  lost = false;
  document.querySelectorAll(".moves").forEach((l) => { l.scrollTop = l.scrollHeight; });
  dress();
}
// A tone for every move, a lower one for what leaves the board, two at the end; off until it is switched on.
let tones, heard = Number(document.querySelector("main")?.dataset.ply || 0);
function sound(...pitches) {
  if (kept.get("spar-sound") !== "on" || !window.AudioContext) return;
  tones ||= new AudioContext();
  pitches.forEach((pitch, i) => {
    const [tone, loud, at] = [tones.createOscillator(), tones.createGain(), tones.currentTime + i * 0.14];
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.13);
    tone.connect(loud).connect(tones.destination);
    tone.start(at);
    tone.stop(at + 0.14);
  });
}
function listenToMoves() {
  const ply = Number(document.querySelector("main")?.dataset.ply || 0);
  if (ply !== heard) sound(...(document.querySelector(".ended") ? [520, 780]
    : document.querySelector(".boardform .gone, .boardform .old") ? [520, 330] : [520]));
  heard = ply;
}
// The board seen from the other side; the arrow keys go where they point.
function flip(on) {
  root.classList.toggle("flipped", on);
  document.querySelectorAll("button.flip").forEach((b) => b.setAttribute("aria-pressed", on));
}
document.addEventListener("click", (e) => { if (e.target.closest("button.flip")) flip(!root.classList.contains("flipped")); });
let lost = false; // the focus was on something that may be gone

let pending = Promise.resolve();
let choosing; // while a piece that was chosen is not yet marked
function load(method, address, body) {
  pending = pending.then(async () => {
    lost = document.activeElement !== document.body;
    const answer = await (globalThis.sparFetch || fetch)(address, { method, body, headers: { Accept: "text/html" } });
    if ((answer.headers.get("Content-Type") || "").startsWith("text/html")) take(await answer.text(),
      answer.redirected && answer.url); // else it is the page, or says what is wrong with what was sent
    if (/(new|start|home)$/.test(address)) scrollTo({ top: 0, behavior: "instant" }); // another page, in one of a file
  }).catch(() => { /* the server is away: the stream says when it is back */ });
  return pending;
}
// refresh asks for the page as it is now. A page that something is being worked out for, and that steps through a
// game, shows how far that is, and everything when it is there.
const refresh = () => {
  const busy = document.querySelector("[data-busy]");
  if (!busy) return load("GET", location.pathname + (query || location.search));
  return fetch(location.href, { headers: { Accept: "text/html" } }).then((a) => a.text()).then((text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    if (!page.querySelector("[data-busy]")) { location.reload(); return; }
    const [old, now] = [document.getElementById("progress"), page.getElementById("progress")];
    if (old && now) patch(old, now);
  }).catch(() => {});
};

document.addEventListener("submit", (e) => {
  const form = e.target;
  const by = e.submitter;
  if (!form.matches("[data-patch]")) return;
  e.preventDefault();
  if (choosing && by?.id) { // the next key came before the chosen piece is marked
    choosing.then(() => document.getElementById(by.id)?.click());
    return;
  }
  const data = new URLSearchParams(new FormData(form));
  if (by?.name) data.append(by.name, by.value);
  if (by?.getAttribute("formmethod") === "get") {
    query = by.value ? `?from=${by.value}` : "";
    choosing = load("GET", form.dataset.self + query).then(() => { choosing = undefined; });
    return;
  }
  query = "";
  form.querySelectorAll("input[name=move]").forEach((i) => { i.value = ""; });
  if (form.method === "get") {
    const to = `${form.getAttribute("action")}?${data}`;
    history.replaceState(null, "", to);
    load("GET", to);
    return;
  }
  load("POST", by?.hasAttribute("formaction") ? by.formAction : form.action, data);
});
document.addEventListener("click", (e) => {
  const a = e.target.closest("a[data-get]");
  if (!a || e.ctrlKey || e.metaKey) return;
  e.preventDefault();
  query = "";
  load("GET", a.href);
});
document.addEventListener("change", (e) => {
  if (e.target.id === "keys") kept.set("spar-keys", e.target.checked ? "on" : "off");
  if (e.target.id === "discs") { kept.set("spar-discs", e.target.checked ? "on" : "off"); dress(); }
  if (e.target.id === "sound") { kept.set("spar-sound", e.target.checked ? "on" : "off"); sound(660); }
  const form = e.target.closest("form[data-auto]");
  if (form) form.requestSubmit(form.querySelector(".auto"));
});
// A text is checked while it is written.
let written;
document.addEventListener("input", (e) => {
  const form = e.target.closest("form[data-live]");
  clearTimeout(written);
  if (form) written = setTimeout(() => form.requestSubmit(), 400);
  if (form) draft([location.href, e.target.value]);
});
// A text with an error is in no address: a reload shows it again.
function draft(text) {
  try {
    if (text) sessionStorage.setItem("spar-text", JSON.stringify(text));
    return JSON.parse(sessionStorage.getItem("spar-text")) || [];
  } catch { return []; } // nothing may be stored
}
const writing = document.querySelector("form[data-live] textarea");
if (writing && draft()[0] === location.href && draft()[1] !== writing.value) {
  writing.value = draft()[1];
  setTimeout(() => writing.form.requestSubmit());
}
document.addEventListener("focusin", (e) => { if (e.target.matches(".link input")) e.target.select(); });

// Boards: the arrows move the focus over the cells, and one cell alone is a stop of the Tab key.
function rove(to, focus) {
  if (!to) return;
  to.closest("[role=grid]").querySelectorAll("button[tabindex='0']").forEach((b) => b.setAttribute("tabindex", "-1"));
  to.setAttribute("tabindex", "0");
  if (focus) to.focus();
}
const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
function arrows(e, cell) {
  const rows = [...cell.closest("tbody").querySelectorAll("tr:not(.ghost)")].map((r) =>
    [...r.querySelectorAll("[role=gridcell] button")]);
  const r = rows.findIndex((row) => row.includes(cell));
  const c = rows[r].indexOf(cell);
  const row = rows[r];
  let to;
  const way = root.classList.contains("flipped") ? -1 : 1;
  if (e.key === "Home") to = row.at(way > 0 ? 0 : -1);
  else if (e.key === "End") to = row.at(way > 0 ? -1 : 0);
  else if (steps[e.key]) {
    const [dr, dc] = steps[e.key].map((d) => d * way);
    to = rows[(r + dr + rows.length) % rows.length][(c + dc + row.length) % row.length];
  }
  if (!to) return;
  e.preventDefault();
  rove(to, true);
}
document.addEventListener("keydown", (e) => {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  const cell = e.target.closest?.("[role=gridcell] button");
  if (cell) arrows(e, cell);
  if (e.defaultPrevented || e.target.matches("input:not([type=checkbox]):not([type=radio]),textarea,select")) return;
  if (e.key === "Escape" && query) { query = ""; refresh(); return; }
  if (kept.get("spar-keys") === "off") return;
  if (/^[1-9]$/.test(e.key) && document.querySelector("[data-digits]")) {
    const button = document.getElementById("c" + (Number(e.key) - 1));
    if (button) { e.preventDefault(); rove(button, true); button.click(); }
    return;
  }
  const button = document.querySelector(`[data-key="${CSS.escape(e.key)}"]`);
  if (button && !button.disabled) {
    e.preventDefault();
    button.click();
    if (e.key === "?") button.scrollIntoView({ block: "nearest" });
  }
});

// What a move takes from the board shows while its cell is pointed at, or has the focus.
function preview(e, on) {
  const cell = e.target.closest?.("[data-removes]");
  if (!cell) return;
  document.querySelectorAll(".would").forEach((c) => c.classList.remove("would"));
  if (on) for (const c of cell.dataset.removes.split(" ").filter(Boolean)) document.getElementById("c" +
    c)?.closest("td").classList.add("would");
}
for (const [name, on] of [["pointerover", true], ["pointerout", false], ["focusin", true],
  ["focusout", false]]) document.addEventListener(name, (e) => preview(e, on));

// The stream: one a page. It is closed while the page is hidden; a page that comes back asks for what it has missed.
// Without a stream the page asks by itself.
let stream, asking, last = 0, leave;
const ask = () => { clearInterval(asking); asking = setInterval(() => { if (!document.hidden) refresh(); }, 2000); };
function connect(topics) {
  last ||= Number(live().dataset.since);
  stream = new EventSource(`/events?topics=${encodeURIComponent(topics)}&since=${last}`);
  let opened = false;
  stream.onopen = () => { opened = true; clearInterval(asking); root.classList.remove("away"); };
  stream.onerror = () => root.classList.add("away");
  stream.addEventListener("changed", (e) => { last = Number(e.lastEventId); refresh(); });
  const own = stream;
  setTimeout(() => { if (!opened && own === stream) ask(); }, 5000);
}
// A browser has six connections to a server: four pages may have a stream, the others ask by themselves.
async function listen() {
  const topics = live().dataset.topics;
  clearInterval(asking);
  stream?.close();
  stream = undefined;
  leave?.();
  if (!topics || document.hidden) return;
  if (!navigator.locks) { connect(topics); return; }
  for (let place = 0; place < 4; place++) {
    const mine = await new Promise((tell) => {
      navigator.locks.request(`spar-stream-${place}`, { ifAvailable: true }, (lock) => {
        tell(!!lock);
        return lock ? new Promise((r) => { leave = r; }) : undefined;
      });
    });
    if (mine) { connect(topics); return; }
  }
  ask();
}
document.addEventListener("visibilitychange", listen);
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (e) => { if (e.persisted) { listen(); refresh(); } });
addEventListener("popstate", () => location.reload());

function dress() {
  // The colours of the sides: no style of an element passes the policy of the pages but from here.
  for (const [what, names] of [["sides", ["--x", "--x-ink", "--o", "--o-ink"]], ["hues", ["--first", "--second"]]]) {
    document.querySelectorAll(`[data-${what}]`).forEach((e) => e.dataset[what].split(" ").forEach((colour, i) =>
      e.style.setProperty(names[i], colour)));
  }
  root.classList.toggle("discs", kept.get("spar-discs") === "on");
  document.querySelectorAll("#discs").forEach((k) => { k.checked = root.classList.contains("discs"); });
  document.querySelectorAll("#sound").forEach((k) => { k.checked = kept.get("spar-sound") === "on"; });
  document.querySelectorAll("button.flip").forEach((b) =>
    b.setAttribute("aria-pressed", root.classList.contains("flipped")));
  listenToMoves();
  document.querySelectorAll("#keys").forEach((k) => { k.checked = kept.get("spar-keys") !== "off"; });
}
dress();
listen();
