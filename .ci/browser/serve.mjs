// Opens the pages of "spar serve" in the Chromium that is installed and uses them as a person does: whole games by
// mouse and by keyboard, undo, swap, chains of jumps, edges that meet, hints, a run while it plays, a server that
// goes away and comes back, pages without their program; axe on every page in both themes, and no page wider than its
// window at three widths. Nothing
// may be refused by the pages' policy and nothing may stand in the console.
//
//	node serve.mjs SPAR SCRATCH            [--shots DIR] keeps screenshots
import { spawn, execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = process.argv.slice(2);
const at = args.indexOf("--shots");
const shots = at >= 0 ? args.splice(at, 2)[1] : "";
if (shots) mkdirSync(shots, { recursive: true });
const [spar, scratch] = args;
const failures = [];
const fail = (what) => { failures.push(what); console.error(what); };
const wait = (ms) => new Promise((r) => setTimeout(r, ms));
// A page that is busy loads itself again once it is not; half a document has nothing busy yet.
const atRest = (page) => page.waitForFunction(() => document.readyState === "complete" &&
  !document.querySelector("[data-busy]"), null, { timeout: 30000 });

// start runs spar until it has printed an address, with the token that its pages ask for.
const tokens = {};
let folder = scratch; // where spar runs
function start(...argv) {
  const child = spawn(spar, argv, { cwd: folder });
  const address = new Promise((resolve, reject) => {
    let said = "";
    const hear = (b) => { said += b; const m = /(http:\S+)\/\?token=(\w+)/.exec(said);
      if (m) { tokens[m[1]] = m[2]; resolve(m[1]); } };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => reject(new Error(`spar ${argv.join(" ")} ended with ${code}: ${said}`)));
  });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  address.catch(() => {});
  return { child, address, ended, stop: (signal = "SIGINT") => { child.kill(signal); return ended; } };
}

execFileSync(spar, ["run", "quickstart", "--set", "pairs=1", "--db", "out/q.db"], { cwd: scratch, stdio: "ignore" });
execFileSync(spar, ["sweep", "vanishing-size", "--set", "games=4", "--set", "fresh=4", "--set", "ladder=0", "--set",
  "tiers=[1]", "--db", "out/size.db"], { cwd: scratch, stdio: "ignore" });
writeFileSync(join(scratch, "m.yaml"), "{name: m, games: [classic], agents: [greedy, random], format: match, pairs: 400, openings: {plies: 2}, stop: {sprt: {elo0: 0, elo1: 60}}, seed: 4}");
execFileSync(spar, ["run", "m.yaml", "--db", "out/m.db"], { cwd: scratch, stdio: "ignore" });
writeFileSync(join(scratch, "mine.yaml"), "name: mine # my own\nboard: {columns: 3, rows: 3}\npieces: {cap: 3}\nwin: {line: 3}\ndraw: {max_plies: 60}\n");
let server = start("serve", "--listen", "127.0.0.1:0", "--rules", "mine.yaml");
let base = await server.address;
const cookie = () => ({ name: `spar-${new URL(base).port}`, value: tokens[base] });
const ask = (path, how = {}) => fetch(base + path,
  { ...how, headers: { ...how.headers, Cookie: `${cookie().name}=${cookie().value}` } });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

let away = false; // the server is meant not to answer
async function open(name, context, check) {
  const c = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  await c.addCookies([{ ...cookie(), url: base }]);
  const page = await c.newPage();
  const say = (what) => fail(`${name}: ${what}`);
  page.on("console", (m) => { if (["error", "warning"].includes(m.type()) && !away &&
    !/status of 4(09|22)/.test(m.text())) say(`console: ${m.text()}`); });
  page.on("pageerror", (e) => say(`error: ${e.message}`));
  page.on("request", (r) => { if (!r.url().startsWith(base) &&
    !/^(data|blob):/.test(r.url())) say(`asks for ${r.url()}`); });
  try { await check(page, say); } catch (e) { say(e.message.split("\n").slice(0, 3).join(" ")); }
  await c.close();
}

// begin makes a game and returns its address.
async function begin(form) {
  const r = await ask("/play", { method: "POST", body: new URLSearchParams(form), redirect: "manual" });
  if (r.status !== 303) throw new Error(`${JSON.stringify(form)}: ${r.status} ${await r.text()}`);
  return r.headers.get("Location");
}
const api = async (path, form) => (await ask(path,
  { method: form ? "POST" : "GET", body: form && new URLSearchParams(form),
  headers: { Accept: "application/json" } })).json();
