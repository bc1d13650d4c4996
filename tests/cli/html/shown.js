// shown.js PAGE LOG BROWSER...: the page of this log shows what `pmem` says of it, and does what a
// person asks of it: by its address, the mouse and the keyboard. PMEM is the reader.

'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const { comes, open, run, same, so } = require('../../lib/browser.js');

const [file, log, ...browsers] = process.argv.slice(2);
const home = `file://${fs.realpathSync(file)}`;
const ROWS = 30; // that the page has at first

const pmem = (...words) => execFileSync(process.env.PMEM, words,
	{ maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] }).toString();

// A table of the reader's with a row for each stack, without what stands below each row up to an empty line.
const stacksOf = (subcommand, ...words) => pmem(subcommand, '--stacks', ...words)
	.replace(/^ *\{[0-9a-f]{16}\}\n(?:.*\S.*\n)*\n/gm, '');

// Cells of a table of the reader's by their titles. Blanks are in cells, too: two divide them.
function tableOf(text, first) {
	const lines = text.split('\n');
	const at = lines.findIndex((line) => new RegExp(`^\\s*${first}\\b`).test(line));
	const titles = lines[at].trim().split(/\s{2,}/);
	return lines.slice(at + 1).filter(Boolean).map((line) => {
		const cells = line.trim().split(/\s{2,}/);
		return Object.fromEntries(titles.map((title, i) => [title, cells[i]]));
	});
}

const texts = (page, selector) => page.$$eval(selector, (all) =>
	all.map((each) => each.textContent));
const column = (page, name) => texts(page, `#table tbody td.c-${name}`);
const address = (page) => page.evaluate(() => location.hash);
// The address follows what is chosen after a moment.
const settle = (page) => page.waitForTimeout(250);

async function checkMoment(page, at) {
	const rows = tableOf(stacksOf('report', '--raw', '-n', '0', ...(at ? ['--at', at] : []), log),
		'live +share');
	const wanted = rows.slice(0, ROWS);
	for (const [title, name] of [['live', 'live'], ['share', 'share'], ['blocks', 'blocks'],
		['allocs', 'allocs']])
		same(`${title} at ${at}`, wanted.map((row) => row[title]), (await column(page, name))
			.slice(0, wanted.length));
}

async function checkSpan(page, from, at) {
	const text = stacksOf('diff', '--raw', '-n', '0', '--from', from, '--to', at, log);
	const lines = text.split('\n').filter((line) => /^ *(grew|shrank|came|went) .*[^}]  /.test(line)
		&& !/[{]rest[}]/.test(line))
		.slice(0, ROWS);
	const wanted = lines.map((line) => line.trim().split(/\s{2,}/));
	const got = await Promise.all(['before', 'after', 'growth', 'blocks', 'allocs'].map((name) =>
		column(page, name)));
	so(`there are rows from ${from} to ${at}`, wanted.length > 2);
	wanted.forEach((cells, i) => same(`row ${i} from ${from} to ${at}`, cells.slice(1, 6),
		got.map((each) => each[i])));
}

// What stands above is what `pmem report` begins with; what the process has resident is in the chart.
async function checkFigures(page) {
	const report = pmem('report', '--raw', log);
	const [, live, blocks, growth] = /^live (\S+ \S+) in (\S+) blocks, (\S+ \S+) since/m.exec(report);
	const [, resident] = /^resident (\S+ \w+)/m.exec(report);
	const figures = (await page.$$eval('#head .figures div', (all) => all.map((each) => each.innerText)))
		.map((each) => each.replace(/\n/g, ''));
	for (const wanted of [`Live at the exit${live}${blocks} blocks`, `Resident${resident}`,
		`Since the first snapshot${growth}`])
		so(`${wanted} in ${figures}`, figures.includes(wanted));
	const dashed = () => page.evaluate(() => {
		window.dispatchEvent(new Event('beforeprint'));
		return document.querySelectorAll('#plot > svg path[stroke-dasharray="4 3"]').length;
	});
	await page.setChecked('#rss', true);
	same('resident memory is drawn', 1, await dashed());
	await page.setChecked('#rss', false);
	same('and is not', 0, await dashed());
}

