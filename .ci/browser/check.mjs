// Opens pages that spar wrote, from the file system, in the Chromium that is installed, and checks what a reader
// needs: no errors and nothing loaded from outside; no horizontal scrolling at 360 pixels; both themes; games that
// step by keyboard without losing the focus; tables that download; answers in 160 words, 2,500 when all is open, on a
// page of at most 4000 pixels; figures whose words stand inside them and can be read on a phone, too; nothing serious that axe finds;
// boards drawn without the page's program.
//
//	node check.mjs PAGE.html…            [--shots DIR] keeps screenshots
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { tmpdir } from "node:os";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const args = process.argv.slice(2);
const at = args.indexOf("--shots");
const shots = at >= 0 ? args.splice(at, 2)[1] : "";
if (shots) mkdirSync(shots, { recursive: true });
if (!args.length) {
  console.error("check.mjs: no page given");
  process.exit(2);
}

const failures = [];
const profile = mkdtempSync(join(tmpdir(), "spar-chromium-"));
const options = {
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
};

/** open opens a page in a context of its own and collects what goes wrong. */
async function open(browser, file, context, check) {
  const c = await browser.newContext({ acceptDownloads: true, ...context });
  const page = await c.newPage();
  const say = (what) => failures.push(`${basename(file)} (${context.name}): ${what}`);
  page.on("console", (m) => { if (m.type() === "error" || m.type() === "warning") say(`console: ${m.text()}`); });
  page.on("pageerror", (e) => say(`error: ${e.message}`));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) say(`asks for ${r.url()}`); });
  await page.goto(pathToFileURL(resolve(file)).href);
  if (shots) await page.screenshot({ path: join(shots, `${basename(file, ".html")}-${context.name}.png`),
    fullPage: true });
  await check(page, say);
  await c.close();
}

const size = { wide: { width: 1100, height: 900 }, phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 900 }, hand: { width: 390, height: 800 } };

const unfold = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));

/** short measures a page that answers first: its height as it opens, and the words before the first picture. */
async function short(page, say) {
  const [answers, height, words] = await page.evaluate(() => {
    let n = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) { if (node.matches("svg.chart, table")) break; continue; }
      if (node.parentElement.closest(".hear, .skip, button, svg, script")) continue;
      n += node.data.split(/\s+/).filter((w) => /[\p{L}\p{N}]/u.test(w)).length;
    }
    return [document.querySelectorAll(".answers dt").length, document.documentElement.scrollHeight, n];
  });
  if (!answers) return;
  console.log(`note: ${height} pixels high, ${words} words before the first picture`);
  if (height > 4000) say(`${height} pixels high, more than 4000`);
  if (words > 160) say(`${words} words before the first picture, more than 160`);
  await unfold(page);
  const all = await page.evaluate(() => document.body.innerText.split(/\s+/).filter((w) => /[\p{L}\p{N}]/u.test(w)).length);
  if (all > 2500) say(`${all} words when all is open, more than 2500`);
}

/** readable looks at an unfolded page: no figure is cut, no text stands outside of its figure,
  and none is smaller than 10 pixels. */
async function readable(page, say) {
  await unfold(page);
  await fits(page, say);
  const bad = await page.evaluate(() => {
    const out = [];
    for (const svg of document.querySelectorAll("svg.chart, svg.arc")) {
      const box = svg.getBoundingClientRect();
      if (!box.width) continue;
      const name = (svg.closest("figure")?.id || svg.getAttribute("aria-label") || "").slice(0, 50);
      if (box.right > innerWidth + 1 || box.left < -1) out.push(`${name} is cut`);
      const scale = box.width / svg.viewBox.baseVal.width;
      for (const t of svg.querySelectorAll("text")) {
        const r = t.getBoundingClientRect();
        const over = Math.max(box.left - r.left, r.right - box.right, box.top - r.top, r.bottom - box.bottom);
        if (r.width && over > 1) out.push(`${name}: "${t.textContent}" stands ${over.toFixed(1)} pixels outside`);
        const size = parseFloat(getComputedStyle(t).fontSize) * scale;
        if (size < 10) out.push(`${name}: "${t.textContent}" of ${size.toFixed(1)} pixels`);
      }
    }
    for (const e of document.querySelectorAll("main :is(small, em, sup, span, td, th, b, p, li, dd, dt)")) {
      const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      const size = parseFloat(getComputedStyle(e).fontSize);
      if (own && size < 10 && e.getBoundingClientRect().width > 2) out.push(`"${e.textContent.slice(0, 30)}" of ${size.toFixed(1)} pixels`);
    }
    return out;
  });
  for (const text of bad.slice(0, 20)) say(text);
}