const plyOf = (page) => page.locator("main").getAttribute("data-ply").then(Number);
async function settled(page, path, more) {
  for (let i = 0; i < 400; i++) {
    const [seen, state] = [await plyOf(page), await api(path)];
    if (!state.thinking && seen === state.ply && more(state)) return state;
    await wait(25);
  }
  throw new Error(`the page stands at ply ${await plyOf(page)}`);
}

// play clicks its way through a game, the same way each time.
async function play(page, say, form, most) {
  const path = await begin(form);
  await page.goto(base + path);
  let seed = 7, state = await settled(page, path, () => true), chosen = false;
  const next = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
  while (state.result === "ongoing" && state.ply < most) {
    const cells = page.locator(chosen ? "[role=gridcell].legal > button"
      : "[role=gridcell].legal > button, [role=gridcell].can > button");
    const words = page.locator(".boardform .controls button");
    const n = await cells.count(), w = await words.count();
    if (!n && !w) throw new Error(`nothing to click at ply ${state.ply}: ${state.legal}`);
    if (!n || (w && next(3) === 0)) await words.first().click();
    else {
      const cell = cells.nth(next(n));
      const picks = (await cell.getAttribute("name")) === "from";
      await cell.click();
      if (picks) { await page.locator("[role=gridcell].legal > button").first().waitFor({ timeout: 5000 });
        chosen = true; continue; }
    }
    chosen = false;
    const old = state.ply;
    state = await settled(page, path, (s) => s.ply > old);
  }
  const text = await page.locator("#status").textContent();
  if (state.result !== "ongoing" && !/won|draw/i.test(text)) say(`the end says "${text}"`);
  if (state.result !== "ongoing" && !state.game) say("the finished game is not stored");
  return state;
}

const t0 = Date.now();
const step = (what) => console.log(`${((Date.now() - t0) / 1000).toFixed(1)} s ${what}`);

step("whole games by mouse");
for (const rules of ["classic", "vanishing", "rolling", "checkerboard", "infiltration", "ctor"]) {
  await open(`mouse, ${rules}`, {}, async (page, say) => {
    const state = await play(page, say, { rules, agent: "greedy" }, 500);
    if (state.result === "ongoing") say("has no end");
  });
}

step("a whole game by keyboard");
await open("keyboard", {}, async (page, say) => {
  const path = await begin({ rules: "classic", agent: "random" });
  await page.goto(base + path);
  for (let i = 0; i < 40 && !(await page.evaluate(() => document.activeElement.dataset.cell));
    i++) await page.keyboard.press("Tab");
  let state = await api(path);
  for (let tries = 0; state.result === "ongoing" && tries < 60; tries++) {
    const on = await page.evaluate(() => document.activeElement.getAttribute("aria-label") ||
      document.activeElement.outerHTML.slice(0, 80));
    if (!/^[a-c][1-3], /.test(on)) { say(`the focus is on ${on}`); break; }
    if (/legal/.test(on)) {
      const old = state.ply;
      await page.keyboard.press("Enter");
      state = await settled(page, path, (s) => s.ply > old);
      continue;
    }
    await page.keyboard.press(tries % 3 === 2 ? "ArrowDown" : "ArrowRight");
  }
  if (state.result === "ongoing") say("has no end");
  const again = await begin({ rules: "vanishing", opponent: "person" });
  await page.goto(base + again);
  await page.keyboard.press("5");
  await settled(page, again, (s) => s.moves[0] === "b2");
  await page.keyboard.press("u");
  await settled(page, again, (s) => s.ply === 0);
});