// By blocks, bytes or calls that were allocated the table is that of `pmem report --by`.
async function checkValues(page) {
	for (const [button, by, title] of [[2, 'blocks', 'Blocks'], [3, 'alloc', 'Allocated bytes'],
		[4, 'allocs', 'Allocations'], [1, 'live', 'Live bytes']]) {
		await page.click(`#by button:nth-child(${button})`);
		const rows = tableOf(stacksOf('report', '--raw', '-n', '0', '--by', by, log), `${by} +share`)
			.filter(({ where }) => where && !where.startsWith('{')).slice(0, ROWS);
		so(`there are rows by ${by}`, rows.length > 10);
		same(`by ${by}`, rows.map((row) => row[by]), (await column(page, by)).slice(0, rows.length));
		so(`the chart has ${title}`, (await page.getAttribute('#plot', 'aria-valuetext'))
			.includes(`: ${title} `));
	}
}

async function checkHead(page) {
	const [sentence] = pmem('leaks', '-v', '--raw', log).split('\n')
		.filter((line) => /\(process \d+[^)]*\) leaks /.test(line));
	same('verdict', sentence.toLowerCase(), (await page.textContent('#verdict')).toLowerCase());
	const leaks = tableOf(pmem('leaks', '-v', '--raw', '-n', '0', log), 'verdict +sure')
		.filter((row) => /^leaks/.test(row.verdict));
	const links = await texts(page, '.leaking li button.name');
	same('links to leaks', Math.min(leaks.length, 5), links.length);
	same('rates', leaks.slice(0, 5).map((row) => `${row['an hour']} an hour`),
		(await texts(page, '.leaking li .number:nth-child(3)')));
	// The largest leaks in the table have their rates, too.
	await page.click('#table .c-rate button');
	same('rates in the table', leaks.map((row) => row['an hour']).slice(0, ROWS),
		(await column(page, 'rate')).filter(Boolean).slice(0, leaks.length));
	await page.click('.leaking li button.name');
	// Of the first row's stacks the first is the one that grew most.
	const stack = pmem('leaks', '--raw', '--stacks', '-n', '0', log).split('\n');
	const id = stack.find((line) => /^ +\{[0-9a-f]{16}\}$/.test(line)).trim().slice(1, -1);
	same('source of a link', id, (await address(page),
		await settle(page), await address(page)).match(/source=(?:line:)?(\w+)/)?.[1]);
	so('its detail is shown', await comes(page, '#detail'));
	const detail = await texts(page, '#detail dd');
	for (const cell of ['sure', 'between', 'growth', 'share', 'blocks', 'unfreed'])
		so(`${cell} of the leak, ${leaks[0][cell]}, is in its detail`, detail.includes(leaks[0][cell]));
	const first = stack.findIndex((line) => line.includes(id)
		&& /^\s*\{/.test(line));
	const functions = (await texts(page, '#detail .stack li')).length;
	let lines = 0;
	while (first >= 0 && /^\s+\S/.test(stack[first + 1 + lines] ?? ''))
		lines++;
	so(`its whole stack is there: ${functions}`, functions > 2
		&& (first < 0 || functions >= lines - 1));
}

// The page opens with lines. Their rates are those of `pmem leaks`, and the foot is the whole.
async function checkLines(browser) {
	const page = await open(browser, home);
	const leaks = tableOf(pmem('leaks', '-v', '--raw', '-n', '0', log), 'verdict +sure')
		.filter((row) => /^leaks/.test(row.verdict));
	const [, live] = /^live (\S+ \S+) in/m.exec(pmem('report', '--raw', log));
	same('all lines', live, await page.textContent('#table tfoot td.c-live'));
	await page.click('#table .c-rate button');
	so('there are lines that leak', leaks.length > 0);
	same('rates of lines', leaks.map((row) => row['an hour']).slice(0, ROWS),
		(await column(page, 'rate')).filter(Boolean).slice(0, leaks.length));
	await page.close();
}

