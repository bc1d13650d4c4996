// whole.js PROGRAM SERVICE LOGS BROWSER...: what pages say and do beyond single numbers: PROGRAM is
// one of a program with templates, wrappers, recursion and two threads; SERVICE of three processes
// whose logs are in the folder LOGS, of which one begins late and one ends. PMEM is the reader.

'use strict';
const { execFileSync } = require('child_process');
const fs = require('fs');
const { open, run, same, so } = require('../../lib/browser.js');

const [program, service, logs, ...browsers] = process.argv.slice(2);
const addressOf = (file) => `file://${fs.realpathSync(file)}`;
const pmem = (...words) => execFileSync(process.env.PMEM, words,
	{ stdio: ['ignore', 'pipe', 'ignore'] }).toString();
const texts = (page, selector) => page.$$eval(selector, (all) =>
	all.map((each) => each.textContent));
const settle = (page) => page.waitForTimeout(250);

// What is drawn, as it would be printed: texts, and shapes {fill, points}.
const drawn = (page, id) => page.evaluate((which) => {
	window.dispatchEvent(new Event('beforeprint'));
	const svg = document.querySelector(`#${which} > svg`);
	const found = { texts: [...svg.querySelectorAll('text')].map((each) => each.textContent),
		shapes: [...svg.querySelectorAll('path')].map((each) => ({ fill: each.getAttribute('fill'),
			points: each.getAttribute('d').split('L').length })) };
	window.dispatchEvent(new Event('afterprint'));
	return found;
}, id);

const colorsOf = (page, ...names) => page.evaluate((all) => all.map((name) =>
	getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()), names);

