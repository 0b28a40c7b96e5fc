
// The page without a server: a worker answers what the forms send, with the HTML that serve would send.
const part = (id) => document.getElementById(id);
const kit = new Blob([part("worker").textContent], { type: "text/javascript" });
const engine = new Worker(URL.createObjectURL(kit));
const waiting = new Map();
let asked = 0;
engine.onmessage = ({ data: [id, text] }) => { waiting.get(id)?.(text); waiting.delete(id); };
engine.onerror = (e) => { for (const tell of waiting.values()) tell(failed(e.message)); waiting.clear(); };
const failed = (why) => `<main id="main"><p class="error" role="alert">The engine of this page does not start: ${
  String(why).replace(/[&<]/g, (c) => `&#${c.charCodeAt(0)};`)}</p></main>`;
const askEngine = (what, form) => new Promise((tell) => {
  waiting.set(++asked, tell);
  engine.postMessage([asked, what, String(form)]);
});
engine.postMessage([0, "module", part("module").textContent, part("files").textContent]);
globalThis.sparEngine = askEngine; // for tests
// The colours of the sides are set by the script again: the policy of the page allows no style in text.
const front = live().innerHTML.replaceAll(/ style="[^"]*"/g, "");

// dressed adds to an answer what the page has once: levels, rules, keys.
function dressed(html) {
  const page = document.createElement("template");
  page.innerHTML = html;
  const game = page.content.querySelector("main")?.dataset.game;
  page.content.querySelector("#level")?.prepend(part("levels").content.cloneNode(true));
  page.content.querySelectorAll("[data-rules]").forEach((place) => {
    const rules = document.createElement("details");
    rules.open = true;
    rules.innerHTML = "<summary>Rules</summary>";
    rules.append(part(`rules-${game}`).content.cloneNode(true));
    place.append(rules, part("key-help").content.cloneNode(true));
  });
  page.content.querySelectorAll("[data-link]").forEach((i) =>
    i.setAttribute("value", `${location.href.split("#")[0]}#${i.dataset.link}`));
  return page.innerHTML;
}
// random is a seed for the agents of a game.
const random = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);

globalThis.sparFetch = async (address, { method, body } = {}) => {
  const at = new URL(address, location.href);
  const form = new URLSearchParams(method === "POST" ? body : at.search);
  let what = at.pathname.split("/").pop();
  let html;
  if (what === "home") html = front;
  else if (what === "start") html = part(`start-${form.get("game")}`).innerHTML;
  else {
    if (what === "new" && !form.has("seed")) form.set("seed", random());
    if (!["new", "move", "undo", "redo", "hint", "think"].includes(what)) what = "play";
    html = await askEngine(what, form);
  }
  if (/^<main [^>]*data-think/.test(html)) setTimeout(() => load("POST", "think", ""), 20);
  return { url: location.href, headers: new Headers({ "Content-Type": "text/html" }),
    text: async () => `<title>${document.title}</title><div id="live" data-topics="" data-since="0">${dressed(html)}</div>` };
};
part("home").addEventListener("click", (e) => { e.preventDefault(); query = ""; load("GET", "home"); });

// A link holds a game: its rules, who played, and the moves.
function open() {
  const link = new URLSearchParams(location.hash.slice(1));
  if (!part(`start-${link.get("game")}`)) return load("GET", "home");
  const seats = [link.get("first"), link.get("second")];
  const level = seats.find((s) => s && s !== "human") || "people";
  return load("POST", "new", new URLSearchParams({ game: link.get("game"), rules: link.get("rules") || "", level,
    side: seats[0] === level ? "second" : "first", seed: link.get("seed") || random(), moves: link.get("moves") || "" }));
}
open();
// The first decisions of a module are slow: some are made while the page is read.
askEngine("selfplay", new URLSearchParams({ game: document.querySelector("template[id^=rules-]").id.slice(6),
  agent: "mcts-1k", seed: "1", plies: "2" }));