step("undo after a removal by age");
await open("undo", {}, async (page, say) => {
  const path = await begin({ rules: "vanishing", opponent: "person", moves: "b2 a1 a2 c2 c3" });
  await page.goto(base + path);
  const board = () => page.locator("[role=grid] tbody").innerText();
  for (const m of ["b1", "c1"]) {
    if (m === "c1") {
      // a board that arrives under a pointer at rest has no preview yet: a person moves the pointer, too
      for (let i = 0; i < 20 && !(await page.locator(".would").count()); i++) {
        await page.mouse.move(0, i);
        await page.locator("#c2").hover();
        await wait(100);
      }
      if (!(await page.locator(".would").count())) say("no preview of the piece that leaves");
    }
    await page.fill("#typed", m);
    await page.keyboard.press("Enter");
    await page.waitForFunction((t) => document.querySelector("#say").textContent.includes(t), m);
  }
  if (!(await page.locator("#say").textContent()).includes("the oldest leaves: b2")) say("the removal is not said");
  const after = await board();
  await page.click("text=Undo");
  await settled(page, path, (s) => s.ply === 6);
  if (!/ages=b2,a2,c3\|a1,c2,b1/.test((await api(path)).position)) say("the ages are not back");
  await page.click("text=Redo");
  await settled(page, path, (s) => s.ply === 7);
  if ((await board()) !== after) say("redo shows another board");
});