async function checkFlame(browser) {
	const page = await open(browser, addressOf(program));
	const labels = async () => (await drawn(page, 'flames')).texts;
	const has = (all, name) => all.filter((each) => each.replace('…', '') === name).length;
	const usual = await labels();
	so(`templates are shortened: ${usual}`, has(usual, 'keep<>') === 1);
	so('wrappers are hidden', has(usual, 'xmalloc') === 0);
	same('recursion is folded', 1, has(usual, 'dive'));
	so('from main', usual.indexOf('main') < usual.indexOf('handle'));
	await page.click('#wrappers');
	same('wrappers are shown', 2, has(await labels(), 'xmalloc'));
	await page.click('#fold');
	same('recursion is shown', 6, has(await labels(), 'dive'));
	await page.click('#fold');
	await page.click('#wrappers');
	await page.click('#flame-way button:nth-child(2)');
	const inverted = await labels();
	so(`from who allocates: ${inverted}`, inverted[0] === 'keep<>'
		&& inverted.indexOf('handle') < inverted.indexOf('main'));
	await page.click('#flame-way button:nth-child(1)');
	// Colours by module, then by language.
	const [modules] = await colorsOf(page, 'modules');
	const hues = async () => new Set((await drawn(page, 'flames')).shapes.map((each) => each.fill)
		.filter((fill) => modules.includes(fill))).size;
	so('its module', (await texts(page, '#modules li'))[0] === 'program' && await hues() === 1);
	await page.click('#languages');
	const languages = await texts(page, '#modules li');
	so(`its languages: ${languages}`, languages.includes('C++') && languages.includes('C')
		&& await hues() >= 2);
	await page.focus('#flames');
	await page.keyboard.press('l');
	so('the key', !(await page.isChecked('#languages')));
	// Whatever is hovered tells its full name, and where it is.
	await page.focus('#flames');
	await page.fill('#search', 'keep<');
	await settle(page);
	so(`the share that is found: ${await page.textContent('#found')}`,
		/^[\d.]+ [KM]?i?B, [\d.]+% in 1 source$/.test(await page.textContent('#found')));
	const flames = await page.locator('#flames').boundingBox();
	const tips = new Set();
	for (let y = 10; y < flames.height; y += 21)
		for (let x = 5; x < flames.width; x += 40) {
			await page.mouse.move(flames.x + x, flames.y + y);
			if (await page.isVisible('#flame-tip'))
				tips.add(await page.textContent('#flame-tip'));
		}
	so(`full names: ${[...tips].join('; ')}`, [...tips].some((tip) => /keep<session>\(/.test(tip)));
	so('file and line', [...tips].some((tip) => /program\.cc:\d+/.test(tip)));
	await page.close();
}

// One source is one in the table, in the chart and in the flame graph; its threads and stack are told.
async function checkSource(browser) {
	const page = await open(browser, addressOf(program));
	await page.click('#table tbody tr:first-child td.where button');
	const [accent] = await colorsOf(page, 'accent');
	const [name] = await texts(page, '#table tr.chosen td.where');
	same('in the legend', [name], await texts(page, '#legend li.chosen button'));
	const count = (await drawn(page, 'flames')).shapes.filter((each) => each.fill === accent).length;
	so(`its boxes are marked: ${count}`, count >= 3);
	const [id] = /[0-9a-f]{16}/.exec(await page.textContent('#detail'));
	const stack = pmem('report', '--stacks', '-n', '0', `${logs}/../program.log`).split(`{${id}}`)[1]
		.split('\n').slice(1);
	const wanted = stack.slice(0, stack.findIndex((line) => !/^\s+\S/.test(line)));
	so('it has a stack', wanted.length > 4);
	same('its whole stack', wanted.length, (await texts(page, '#detail .stack li')).length);
	so('its thread', (await texts(page, '#table td.c-thread')).some((text) => /worker/.test(text)));
	await page.close();
}

// The tip of a moment says what the table then says of it.
async function checkTip(browser) {
	const page = await open(browser, addressOf(service));
	await page.locator('#plot').scrollIntoViewIfNeeded();
	const plot = await page.locator('#plot').boundingBox();
	for (const part of [0.3, 0.6, 0.8]) {
		const x = plot.x + plot.width * part;
		await page.mouse.move(x, plot.y + 60);
		await page.waitForSelector('#plot-tip .line');
		await page.waitForTimeout(50);
		const lines = await texts(page, '#plot-tip .line');
		await page.mouse.click(x, plot.y + 60);
		await settle(page);
		const [all] = await texts(page, '#table tfoot td.c-live');
		so(`${lines[0]} is all, ${all}`, lines[0] === `all${all}` && lines.length > 1);
		so(`${lines.at(-1)} is in the table`, (await texts(page, '#table tbody tr'))
			.some((row) => row.includes(/[\d.]+ [KM]?i?B$/.exec(lines.at(-1))[0])));
	}
	await page.close();
}

async function checkService(browser) {
	const page = await open(browser, addressOf(service));
	const commands = await texts(page, '#processes td small');
	so(`command lines: ${commands}`, commands.length === 3
		&& commands.every((each) => each === '/srv/bin/worker'));
	const text = pmem('report', '--raw', '--at', 'peak', logs);
	const peak = (await page.$$eval('#head .figures div', (all) => all.map((each) =>
		each.innerText.replace(/\n/g, '')))).find((each) => each.startsWith('Peak'));
	const [, size] = /^Peak at one time([\d.]+ \S+?B)/.exec(peak);
	so(`the peak of all, ${size}, is the reader's`, text.includes(size));
	const [good, mark, ink] = await colorsOf(page, 'good', 'mark', 'ink');
	const countOf = ({ shapes }, fill) => shapes.filter((each) => each.fill === fill
		&& each.points === 3).length;
	const together = await drawn(page, 'plot');
	so(`the peak is told: ${together.texts}`, together.texts.includes(`peak ${size}`));
	same('begins, ends, peaks', [2, 1, 1], [good, mark, ink].map((fill) => countOf(together, fill)));
	await page.click('#panes');
	const panes = await drawn(page, 'plot');
	same('in panes', [2, 1, 3], [good, mark, ink].map((fill) => countOf(panes, fill)));
	so(`each has times: ${panes.texts}`, panes.texts.filter((each) => /^\d\d:\d\d/.test(each)).length
		>= 3 && panes.texts.filter((each) => /^worker \d/.test(each)).length === 3);
	so('what the log lacks is told', /7 allocations of stacks beyond|table_full=7/.test((await texts(page, '#head .notes')).join()));
	const [title] = await page.$$eval('#table td.c-rate span', (all) => all.map((each) => each.title));
	so(`an interval: ${title}`, /^[\d.]+ \S+ - [\d.]+ \S+$/.test(title));
	await page.close();
}

// To copy takes all that is chosen, as text.
async function checkCopy(browser) {
	const page = await open(browser, addressOf(service));
	await page.evaluate(() => window.addEventListener('copy', (event) => {
		window.copied = event.clipboardData.getData('text/plain');
	}));
	await page.click('#copy');
	const words = await page.evaluate(() => window.copied);
	const [row] = await texts(page, '#table tbody td.where');
	so(`copied: ${words}`, words.includes(row) && words.includes(await page.textContent('#verdict'))
		&& (await texts(page, '#table th')).every((title) => words.includes(title)));
	same('it says so', 'Copied as text.', await page.textContent('#news'));
	await page.close();
}

// While a span is dragged nothing is laid out and no chart drawn anew: the upper canvas is, once a
// frame, and the tip. While the flame graph zooms, its canvas alone is. The page's time goes on by
// 16 ms a frame: on a slow machine one frame takes longer than the whole zoom.
async function checkWork(browser) {
	const page = await open(browser, addressOf(program));
	const work = await page.evaluate(async () => {
		let time = 0;
		const onFrame = window.requestAnimationFrame.bind(window);
		performance.now = () => time;
		window.requestAnimationFrame = (draw) => onFrame(() => draw(time));
		const cleared = {}, touched = new Set();
		const { clearRect } = CanvasRenderingContext2D.prototype;
		CanvasRenderingContext2D.prototype.clearRect = function clear(...rest) {
			cleared[this.canvas.id] = (cleared[this.canvas.id] ?? 0) + 1;
			clearRect.apply(this, rest);
		};
		const watcher = new MutationObserver((all) => all.forEach(({ target }) =>
			touched.add(target.closest?.('[id]')?.id ?? 'text')));
		const next = async () => {
			time += 16;
			await new Promise(requestAnimationFrame);
		};
		const plot = document.getElementById('plot'), flames = document.getElementById('flames');
		const send = (area, type, x, y) => area.dispatchEvent(new PointerEvent(type, { bubbles: true,
			pointerId: 1, button: 0, clientX: area.getBoundingClientRect().left + x,
			clientY: area.getBoundingClientRect().top + y }));
		plot.setPointerCapture = () => {};
		await next();
		send(plot, 'pointerdown', 100, 80);
		watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
		let frames = 0;
		for (let x = 110; x < 300; x += 10) {
			for (let i = 0; i < 10; i++)
				send(plot, 'pointermove', x + i, 80);
			await next();
			frames++;
		}
		await next();
		const drag = { frames: frames + 1, cleared: { ...cleared }, touched: [...touched] };
		watcher.disconnect();
		send(plot, 'pointerup', 300, 80);
		await next();
		send(flames, 'click', 30, 60);
		await next();
		for (const id of Object.keys(cleared))
			delete cleared[id];
		touched.clear();
		watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
		for (let i = 0; i < 6; i++)
			await next();
		return { drag, zoom: { cleared, touched: [...touched] } };
	});
	const { drag, zoom } = work;
	so(`once a frame: ${JSON.stringify(drag)}`, drag.cleared['plot-top'] > 5
		&& drag.cleared['plot-top'] <= drag.frames);
	same('nothing else is drawn', ['plot-top'], Object.keys(drag.cleared));
	same('nothing else is touched', ['plot-tip'], drag.touched);
	same('zooming draws', ['flames-base'], Object.keys(zoom.cleared));
	same('zooming touches nothing', [], zoom.touched);
	await page.close();
}

// Nothing asks the page for what it would have to lay out twice in a frame. Only Chromium tells.
async function checkLayouts(browser) {
	if (browser.browserType().name() !== 'chromium')
		return;
	const page = await open(browser, addressOf(service));
	const tools = await page.context().newCDPSession(page);
	await tools.send('Performance.enable');
	const layouts = async () => (await tools.send('Performance.getMetrics')).metrics
		.find(({ name }) => name === 'LayoutCount').value;
	const FRAMES = 20;
	for (const what of ['drag', 'moment']) {
		const before = await layouts();
		await page.evaluate(async ([frames, isDrag]) => {
			const plot = document.getElementById('plot'), { left, top } = plot.getBoundingClientRect();
			plot.setPointerCapture = () => {};
			const send = (type, x) => plot.dispatchEvent(new PointerEvent(type, { bubbles: true,
				pointerId: 1, button: 0, clientX: left + x, clientY: top + 80 }));
			if (isDrag)
				send('pointerdown', 90);
			for (let i = 0; i < frames; i++) {
				if (isDrag)
					send('pointermove', 100 + 10 * i);
				else
					plot.dispatchEvent(new KeyboardEvent('keydown', { key: i % 2 ? 'PageUp' : 'PageDown' }));
				await new Promise(requestAnimationFrame);
			}
		}, [FRAMES, what === 'drag']);
		const count = await layouts() - before;
		so(`${what}: ${count} layouts in ${FRAMES} frames`, count >= 5 && count <= FRAMES + 3);
	}
	await page.close();
}

// Whose it is, and a single snapshot is seen.
async function checkLittle(browser) {
	const page = await open(browser, addressOf('first.html'));
	same('a log that does not say whose it is', 'seed.log', await page.textContent('h1'));
	await page.close();
	const one = await open(browser, addressOf('single.html'));
	const [, , , , , , fill] = (await colorsOf(one, 'stack'))[0].split(/\s+/);
	const width = await one.evaluate((color) => {
		window.dispatchEvent(new Event('beforeprint'));
		const [first, ...others] = document.querySelector(`#plot > svg path[fill="${color}"]`)
			.getAttribute('d').slice(1).split('L').map(parseFloat);
		return Math.max(...others) - first;
	}, fill);
	so(`one snapshot is drawn ${width} wide`, width > 200);
	await one.close();
	// Green is what leaks nothing; not what fell back, as all do that free everything as they end.
	const kinds = [];
	for (const file of ['flat.html', 'fell.html']) {
		const of = await open(browser, addressOf(file));
		kinds.push([await of.getAttribute('.verdict', 'class'), await of.textContent('#verdict')]);
		await of.close();
	}
	so(`flat is good: ${kinds[0]}`, /good/.test(kinds[0][0]) && /: no leak: live stays at /.test(kinds[0][1]));
	so(`fallen is not: ${kinds[1]}`, !/good/.test(kinds[1][0]) && /fell back/.test(kinds[1][1]));
}

run(browsers, async (browser) => {
	for (const check of [checkFlame, checkSource, checkTip, checkService, checkCopy, checkWork,
		checkLayouts, checkLittle])
		await check(browser);
});