async function accessible(page, say) {
  await unfold(page);
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document,
    { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  for (const v of found.violations) {
    const where = v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join(", ");
    const text = `axe ${v.impact}: ${v.id}, ${v.help} (${v.nodes.length} times: ${where})`;
    if (v.impact === "serious" || v.impact === "critical") say(text);
    else console.log(`note: ${text}`);
  }
}

async function fits(page, say) {
  const [doc, view] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (doc > view) say(`scrolls sideways: ${doc} pixels in ${view}`);
}

async function steps(page, say) {
  await unfold(page);
  const games = await page.locator(".game").count();
  for (let i = 0; i < games; i++) {
    const game = page.locator(".game").nth(i);
    const stage = game.locator(".stage");
    const words = () => game.locator(".say").textContent();
    const board = () => game.locator(".board tbody").innerText();
    await stage.focus();
    await page.keyboard.press("Home");
    const start = [await words(), await board()];
    if (!/Start/.test(start[0])) say(`game ${i + 1}: Home says "${start[0]}"`);
    await page.keyboard.press("ArrowRight");
    const one = [await words(), await board()];
    if (!/^Ply 1:/.test(one[0]) || one[1] === start[1]) say(`game ${i + 1}: the right arrow says "${one[0]}"`);
    await page.keyboard.press("ArrowLeft");
    if ((await words()) !== start[0] || (await board()) !== start[1]) say(`game ${i + 1}: the left arrow does not go back`);
    await page.keyboard.press("End");
    const n = await game.locator(".moves li").count();
    if (!new RegExp(`^Ply ${n}:`).test(await words())) say(`game ${i + 1}: End says "${await words()}", not ply ${n}`);
    await page.keyboard.press("n");
    if (!(await stage.evaluate((e) => e === document.activeElement))) say(`game ${i + 1}: the focus was lost`);
    await game.locator("[data-go=back]").click();
    const current = await game.locator("[aria-current]").count();
    if (current !== 1 && !/Start/.test(await words())) say(`game ${i + 1}: ${current} moves are the current one`);
  }
  return games;
}

async function downloads(page, say) {
  const link = page.locator(".take a:visible").first();
  if (!(await link.count())) return;
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: 5000 }), link.click()]).catch((e) =>
    { say(`no download: ${e.message}`); return []; });
  if (file && !/\.csv$/.test(file.suggestedFilename())) say(`the table downloads as ${file.suggestedFilename()}`);
}

async function themes(page, say) {
  const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await colour();
  await page.locator(".theme").click();
  if ((await colour()) === before) say("the button does not change the theme");
}

const browser = await chromium.launchPersistentContext(profile, options).then((c) => c.browser() ?? c);
try {
  // A persistent context has the new, empty profile; contexts of the browser itself keep the pages apart.
  for (const file of args) {
    let games = 0;
    const run = (context, check) => open(browser, file, context, check);
    await run({ name: "light", colorScheme: "light", viewport: size.wide }, async (page, say) => {
      games = await steps(page, say);
      await downloads(page, say);
      await themes(page, say);
    });
    await run({ name: "desk", colorScheme: "light", viewport: size.desk }, async (page, say) => {
      await short(page, say);
      await readable(page, say);
    });
    await run({ name: "hand", colorScheme: "dark", viewport: size.hand, isMobile: true, hasTouch: true }, readable);
    for (const colorScheme of ["light", "dark"]) {
      // The page's policy blocks scripts that are not its own, and axe is one; the other contexts keep the policy.
      await run({ name: `${colorScheme}-axe`, colorScheme, viewport: size.wide, bypassCSP: true }, accessible);
      await run({ name: `${colorScheme}-phone`, colorScheme, viewport: size.phone, isMobile: true, hasTouch: true },
        fits);
    }
    await run({ name: "print", colorScheme: "dark", viewport: { width: 794, height: 1100 } }, async (page, say) => {
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      if (paper !== "rgb(255, 255, 255)") say(`prints on ${paper}`);
    });
    await run({ name: "dark", colorScheme: "dark", viewport: size.wide }, fits);
    await run({ name: "without-program", javaScriptEnabled: false, viewport: size.wide }, async (page, say) => {
      if (!(await page.locator("h1").textContent())) say("no title");
      if (games && !(await page.locator(".board td.X, .board td.O").count())) say("no board is drawn");
    });
    console.log(`${basename(file)}: ${games} games stepped through`);
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
for (const f of failures) console.error(f);
process.exit(failures.length ? 1 : 0);
