// mapped.js PAGE IS_MAPPED BROWSER...: beside what is resident the chart draws what the program mapped
// itself, and says it of the moment that is pointed at; of a program that mapped nothing neither.

'use strict';
const fs = require('fs');
const { comes, open, run, same, so } = require('../../lib/browser.js');

const [file, isMapped, ...browsers] = process.argv.slice(2);

run(browsers, async (browser) => {
	const page = await open(browser, `file://${fs.realpathSync(file)}`);
	const drawn = (dashes) => page.evaluate((dash) => {
		window.dispatchEvent(new Event('beforeprint'));
		return document.querySelectorAll(`#plot > svg path[stroke-dasharray="${dash}"]`).length;
	}, dashes);
	same('not at first: its scale would hide what is live', [0, 0],
		[await drawn('4 3'), await drawn('1 3')]);
	await page.setChecked('#rss', true);
	same('resident and mapped memory are drawn', [1, Number(isMapped)],
		[await drawn('4 3'), await drawn('1 3')]);
	const box = await page.locator('#plot').boundingBox();
	await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2);
	so('a tip', await comes(page, '#plot-tip'));
	const lines = await page.$$eval('#plot-tip .line', (all) => all.map((each) => each.textContent));
	same(`mapped in ${lines}`, Number(isMapped) ? ['mapped72.0 MiB'] : [],
		lines.filter((line) => line.startsWith('mapped')));
});
