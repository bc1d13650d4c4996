// compared.js PAGE LOG LOG BROWSER...: the page of these two logs shows processes side by side, and
// compares two of them, two moments, or two spans, by mouse, keyboard and address, with the numbers
// of `pmem diff`. PMEM is the reader.

'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const { open, run, same, so } = require('../../lib/browser.js');

const [file, first, second, ...browsers] = process.argv.slice(2);
const home = `file://${fs.realpathSync(file)}`;
const data = JSON.parse(/id="data">(.*?)<\/script>/s.exec(fs.readFileSync(file, 'utf8'))[1]);
const addressOf = (number) => `${data.runs[number].pid}-${number}`;
const ROWS = 20;

const texts = (page, selector) => page.$$eval(selector, (all) =>
	all.map((each) => each.textContent));
const address = (page) => page.evaluate(() => location.hash);
const settle = (page) => page.waitForTimeout(250);
const moments = data.runs[0].moments.number;
const part = (share) => String(moments[Math.floor((moments.length - 1) * share)]);

// What `pmem diff` has of its largest: before, after, and by how much it differs; {rest} apart.
function diff(...words) {
	const text = execFileSync(process.env.PMEM, ['diff', '--raw', '--stacks', '-n', '0', ...words],
		{ maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
	return text.split('\n').filter((line) => /^ *(grew|shrank|came|went) /.test(line)
		&& !/\{(rest|other)\}/.test(line)).map((line) => line.trim().split(/\s{2,}/).slice(1, 6));
}

async function table(page) {
	const columns = await Promise.all(['before', 'after', 'growth', 'blocks', 'allocs'].map((name) =>
		texts(page, `#table tbody td.c-${name}`)));
	return columns[0].map((_, i) => columns.map((column) => column[i]));
}

// Rows of equal size may change places.
const sorted = (rows) => rows.map((row) => row.join(' ')).sort();

async function checkTable(page, what, wanted) {
	so(`${what}: there are rows`, wanted.length > 2);
	const got = await table(page);
	same(what, sorted(wanted.slice(0, ROWS)), sorted(got.slice(0, Math.min(wanted.length, ROWS))));
}

// One process against the other: in the table, in the flame graph, and by a link.
async function checkProcesses(browser) {
	const page = await open(browser, `${home}#group=source`);
	await page.selectOption('#runs', '1');
	await page.selectOption('#others', '0');
	await settle(page);
	same('address', `#run=${addressOf(1)}&vsRun=${addressOf(0)}&group=source`, await address(page));
	await checkTable(page, 'two processes', diff(first, second));
	same('the legend', ['more (+)', 'less (-)'], await texts(page, '#modules li'));
	await page.focus('#flames');
	await page.keyboard.press('ArrowDown');
	so('a box tells both', /: [+-][^:]*: .*, not .* in \d+ source/
		.test(await page.textContent('#flame-at')));
	const before = [await table(page), await page.textContent('#chosen')];
	const other = await open(browser, home + await address(page));
	same('by its link', before, [await table(other), await other.textContent('#chosen')]);
	await other.close();
	await page.keyboard.press('Escape');
	await settle(page);
	same('Escape compares no more', `#run=${addressOf(1)}&group=source`, await address(page));
	await page.close();
}

// All by the keyboard: a process, b, the next process.
async function checkKeys(browser) {
	const page = await open(browser, `${home}#group=source`);
	await page.focus('#plot');
	await page.keyboard.press('n');
	await page.keyboard.press('b');
	const asked = await page.textContent('#chosen');
	so(`it asks for another, and compares nothing with itself: ${asked}`,
		/: choose a moment, a span or a process to compare with it$/.test(asked)
		&& !/against/.test(asked + await page.textContent('#flame-what'))
		&& (await texts(page, '#table td.c-growth')).length === 0);
	same('it is pressed', 'true', await page.getAttribute('#compare', 'aria-pressed'));
	await page.keyboard.press('n');
	await settle(page);
	await checkTable(page, 'by the keyboard', diff(first, second));
	await page.keyboard.press('b');
	await page.keyboard.press('m');
	await page.keyboard.press('s');
	await settle(page);
	so('modules, side by side', /panes=1/.test(await address(page))
		&& /group=module/.test(await address(page)) && !/vs/.test(await address(page)));
	await page.close();
}

// A drag in the pane of one, and with Ctrl in the pane of the other.
async function checkPanes(browser) {
	const page = await open(browser, `${home}#panes=1`);
	await page.evaluate(() => document.getElementById('time').scrollIntoView());
	const plot = await page.locator('#plot').boundingBox();
	const middle = plot.x + 68 + (plot.width - 78) / 2;
	await page.mouse.click(plot.x + 80, plot.y + 100);
	await settle(page);
	const one = /run=([\d-]+)/.exec(await address(page))?.[1];
	await page.keyboard.down('Control');
	await page.mouse.move(middle + 60, plot.y + 100);
	await page.mouse.down();
	await page.mouse.move(middle + 160, plot.y + 100, { steps: 4 });
	await page.mouse.up();
	await page.keyboard.up('Control');
	await settle(page);
	const there = await address(page);
	so(`a span of the other: ${there}`, /from=/.test(there) && there.includes(`vsRun=${one}`)
		&& !there.includes(`&run=${one}`) && /vsAt=/.test(there));
	await page.close();
}

// Two spans of one process: by how much each has changed is what `pmem diff` has of it.
async function checkSpans(browser) {
	const page = await open(browser, `file://${process.cwd()}/one.html#from=${part(0)}&at=${part(0.5)}&group=source`);
	await page.click('#compare');
	await page.evaluate(() => document.getElementById('time').scrollIntoView());
	const plot = await page.locator('#plot').boundingBox();
	await page.mouse.move(plot.x + 68 + (plot.width - 78) * 0.6, plot.y + 100);
	await page.mouse.down();
	await page.mouse.move(plot.x + 68 + (plot.width - 78) * 0.9, plot.y + 100, { steps: 4 });
	await page.mouse.up();
	await settle(page);
	const [, at, from] = /at=(\d+)&from=(\d+)/.exec(await address(page)) ?? [];
	so(`a drag is the second span: ${await address(page)}`, at && (await address(page))
		.includes(`vsAt=${part(0.5)}&vsFrom=${part(0)}`));
	const growths = async (id) => (await texts(page, `#table tbody td.c-${id}`))
		.filter((text) => text !== '0 B');
	const largest = (rows) => rows.map((row) => row[2].replace('~', ''))
		.filter((text) => /[MK]iB/.test(text)).slice(0, 3);
	const after = await growths('after'), before = await growths('before');
	const wanted = [diff('--from', from, '--to', at, first), diff('--from', part(0), '--to', part(0.5),
		first)].map(largest);
	so('there is growth in both', wanted.every((each) => each.length > 0));
	for (const text of wanted[0])
		so(`${text} in the second span`, after.includes(text));
	for (const text of wanted[1])
		so(`${text} in the first span`, before.includes(text));
	await page.close();
}

// A module is chosen in the table, in the chart and in the flame graph at once.
async function checkModules(browser) {
	const page = await open(browser, `${home}#group=module`);
	const [name] = await texts(page, '#table tbody tr:first-child button');
	await page.click('#table tbody tr:first-child button');
	await settle(page);
	same('the address', `#source=module:${name}&group=module`, decodeURIComponent(await address(page)));
	same('the detail', name, await page.textContent('#detail h2'));
	same('the legend', [name], await texts(page, '#legend li.chosen button'));
	const sum = await texts(page, '#table tfoot td.c-live');
	await page.keyboard.press('Escape');
	await page.keyboard.press('m');
	same('all modules have what all sources have', sum, await texts(page, '#table tfoot td.c-live'));
	await page.close();
}

run(browsers, async (browser) => {
	await checkProcesses(browser);
	await checkKeys(browser);
	await checkPanes(browser);
	await checkSpans(browser);
	await checkModules(browser);
});
