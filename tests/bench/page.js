// page.js PAGE BROWSER...: how soon the page can be used, and how smooth it is to drag a span in its
// chart and to zoom in its flame graph. Prints a line for each browser: ms until the table is
// there; for dragging and for zooming ms from one frame to the next, median, 95 of 100, and
// longest, and how many frames there were. The page drives itself, an event a frame: what an
// event's way through playwright takes is not measured.

'use strict';
const fs = require('fs');
const { launch } = require('../lib/browser.js');

const [file, ...browsers] = process.argv.slice(2);

// In the page. Calls step(frame) before each, and hands back ms from each to the next.
async function measure() {
	const next = () => new Promise(requestAnimationFrame);
	async function framesOf(count, step) {
		const times = [await next()];
		for (let i = 0; i < count; i++) {
			step(i);
			times.push(await next());
		}
		return times.slice(1).map((time, i) => time - times[i]);
	}
	const send = (area, type, x, y) => area.dispatchEvent(new PointerEvent(type, { bubbles: true,
		button: 0, pointerId: 1, clientX: area.getBoundingClientRect().left + x,
		clientY: area.getBoundingClientRect().top + y }));
	const plot = document.getElementById('plot'), flames = document.getElementById('flames');
	plot.setPointerCapture = () => {};
	const across = (i) => 90 + (plot.clientWidth - 120) * i / 120;
	send(plot, 'pointerdown', 90, 100);
	const drag = await framesOf(120, (i) => send(plot, 'pointermove', across(i), 100));
	send(plot, 'pointerup', across(120), 100);
	for (let i = 0; i < 30; i++)
		await next();
	const zoom = [];
	// Where a row has a box that others are below: of what the log does not tell apart none are.
	const tip = document.getElementById('flame-tip');
	const places = Array.from({ length: 30 }, (_, i) => flames.clientWidth * (i + 0.5) / 30);
	const boxOf = (y) => places.find((x) => {
		send(flames, 'pointermove', x, y);
		return !tip.hidden && !tip.textContent.startsWith('{rest}');
	}) ?? 40;
	for (const row of [2, 4, 6, 8]) {
		const y = (row - 1) * 21 + 10;
		send(flames, 'click', boxOf(y), y);
		zoom.push(...await framesOf(14, () => {}));
		document.getElementById('unzoom').click();
		zoom.push(...await framesOf(14, () => {}));
	}
	return { drag, zoom };
}

function figures(name, times) {
	const sorted = [...times].sort((a, b) => a - b);
	const at = (part) => sorted[Math.floor((sorted.length - 1) * part)].toFixed(1);
	return `${name} ${at(0.5)} ${at(0.95)} ${at(1)} of ${times.length}`;
}

async function judge(browser, name) {
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	const began = Date.now();
	await page.goto(`file://${fs.realpathSync(file)}`);
	await page.waitForSelector('#table tbody tr');
	await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
	const shown = Date.now() - began;
	const { drag, zoom } = await page.evaluate(measure);
	console.log(`${name}: shown ${shown}, ${figures('drag', drag)}, ${figures('zoom', zoom)}`);
	await page.close();
}

(async () => {
	for (const name of browsers) {
		const browser = await launch(name);
		await judge(browser, name);
		await browser.close();
	}
})();