async function checkSorting(page) {
	const numbers = async () => (await column(page, 'blocks'))
		.map((text) => Number(text.replace(/,/g, '')));
	await page.click('#table .c-blocks button');
	const down = await numbers();
	same('falling', [...down].sort((a, b) => b - a), down);
	same('said of the column', 'descending', await page.getAttribute('#table th.c-blocks',
		'aria-sort'));
	await page.click('#table .c-blocks button');
	const up = await numbers();
	same('rising', [...up].sort((a, b) => a - b), up);
	same('said again', 'ascending', await page.getAttribute('#table th.c-blocks', 'aria-sort'));
	await page.click('#table .c-where button');
	const names = await texts(page, '#table tbody td.where');
	same('words', [...names].sort((a, b) => a < b ? -1 : 1), names);
}

// Who goes by the keyboard stays where he was.
async function checkFocus(page) {
	for (const selector of ['#by button:nth-child(2)', '#table tbody tr:nth-child(3) button',
		'#table .c-allocs button',
		'#legend button']) {
		await page.focus(selector);
		await page.keyboard.press('Enter');
		so(`${selector} has the focus still`,
			await page.evaluate(() => document.activeElement.tagName === 'BUTTON'));
	}
}

async function checkSearch(page, at, word) {
	const text = stacksOf('report', '--raw', '-n', '0', '--at', at, '--match', word, log);
	const rows = tableOf(text, 'live +share').filter((row) => row.where
		&& !/not asked for|^and \d+ more|^total/.test(row.where));
	await page.keyboard.press('/');
	await page.keyboard.type(word);
	await settle(page);
	const found = await page.textContent('#found');
	so(`found: ${found}`, / in \d+ sources?$/.test(found) && rows.length > 0);
	same('those that match', rows.slice(0, ROWS).map((row) => row.live),
		(await column(page, 'live')).slice(0, rows.length));
	await page.keyboard.press('Escape');
	same('search is gone', '', await page.inputValue('#search'));
}

async function checkKeys(page) {
	const now = async () => Number(await page.getAttribute('#plot', 'aria-valuenow'));
	await page.focus('#plot');
	await page.keyboard.press('Home');
	same('first moment', 0, await now());
	await page.keyboard.press('ArrowRight');
	await page.keyboard.press('ArrowRight');
	same('the third', 2, await now());
	await page.keyboard.press('Shift+ArrowRight');
	await settle(page);
	so('a span', /from=\d+/.test(await address(page)));
	await page.keyboard.press('Escape');
	await page.keyboard.press('p');
	so('the peak', (await page.textContent('#moments [aria-pressed="true"]')) === 'Peak');
	await page.keyboard.press('g');
	so('growth', (await page.textContent('#moments [aria-pressed="true"]')) === 'Growth');
	await page.focus('#flames');
	await page.keyboard.press('ArrowDown');
	const first = await page.textContent('#flame-at');
	await page.keyboard.press('ArrowDown');
	so('another box of the flame graph is said', first !== ''
		&& first !== await page.textContent('#flame-at'));
	await page.keyboard.press('Enter');
	await settle(page);
	so('zoomed', /zoom=/.test(await address(page)));
	await page.keyboard.press('Escape');
	await settle(page);
	so('no more', !/zoom=/.test(await address(page)));
}