// What stands on the screen is what the engine says, at every ply of random games of all shipped rules: from the
// start, and from the middle of a game. The engine is asked in another process, with the moves alone.
step("the board on the screen is the engine's");
await open("screen", {}, async (page, say) => {
  const lines = (...argv) => execFileSync(spar, argv.slice(1),
    { input: argv[0] }).toString().trim().split("\n").map((l) => JSON.parse(l));
  const seen = [];
  let seed = 3;
  const pick = (list) => list[Math.floor((seed = (seed * 1103515245 + 12345) % 2147483648) / 65536) % list.length];
  const read = () => [...document.querySelectorAll("[role=gridcell] > button")].map((b) =>
    [/\b[XO]\b/.exec(b.parentElement.className)?.[0] || ".", b.parentElement.querySelector("small")?.textContent ||
    "", b.parentElement.classList.contains("legal") || b.parentElement.classList.contains("can")]);
  const type = ([move, ply]) => new Promise((done, fail) => {
    const main = document.querySelector("main");
    new MutationObserver((_, o) => { if (Number(main.dataset.ply) > ply) { o.disconnect(); done(); } }).observe(main,
      { attributes: true });
    setTimeout(() => fail(new Error(`${move} is not played`)), 10000);
    document.querySelector("#typed").value = move;
    document.querySelector("form.typed").requestSubmit();
  });
  for (const { name: rules } of lines("", "rules", "list", "--json")) for (const from of [0, 20]) {
    const path = await begin({ rules, opponent: "person" });
    let state = await api(path);
    while (state.ply < from && state.result === "ongoing") state =
      await api(path + "/move", { ply: state.ply, move: pick(state.legal) });
    if (from && state.result !== "ongoing") continue;
    await page.goto(base + path);
    for (const end = Date.now() + 150; ;) {
      seen.push({ rules, state, screen: await page.evaluate(read) });
      if (state.result !== "ongoing" || Date.now() > end) break;
      await page.evaluate(type, [pick(state.legal), state.ply]);
      state = await api(path);
    }
  }
  const engine = lines(seen.map(({ rules, state }, id) =>
    JSON.stringify({ id, rules, moves: state.moves })).join("\n"), "replay", "--json");
  for (const [i, { rules, state, screen }] of seen.entries()) {
    const at = `${rules} after ${state.moves.join(" ")}`;
    const board = screen.map(([piece]) => piece).join("");
    const letters = engine[i].board.join(""), kinds = /[^XO.#]/.test(letters); // kinds have capitals for the first player
    const sides = kinds ? letters.replace(/[A-Z]/g, "X").replace(/[a-z]/g, "O") : letters;
    if (board !== sides.replace(/[^XO]/g, ".")) say(`${at}: shows ${board}, not ${engine[i].board}`);
    const ages = (/ages=(\S*)\|(\S*)/.exec(state.position) ||
      ["", "", ""]).slice(1).flatMap((s) => s.split(",").filter(Boolean).map((cell, n) => `${cell}:${n + 1}`));
    const shown = screen.map(([, age], n) => age &&
      `${String.fromCharCode(97 + (n % engine[i].board[0].length))}${Math.floor(n / engine[i].board[0].length) + 1}:${age}`).filter(Boolean);
    if (ages.sort().join() !== shown.sort().join()) say(`${at}: shows ages ${shown}, not ${ages}`);
    if (state.result !== engine[i].result) say(`${at}: ${state.result}, not ${engine[i].result}`);
    const onBoard = (m) => /\d/.test(m) && !(rules === "dodgem" && m.startsWith("x")); // to leave the board is a button
    if (state.result === "ongoing" && state.legal.some(onBoard) &&
      !screen.some(([, , lit]) => lit)) say(`${at}: nothing is lit`);
  }
  console.log(`${seen.length} positions of ${new Set(seen.map((s) => s.rules)).size} rules`);
  if (seen.length < 120) say(`only ${seen.length} positions`);
});

step("swap, a chain of jumps, an edge that meets, hints");
await open("pie", {}, async (page, say) => {
  const path = await begin({ rules: "infiltration", set: "turn.pie=true", opponent: "person" });
  await page.goto(base + path);
  await page.locator("[role=gridcell].legal > button").first().click();
  await page.click("button[value=swap]");
  const state = await settled(page, path, (s) => s.ply === 2);
  if (state.moves[1] !== "swap") say(`played ${state.moves}`);
});
await open("chain", {}, async (page, say) => {
  let path, state;
  let seed = 1;
  const next = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
  for (let game = 0; game < 20; game++) {
    path = await begin({ rules: "infiltration-6x6", opponent: "person" });
    state = await api(path);
    while (state.result === "ongoing" && !state.legal.includes("stop")) {
      const jumps = state.legal.filter((m) => m.includes("x"));
      const from = jumps.length ? jumps : state.legal;
      state = await api(path + "/move", { ply: state.ply, move: from[next(from.length)] });
    }
    if (state.legal.includes("stop")) break;
  }
  if (!state.legal.includes("stop")) { say("no chain came up"); return; }
  await page.goto(base + path);
  if (!(await page.locator("text=Stop here").count())) say("a chain cannot be stopped");
  const ply = state.ply;
  await page.locator("[role=gridcell].legal > button").first().click();
  state = await settled(page, path, (s) => s.ply > ply);
  if (!state.moves.at(-1).includes("x") || !state.moves.at(-2).includes("x")) say(`played ${state.moves.slice(-2)}`);
});
await open("torus", {}, async (page, say) => {
  const path = await begin({ rules: "ctor", opponent: "person" });
  await page.goto(base + path);
  await page.locator("tbody tr").nth(5).locator("td.ghost button").first().click(); // row 5, beyond the left edge
  const state = await settled(page, path, (s) => s.ply === 1);
  if (state.moves[0] !== "j5") say(`played ${state.moves}`);
});
await open("nothing to undo", {}, async (page, say) => {
  const path = await begin({ rules: "classic", agent: "greedy", side: "second" });
  await page.goto(base + path);
  await settled(page, path, (s) => s.ply === 1);
  if (await page.isEnabled("[data-key=u]")) say("the agent's first move can be undone");
  await page.locator("[role=gridcell].legal > button").first().click();
  await settled(page, path, (s) => s.ply === 3);
  if (!(await page.isEnabled("[data-key=u]"))) say("a move of a person cannot be undone");
});
await open("hint", {}, async (page, say) => {
  const path = await begin({ rules: "vanishing", opponent: "person", moves: "b1" });
  await page.goto(base + path);
  for (const [n, want] of [[1, /region/], [2, /best move/], [3, /the board shows the value of every move/]]) {
    await page.keyboard.press("h");
    await page.waitForFunction((w) => new RegExp(w).test(document.querySelector(".hint")?.textContent || ""),
      want.source, { timeout: 20000 }).catch(() => say(`step ${n}: ${want}`));
  }
  if (!(await page.locator("[role=gridcell][class*=worth] em").count())) say("no values on squares, or no shading");
});

step("review");
const pasted = "/review?rules=vanishing&moves=b2+a1+a2+c2+c3+b1+c1";
await open("review", {}, async (page, say) => {
  await page.goto(base + pasted);
  await atRest(page);
  await page.locator(".stage").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("n");
  if (!/Ply 1: X b2\. Mistake: b1 was best/.test(await page.locator(".say").first().textContent())) say(`the first mistake: ${await page.locator(".say").first().textContent()}`);
  await page.keyboard.press("Home");
  await page.selectOption("[data-pace]", "fast");
  await page.click("text=Play through");
  await page.selectOption("[data-pace]", "slow"); // from the next ply on: there is time to pause, whatever else the machine does
  await page.locator(".say", { hasText: /^Ply 2:/ }).waitFor({ timeout: 10000 }).catch(() =>
    say("the game does not play through"));
  await page.click("text=Pause");
  if (!(await page.locator(".moves em.mistake span").first().textContent()).includes("??")) say("no icon of a class in the list");
  await page.locator(".stage").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => location.hash === "#p1" && document.querySelector("#upto").value === "1", null,
    { timeout: 5000 }).catch(() => say(`at ${page.url()}`));
  await page.click("text=Show the position");
  await page.locator("#position").waitFor({ timeout: 10000 });
  await atRest(page);
  await page.click("#position #c8"); // c3: the review of another game
  await page.locator("#position h3", { hasText: "After ply 2, X to move" }).waitFor({ timeout: 10000 });
  if ((await page.inputValue("#copy")) !== "vanishing: b2 c3") say(`the text is ${await page.inputValue("#copy")}`);
  await atRest(page);
  await page.goto(base + pasted);
  await page.selectOption("#against", "random");
  await page.fill("#upto", "3");
  await page.click("text=Play from here");
  await page.waitForURL(/\/play\/./);
  if ((await page.locator(".moves li").count()) !== 3) say("playing on has other moves");
});

