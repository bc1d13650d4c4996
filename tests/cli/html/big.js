// big.js PAGE SOURCES BROWSER...: a page of at least so many sources is there, and can be used.
// Time does not decide: what it took is told as a figure.

'use strict';
const fs = require('fs');
const { comes, open, run, same, so } = require('../../lib/browser.js');

const [file, least, ...browsers] = process.argv.slice(2);

run(browsers, async (browser, name) => {
	const began = Date.now(), home = `file://${fs.realpathSync(file)}`;
	const first = await open(browser, home);
	console.log(`figure: ${name} shows it in ${Date.now() - began} ms`);
	await first.close();
	const page = await open(browser, `${home}#group=source`);
	const more = await page.textContent('#more');
	const count = Number(/of ([\d,]+) are not shown/.exec(more)?.[1].replace(/,/g, '')
		?? (await page.$$('#table tbody tr')).length);
	so(`${count} sources`, count >= Number(least));
	const moments = Number(await page.getAttribute('#plot', 'aria-valuemax'));
	so(`${moments} moments`, moments > 50);
	const { snapshots, runs: processes } = JSON.parse(await page.textContent('#data'));
	const drawn = processes.reduce((sum, each) => sum + each.moments.number.length, 0);
	same('what is thinned says so', drawn < snapshots, (await page.textContent('#foot'))
		.startsWith(`Of ${snapshots} snapshots ${drawn} are drawn; what is shown of each is exact.`));
	// How long a moment, a span and a zoom take, by the page's own clock.
	const took = await page.evaluate(async () => {
		const plot = document.getElementById('plot');
		const press = (key, shiftKey) => plot.dispatchEvent(new KeyboardEvent('keydown',
			{ key, shiftKey, bubbles: true }));
		const times = [];
		for (const [key, shift] of [['Home'], ['PageUp'], ['PageUp'], ['PageUp', true], ['End']]) {
			const start = performance.now();
			press(key, shift);
			times.push(Math.round(performance.now() - start));
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
		return times;
	});
	console.log(`figure: ${name} takes ${took.join(', ')} ms for a moment`);
	// However fast moments are chosen, of many sources the table is made once a frame, and has the last.
	const made = await page.evaluate(async () => {
		let times = 0;
		const watcher = new MutationObserver((all) => { times += all.length; });
		watcher.observe(document.getElementById('table'), { childList: true });
		for (const key of ['Home', 'PageUp', 'PageUp', 'PageUp', 'PageUp'])
			document.getElementById('plot').dispatchEvent(new KeyboardEvent('keydown', { key }));
		await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
		return times;
	});
	so(`the table is made ${made} times`, made === (Number(least) > 1000 ? 1 : 5));
	const all = await page.textContent('#table tfoot td.c-live');
	const at = await page.getAttribute('#plot', 'aria-valuetext');
	so(`${all} is what there was then: ${at}`, at.endsWith(` ${all}`));
	await page.fill('#search', 'grow');
	await page.waitForTimeout(200);
	await page.fill('#search', '');
	await page.click('#table .c-rate button');
	await page.click('#table tbody tr:first-child td.where button');
	so('its detail is shown', await comes(page, '#detail'));
	await page.close();
});