async function checkMouse(page) {
	await page.evaluate(() => scrollTo(0, document.getElementById('plot').offsetTop));
	const plot = await page.locator('#plot').boundingBox();
	await page.mouse.move(plot.x + 300, plot.y + 100);
	so('a tip', await comes(page, '#plot-tip'));
	await page.mouse.down();
	await page.mouse.move(plot.x + 500, plot.y + 100, { steps: 4 });
	await page.mouse.up();
	await settle(page);
	so('a drag is a span', /at=\d+&from=\d+/.test(await address(page)));
	await page.mouse.click(plot.x + 400, plot.y + 100);
	await settle(page);
	so('a click is a moment', /at=\d+/.test(await address(page))
		&& !/from=/.test(await address(page)));
	await page.evaluate(() => document.getElementById('flame-title').scrollIntoView());
	const flames = await page.locator('#flames').boundingBox();
	await page.mouse.move(flames.x + 100, flames.y + 10);
	so('a tip', await comes(page, '#flame-tip'));
	await page.mouse.click(flames.x + 100, flames.y + 10);
	so('a click zooms', await page.waitForURL(/zoom=/, { timeout: 5000 })
		.then(() => true, () => false));
	so('a button leads back', await comes(page, '#unzoom'));
	await page.click('#unzoom');
	await page.click('#flame-way button:nth-child(2)');
	await settle(page);
	so('inverted', /inverted=1/.test(await address(page)));
}

// What is chosen comes back by its address.
async function checkLink(browser, page) {
	const before = [await address(page), await texts(page, '#table tbody tr'),
		await page.textContent('#chosen')];
	const other = await open(browser, home + before[0]);
	same('by its link', before, [await address(other), await texts(other, '#table tbody tr'),
		await other.textContent('#chosen')]);
	await other.close();
}

async function checkSvg(page) {
	for (const which of ['time', 'flame']) {
		const [download] = await Promise.all([page.waitForEvent('download'),
			page.click(`[data-svg="${which}"]`)]);
		const text = fs.readFileSync(await download.path(), 'utf8');
		so(`${which} is a picture`, text.startsWith('<svg') && text.endsWith('</svg>')
			&& text.length > 2000 && !/NaN|undefined/.test(text));
		const [band] = await page.evaluate(() => [getComputedStyle(document.documentElement)
			.getPropertyValue('--band').trim()]);
		so('the span that is chosen is in it', which === 'flame' || text.includes(`fill="${band}"`));
	}
}

run(browsers, async (browser, name) => {
	const numbers = JSON.parse(/id="data">(.*?)<\/script>/s.exec(fs.readFileSync(file, 'utf8'))[1])
		.runs[0].moments.number;
	const middle = String(numbers[Math.floor(numbers.length / 2)]),
		early = String(numbers[Math.floor(numbers.length / 4)]);
	await checkLines(browser);
	const page = await open(browser, `${home}#group=source`);
	await checkMoment(page, null);
	await checkFigures(page);
	await checkValues(page);
	await checkHead(page);
	await checkSorting(page);
	await checkFocus(page);
	await page.close();
	const there = await open(browser, `${home}#at=${middle}&group=source`);
	await checkMoment(there, middle);
	await checkSearch(there, middle, process.env.WORD);
	await checkKeys(there);
	await checkMouse(there);
	await checkLink(browser, there);
	await there.close();
	const span = await open(browser, `${home}#from=${early}&at=${middle}&group=source`);
	await checkSpan(span, early, middle);
	await checkLink(browser, span);
	if (name === 'chromium') {
		await checkSvg(span);
		await span.emulateMedia({ media: 'print' });
		so('buttons are not printed', !(await span.isVisible('.bar'))
			&& !(await span.isVisible('#search')) && await span.isVisible('#table'));
		// A sheet of A4 is 718 pixels wide between its margins.
		await span.setViewportSize({ width: 718, height: 1000 });
		await span.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
		for (const id of ['plot', 'flames']) {
			so(`${id} is a picture on paper`, await span.isVisible(`#${id} > svg`)
				&& (await span.$$(`#${id} > svg path`)).length > 10
				&& !(await span.isVisible(`#${id} canvas`)));
			so(`${id} fits`, (await span.locator(`#${id} > svg`).boundingBox()).width <= 718);
		}
		so('nothing is cut off', await span.evaluate(() => document.documentElement.scrollWidth
			<= document.documentElement.clientWidth));
	}
	await span.close();
});