await open("cells that a shot has blocked", {}, async (page, say) => {
  await page.goto(`${base}/review?rules=amazons&moves=${encodeURIComponent("d10-d8 d5=# d1-d3 h3=#")}&ply=0`);
  const blocked = () => page.locator(".game td.blocked").evaluateAll((all) => all.map((td) => td.cellIndex + "/" +
    td.parentNode.rowIndex + getComputedStyle(td).visibility).join());
  if (!/^Start\./.test(await page.locator(".say").first().textContent())) say("ply 0 does not show the start");
  if (await blocked()) say(`blocked at the start: ${await blocked()}`);
  await page.click("[data-go=end]");
  if ((await blocked()) !== "8/3visible,4/5visible") say(`blocked: ${await blocked()}`); // h3, d5
});

step("a game to give away");
folder = new URL("../..", process.env.SPAR_HERE || import.meta.url).pathname; // only there can the module be built
const [giver, home] = [start("serve", "--listen", "127.0.0.1:0", "--folder", join(scratch, "given")), base];
base = await giver.address;
await open("download", {}, async (page, say) => {
  await page.goto(base + "/play?rules=classic");
  const coming = page.waitForEvent("download", { timeout: 300000 }); // a first time builds the module
  await page.evaluate(() => document.querySelector("form[action='/play/page'] button").click());
  const got = await coming;
  if (!/\.html$/.test(got.suggestedFilename()) || !/<script type="text\/plain" id="module">/.test(readFileSync(await got.path(),
    "utf8"))) say(`the download is ${got.suggestedFilename()}`);
});
await giver.stop();
[folder, base] = [scratch, home];

