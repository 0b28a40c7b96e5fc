// Opens a page that "spar export page" wrote, from the file system, in the Chromium that is installed: plays a game by
// keyboard with undo and a hint, opens the link of a finished game, unpacks the module by hand as old browsers have to,
// compares decisions with those of the program, measures the middle level; axe at 390 pixels in the dark theme and at
// 1280 in the light one.
//
//	node handed.mjs SPAR SCRATCH           [--shots DIR] keeps screenshots
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = process.argv.slice(2);
const at = args.indexOf("--shots");
const shots = at >= 0 ? args.splice(at, 2)[1] : "";
if (shots) mkdirSync(shots, { recursive: true });
const [spar, scratch] = args;
const games = ["vanishing", "classic", "connect4", "reversi6", "hex5", "tapatan", "checkerboard", "infiltration", "ctor", "rolling",
  "ataxx", "gomoku9", "clobber", "hasami", "konane", "nine-mens-morris", "order-and-chaos", "yavalath"];
const failures = [];
const fail = (what) => { failures.push(what); console.error(what); };
const source = new URL("../..", process.env.SPAR_HERE || import.meta.url).pathname;
const pages = { many: join(scratch, "many.html"), one: join(scratch, "one.html") };
execFileSync(spar, ["export", "page", ...games, "--out", pages.many], { cwd: source });
execFileSync(spar, ["export", "page", "classic", "--out", pages.one], { cwd: source });
for (const p of Object.values(pages)) {
  if (statSync(p).size > 6e6) fail(`${p} has ${statSync(p).size} bytes`);
  const found = /\/(home|work|root|tmp|usr)\/[\w.]+/.exec(Buffer.from(readFileSync(p, "utf8").match(/id="files">([^<]*)</)[1], "base64").toString("latin1"));
  if (found) fail(`${p} names ${found[0]}`);
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"] });
async function open(name, file, context, check) {
  const c = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...context });
  const page = await c.newPage();
  const say = (what) => fail(`${name}: ${what}`);
  page.on("console", (m) => { if (["error", "warning"].includes(m.type())) say(`console: ${m.text()}`); });
  page.on("pageerror", (e) => say(`error: ${e.message}`));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) say(`asks for ${r.url()}`); });
  try { await page.goto(pathToFileURL(file).href); await check(page, say); } catch (e) { say(e.message.split("\n").slice(0, 3).join(" ")); }
  await c.close();
}
const ply = (page, n) => page.waitForFunction((n) => Number(document.querySelector("main").dataset.ply) === n &&
  !document.querySelector("[data-think]"), n, { timeout: 60000 });
const ask = (page, what, form) => page.evaluate(([what, form]) => globalThis.sparEngine(what, new URLSearchParams(form)), [what, form]);
const t0 = Date.now();
const step = (what) => console.log(`${((Date.now() - t0) / 1000).toFixed(1)} s ${what}`);

step("a game by keyboard, with undo and hints");
let link = "", copied = "";
await open("keyboard", pages.one, {}, async (page, say) => {
  await page.selectOption("#level", "people");
  await page.click("text=Start game");
  await page.waitForSelector("#status", { timeout: 60000 });
  for (const [i, key] of ["1", "2", "4"].entries()) { await page.keyboard.press(key); await ply(page, i + 1); }
  await page.keyboard.press("u");
  await ply(page, 2);
  await page.locator("#c3").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await ply(page, 3);
  if (await page.evaluate(() => document.activeElement.id) !== "c3") say("the focus is lost after a move");
  for (let i = 0; i < 3; i++) { await page.keyboard.press("h"); await page.waitForTimeout(500); }
  if (!/value of every move/.test(await page.textContent(".hint"))) say(`the hint says "${await page.textContent(".hint")}"`);
  await page.fill("#typed", "b2");
  await page.keyboard.press("Enter");
  await ply(page, 4);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("7");
  await page.waitForSelector(".ended");
  link = await page.inputValue("#share");
  copied = await page.inputValue("#copy");
});
await open("person", pages.one, {}, async (page, say) => {
  await ask(page, "new", { game: "classic", level: "person", side: "first", seed: "1" });
  await ask(page, "move", { ply: "0", move: "b2" });
  if (!/data-ply="2"/.test(await ask(page, "think", {}))) say("the level like a person does not answer");
});
const read = execFileSync(spar, ["analyze", "classic", "--moves", copied]).toString();
if (!/^classic: first after \d plies/.test(read)) fail(`analyze says "${read}"`);
await open("link", pages.one, {}, async (page, say) => {
  await page.goto("about:blank"); // as a friend follows it: no page of the game is open
  await page.goto(link);
  await page.waitForSelector(".ended", { timeout: 60000 });
  if (!/X made three in a row and won/.test(await page.textContent("#status"))) say("the link shows another game");
});

step("a browser without DecompressionStream");
await open("inflate", pages.one, {}, async (page, say) => {
  const old = readFileSync(pages.one, "utf8").replace("if (!self.DecompressionStream)", "if (true)");
  writeFileSync(join(scratch, "old.html"), old);
  await page.goto(pathToFileURL(join(scratch, "old.html")).href);
  if (!/^[a-c][1-3] [a-c][1-3]$/.test(await ask(page, "selfplay", { game: "classic", agent: "mcts-1k", seed: "1", plies: "2" }))) say("the module does not run");
});

step(`200 decisions of ${games.length} games`);
await open("decisions", pages.many, {}, async (page, say) => {
  let n = 0;
  await ask(page, "selfplay", { game: "classic", agent: "mcts-1k", seed: "1", plies: "2" }); // once the module runs
  for (const game of games) {
    const agent = "mcts-1k";
    const began = Date.now();
    const here = (await ask(page, "selfplay", { game, agent, seed: "5", plies: "12" })).split(" ");
    const each = (Date.now() - began) / here.length;
    const there = JSON.parse(execFileSync(spar, ["play", "--rules", game, agent, agent, "--seed", "5", "--json"])).moves.slice(0, 12);
    if (here.join() !== there.join()) say(`${game}: ${here} are not ${there}`);
    if (each > 1000) say(`${game}: a move of the middle level takes ${each.toFixed(0)} ms`);
    n += here.length;
  }
  if (n < 200) say(`only ${n} decisions`);
  console.log(`${n} decisions compared`);
});

step("axe, and a move at each width");
for (const [colorScheme, width] of [["dark", 390], ["light", 1280]]) {
  await open(`${colorScheme} ${width}`, pages.many, { colorScheme, viewport: { width, height: 844 }, bypassCSP: true }, async (page, say) => {
    const look = async (name) => {
      await page.addStyleTag({ content: "*{content-visibility:visible!important;animation:none!important}" });
      await page.evaluate(axe);
      if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      const [doc, view] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      if (doc > view) say(`${name}: scrolls sideways: ${doc} pixels in ${view}`);
      const found = await page.evaluate(() => axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
      for (const v of found.violations) say(`${name}: axe ${v.impact}: ${v.id}, ${v.help} (${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")})`);
    };
    await look("front");
    await page.click("[aria-label^='Play Reversi'], .cards button >> nth=3");
    await page.waitForSelector("#level");
    await look("start");
    await page.evaluate(() => scrollTo(0, 9999));
    await page.click("text=Start game");
    await page.waitForSelector("#status", { timeout: 60000 });
    if (await page.evaluate(() => scrollY)) say("a new game does not start at the top");
    await page.locator("[role=gridcell].legal > button").first().click();
    await ply(page, 2);
    await look("game");
  });
}
await browser.close();
step(failures.length ? `${failures.length} failures` : "the pages play");
process.exit(failures.length ? 1 : 0);