step("keys that are faster than the page");
await open("fast keys", {}, async (page, say) => {
  const path = await begin({ rules: "hexapawn", opponent: "person" });
  await page.goto(base + path);
  const [from, to] = (await settled(page, path, () => true)).legal.find((m) => m[0] === m[3]).split("-");
  await page.locator(`#c${3 * (Number(from[1]) - 1) + "abc".indexOf(from[0])}`).focus();
  for (const key of ["Enter", from[1] > to[1] ? "ArrowUp" : "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await settled(page, path, (s) => s.ply === 1).catch(() => say("the second key is lost"));
});

step("design");
await open("design", {}, async (page, say) => {
  await page.goto(base + "/design?rules=vanishing");
  const turn = async (path, value) => {
    await page.locator(`[id="k-${path}"]`).fill(value);
    await page.keyboard.press("Tab");
  };
  away = true; // a page with mistakes is an answer that the console notes
  await turn("win.line", "9");
  await page.waitForFunction(() => /win.line/.test(document.querySelector("#errors").textContent), null,
    { timeout: 10000 }).catch(() => say("a rule that cannot be is not refused"));
  if ((await page.locator('[id="k-win.line"]').getAttribute("aria-invalid")) !== "true") say("the knob is not marked");
  await turn("win.line", "3");
  away = false;
  await page.waitForFunction(() => !document.querySelector("#errors").textContent.trim(), null,
    { timeout: 10000 }).catch(() => say("a rule that was mended is refused"));
  await turn("pieces.cap", "4");
  await page.waitForFunction(() => /pieces.cap=4/.test(document.querySelector("h2").textContent), null,
    { timeout: 10000 }).catch(() => say("the knob does not turn"));
  if (!/\d games/.test(await page.locator(".facts").first().textContent())) say("no random games");
  const file = await (await ask(await page.locator("text=Download as YAML").first().getAttribute("href"))).text();
  if (!/cap: 4 +# pieces a side may keep/.test(file)) say(`the file is ${file.slice(0, 300)}`);
  const painted = (what) => page.waitForFunction((w) => new RegExp(w).test(document.querySelector("#c1")
    .getAttribute("aria-label")), what, { timeout: 10000 }).catch(() => say(`the start position has no ${what}`));
  await page.locator("input[name=brush][value=O]").focus(); // by keyboard alone: a piece, then a cell less
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await painted("b1, O");
  if ((await page.evaluate(() => document.activeElement.id)) !== "c1") say("the focus is lost after a cell was set");
  const less = page.locator("input[name=brush][value='#']"); // an answer that comes in between takes the choice back
  for (let i = 0; i < 5 && !(await less.isChecked()); i++) await less.click();
  await page.click("#c1");
  await painted("no cell");
  await page.goto(base + "/design?rules=mine&set=pieces.cap%3D4");
  const yaml = page.locator("textarea[name=yaml]"); // checked while it is written; what is valid is on the board
  const text = (await yaml.inputValue()) + "# kept\n";
  const shows = (id, what) => page.waitForFunction(([id, what]) => new RegExp(what).test(document.querySelector(id)
    .textContent), [id, what], { timeout: 10000 }).catch(() => say(`${id} does not say ${what}`));
  away = true;
  await yaml.fill(text.replace("cap: 4", "kap: 4"));
  await shows("#yaml-check", "mine.yaml:\\d+:\\d+: .*did you mean cap");
  await page.reload(); // what is in no address stays, with its mistake
  if ((await yaml.inputValue()) !== text.replace("cap: 4", "kap: 4")) say("an invalid text is lost by a reload");
  await shows("#yaml-check", "mine.yaml:\\d+:\\d+: .*did you mean cap");
  await yaml.fill("title: Mine, changed\n" + text);
  await shows("h2", "Mine, changed");
  if (!/^title: "?Mine, changed/m.test(await yaml.inputValue())) say("a title that was typed is not in the YAML");
  await yaml.fill(text.replace("columns: 3", "columns: 4"));
  await shows("h2", "board.columns=4");
  away = false;
  if (!/columns%3D4/.test(page.url()) || (await page.locator("[role=grid] thead th").count()) !== 4) say("the YAML is not on the board");
  await yaml.fill(text);
  await page.click("text=Save to mine.yaml");
  await page.waitForFunction(() => /Saved to mine.yaml/.test(document.querySelector("main").textContent), null,
    { timeout: 10000 }).catch(() => say("the design is not saved"));
  if (!/^name: mine # my own[^]*cap: 4[^]*# kept/.test(readFileSync(join(scratch, "mine.yaml"),
    "utf8"))) say("the saved file has lost its comment or the knob");
  await page.goto(base + "/design?rules=vanishing&set=pieces.cap%3D4");
  await page.click("text=Is it fair?");
  await page.waitForFunction(() => /When mcts-100 plays itself, .* \d+ games/.test(document.querySelector("main").textContent), null, { timeout: 20000 }).catch(() => say("no study is played"));
});

step("seven pages at once");
await open("seven", {}, async (page, say) => {
  const games = [];
  for (let i = 0; i < 7; i++) {
    const path = await begin({ rules: "classic", opponent: "person" });
    const tab = i ? await page.context().newPage() : page;
    await tab.goto(base + path);
    games.push([tab, path]);
  }
  for (const [, path] of games) await api(path + "/move", { ply: 0, move: "b2" });
  for (const [i, [tab]] of games.entries()) {
    await tab.bringToFront();
    await tab.waitForFunction(() => document.querySelector("main").dataset.ply === "1", null,
      { timeout: 15000 }).catch(() => say(`page ${i + 1} does not hear of the move`));
  }
});

step("the server is killed and comes back");
await open("restart", {}, async (page, say) => {
  const path = await begin({ rules: "classic", opponent: "person", moves: "b2" });
  await page.goto(base + path);
  const port = new URL(base).port;
  away = true;
  await server.stop("SIGKILL");
  await page.waitForFunction(() => document.documentElement.classList.contains("away"), null,
    { timeout: 10000 }).catch(() => say("the page does not say that the server is away"));
  server = start("serve", "--listen", `127.0.0.1:${port}`, "--rules", "mine.yaml");
  await server.address;
  await api(path + "/move", { ply: 1, move: "a1" });
  await page.waitForFunction(() => document.querySelector("main").dataset.ply === "2", null,
    { timeout: 15000 }).catch(() => say("the page does not come back"));
  away = false;
});

step("links in web mail, to a server on the network and without the program");
const mail = createServer((ask, answer) => answer.end(`<!doctype html><a href="${new URL(ask.url, "http://x").searchParams.get("to")}">link</a>`));
await new Promise((ready) => mail.listen(0, ready));
const network = start("serve", "--listen", "0.0.0.0:0", "--folder", "network");
const owned = await network.address;
for (const javaScriptEnabled of [true, false]) {
  const say = (what) => fail(`web mail, program ${javaScriptEnabled}: ${what}`);
  const follow = async (to, sees) => {
    const c = await browser.newContext({ javaScriptEnabled });
    const page = await c.newPage();
    await page.goto(`http://localhost:${mail.address().port}/?to=${encodeURIComponent(to)}`);
    await page.click("a");
    await page.locator(sees).first().waitFor().catch(() => say(`no ${sees} after a click on a link`));
    return page;
  };
  const owner = await follow(`${owned}/?token=${tokens[owned]}`, "#games");
  await owner.goto(new URL("/play?rules=classic", owned).href);
  await owner.check("[value=friend]");
  await owner.click("button.main");
  await owner.locator("#status").waitFor().catch(() => say("the form begins no game"));
  await follow(await owner.locator("[id^=invite]").getAttribute("value"), "#status");
  await owner.click("summary:has-text('Delete')");
  await owner.click("button:has-text('Delete it')");
  await owner.locator("#games").waitFor().catch(() => say("a deleted game does not lead home"));
  if (await owner.locator("#mine").count()) say("a deleted game is still listed");
}
await network.stop();
mail.close();

step("a run while it plays");
const before = base;
const plan = (listen) => start("run", "quickstart", "--set", "pairs=4000", "--set", "games=[checkerboard]", "--db",
  "out/live.db", "--serve", listen, "--workers", "1");
let run = plan("127.0.0.1:0");
base = await run.address;
await open("live", {}, async (page, say) => {
  for (let i = 0; i < 600 && (await ask("/t/live.1")).status !== 200; i++) await wait(50);
  await page.goto(base + "/t/live.1");
  const done = () => page.evaluate(() => Number(document.querySelector("progress")?.value || 0));
  const first = await done();
  await page.waitForFunction((n) => Number(document.querySelector("progress")?.value || 0) > n, first,
    { timeout: 20000 }).catch(() => say("the count stands still"));
  away = true;
  await run.stop("SIGKILL");
  await page.waitForFunction(() => document.documentElement.classList.contains("away"), null,
    { timeout: 10000 }).catch(() => say("the page does not say that the run is away"));
  const had = await done();
  run = plan(new URL(base).host);
  await run.address;
  await page.waitForFunction((n) => !document.documentElement.classList.contains("away") &&
    Number(document.querySelector("progress")?.value || 0) > n, had,
    { timeout: 30000 }).catch(() => say("the page does not go on with the run"));
  away = false;
  await page.click("text=Finish the running games").catch(() => say("the run cannot be stopped"));
  await page.locator("button:has-text('Continue')").click({ timeout: 20000 }).catch(() => say("the run cannot go on"));
  if (shots) await page.screenshot({ path: join(shots, "live.png"), fullPage: true });
});
await run.stop();
base = before;

step("without the program");
await open("without the program", { javaScriptEnabled: false }, async (page, say) => {
  const path = await begin({ rules: "classic", opponent: "person" });
  await page.goto(base + path);
  await page.click("#c4");
  if ((await plyOf(page)) !== 1) say("a click plays nothing");
  await page.click("#c4", { force: true }); // it says that it is disabled, and explains itself when pressed
  if (!/occupied/.test(await page.locator("[role=alert]").textContent())) say("an illegal move is not explained");
  for (const [at, what] of [["/t/q.1", "table"], ["/study/q", "table"], ["/games/q", "table"],
    ["/g/q.1", ".board td.X"]]) {
    await page.goto(base + at);
    if (!(await page.locator(what).count()) || !(await page.locator("h1").textContent())) say(`${at} has no ${what}`);
  }
});

step("axe in both themes, three widths");
const ended = await begin({ rules: "vanishing", opponent: "person", moves: "b2 a1 a2 c2 c3 b1", bar: "1",
  rated: "1", values: "1" });
await wait(1500);
const ghosts = await begin({ rules: "torus-vanishing", set: "board.columns=3 board.rows=3 pieces.cap=3 win.line=3",
  opponent: "person", moves: "b2 a1", values: "1" });
const chosen = await begin({ rules: "rolling", agent: "rolling/moderate" });
const done = await begin({ rules: "classic", opponent: "person", moves: "a1 a2 b1 b2" });
await api(done + "/move", { ply: 4, move: "c1" });
const pages = ["/", "/play", "/play?rules=checkerboard", ended, ghosts, chosen, done, "/review", pasted + "&ply=4",
  "/g/q.20", "/study/q", "/study/size", "/games/q", "/t/q.1", "/t/m.1", "/b/q.vanishing",
  "/play/none", "/design", "/design?rules=vanishing&set=win.line%3D9",
  "/design?rules=mine&set=pieces.cap%3D5"];
await ask("/b/q.vanishing");
await wait(1500);
const paints = [];
for (const path of pages) {
  await open(path, { bypassCSP: true, reducedMotion: "reduce" }, async (page, say) => {
    away = path === "/play/none" || path.includes("win.line"); // an error is meant
    const answer = await page.goto(base + path);
    away = false;
    const bytes = (await answer.request().sizes()).responseBodySize;
    if (bytes > 100 << 10) say(`a first response of ${bytes} bytes`);
    const paint = await page.evaluate(() => new Promise((tell) => {
      new PerformanceObserver((l) => tell(l.getEntries()[0].startTime)).observe({ type: "paint", buffered: true });
      setTimeout(() => tell(NaN), 3000);
    })).catch(() => NaN); // a page that was busy has loaded itself again
    const row = [path, paint, bytes, 0];
    paints.push(row);
    await atRest(page);
    if (path === ended) { // seen from the other side, with sound, and pieces as discs
      await page.click("button.flip");
      await page.click("#help summary");
      for (const id of ["#sound", "#discs"]) await page.check(id);
      if (!(await page.evaluate(() => document.documentElement.matches(".flipped.discs") &&
        localStorage.getItem("spar-sound") === "on"))) say("the board is not flipped, or the switches are lost");
    }
    await page.addStyleTag({ content: "*{content-visibility:visible!important}" });
      // axe looks for colours where nothing is drawn yet
    await page.evaluate(axe);
    await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
    for (const [colorScheme, width] of [["dark", 320], ["light", 768], ["light", 1280]]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const [doc, view] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      if (doc > view) say(`${colorScheme} ${width}: scrolls sideways: ${doc} pixels in ${view}`);
      if (shots) await page.screenshot({ path: join(shots,
        `${path.replace(/\W+/g, "_").slice(0, 40)}-${width}-${colorScheme}.png`), fullPage: true });
      if (width === 768) continue; // axe looks at the narrowest in the dark and the widest in the light
      const found = await page.evaluate(() => window.axe.run(document,
        { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
        "best-practice"] }));
      row[3] += found.violations.length;
      for (const v of found.violations) say(`${colorScheme} ${width}: axe ${v.impact}: ${v.id}, ${v.help} (${v.nodes.length} times: ${v.nodes.slice(0, 2).map((n) => n.target.join(" ")).join(", ")})`);
    }
  });
}

console.log("first paint (ms, with what else the machine does), bytes of the first response, violations that axe found in both themes:");
for (const [path, paint, bytes, axes] of paints) console.log(`  ${paint.toFixed(0).padStart(5)} ${String(bytes).padStart(6)} ${axes}  ${path}`);
await browser.close();
const code = await server.stop();
if (code !== 0 && code !== 130) fail(`the server ended with ${code}`);
step(failures.length ? `${failures.length} failures` : "all pages served well");
process.exit(failures.length ? 1 : 0);
