// glance.js JOBS BROWSER...: what service.html, outside.html, flat.html, ended.html and jobs.html, of
// the logs in the folder JOBS, show first. PMEM is the reader.

'use strict';
const { execFileSync } = require('child_process');
const { open, run, same, so } = require('../../lib/browser.js');

const [jobs, ...browsers] = process.argv.slice(2);
const addressOf = (file) => `file://${process.cwd()}/${file}`;
const PHONE = { viewport: { width: 390, height: 800 } };
const texts = (page, selector) => page.$$eval(selector, (all) =>
	all.map((each) => each.innerText.replace(/\n/g, ' ')));
const settle = (page) => page.waitForTimeout(250);
const colorOf = (page, selector, property) => page.$eval(selector, (each, name) =>
	getComputedStyle(each)[name], property);

// The table of a folder's processes is there without a click, in whole.
async function checkFolder(browser) {
	const page = await open(browser, addressOf('service.html'));
	const rows = await texts(page, '#processes tbody tr');
	so(`what leaks is first, then what grows outside: ${rows}`, /^worker-leak 101 .*leaks/.test(rows[0])
		&& /^worker-outside 102 .*outside/.test(rows[1]));
	same('the others wait for a click', 12, rows.length);
	const narrow = await page.$$eval('#processes .who small', (all) => all.map((each) =>
		each.getBoundingClientRect().width).filter((width) => width < 250));
	same('no command is squeezed', [], narrow);
	same('no column is clipped', [0, 0], await page.evaluate(() => ['processes', 'sources'].map((id) => {
		const wide = document.querySelector(`#${id} .wide`);
		return Math.max(wide.scrollWidth - wide.clientWidth, 0);
	})));
	await page.click('#processes .more button');
	same('and are all there', 16, (await texts(page, '#processes tbody tr')).length);
	// One row has both stacks of the line that leaks; the line is bold, what it called is grey.
	const [line] = await texts(page, '#table tr:has(.word.leak) td.where');
	so(`the line: ${line}`, /^keep( via| <|$)/.test(line));
	same('leaks are one row', 1, (await texts(page, '#table .word.leak')).length);
	same('with two stacks', ['2'], await texts(page, '#table tr:has(.word.leak) td.c-sources'));
	const [weight, soft, grey] = [await colorOf(page, '#table tr:has(.word.leak) strong', 'fontWeight'),
		await colorOf(page, '#sources-what', 'color'), await colorOf(page, '#table td .quiet', 'color')];
	so(`bold: ${weight}`, Number(weight) >= 600);
	same('callers are grey', soft, grey);
	await page.close();
}

// Whoever chooses a process reads of it alone.
async function checkChosen(browser) {
	const page = await open(browser, addressOf('service.html'));
	const legend = await texts(page, '#legend button');
	so(`of all: ${legend}`, legend.some((each) => /^keep/.test(each)));
	const all = await page.textContent('#verdict');
	await page.click('#processes tbody tr:nth-child(2) button.link');
	same('the title', 'worker-outside 102', await page.textContent('h1'));
	same('the window\'s title', 'worker-outside 102 - pmem', await page.title());
	so('the summary', all !== await page.textContent('#verdict'));
	so('amber', (await page.getAttribute('.verdict', 'class')).split(' ').includes('outside'));
	so('the resident line', await page.isChecked('#rss'));
	const left = await texts(page, '#legend button');
	so(`its legend: ${left}`, left.length > 0 && !left.some((each) => /^keep/.test(each)));
	await page.click('#head button:has-text("All 16 processes")');
	same('and back', all, await page.textContent('#verdict'));
	await page.close();
}

async function checkColours(browser) {
	const kinds = [];
	for (const name of ['outside', 'flat']) {
		const page = await open(browser, addressOf(`${name}.html`));
		kinds.push([await colorOf(page, '.verdict', 'borderLeftColor'), await page.isChecked('#rss')]);
		await page.close();
	}
	const [[amber, isDrawn], [green]] = kinds;
	const [red, g, b] = amber.match(/\d+/g).map(Number);
	so(`amber: ${amber}`, red > g && g > b && red < 2 * g);
	so('what is resident is drawn', isDrawn);
	const parts = green.match(/\d+/g).map(Number);
	so(`green: ${green}`, parts[1] > parts[0] && parts[1] > parts[2]);
}

// A stack opens at the program's line: what it called, and std:: among it, is folded.
async function checkStack(browser) {
	const page = await open(browser, `${addressOf('service.html')}#group=source`);
	await page.click('#table td.where button[title*="std::fill"]');
	const shown = await page.$$eval('#detail .stack li', (all) =>
		all.filter((each) => each.checkVisibility()).map((each) => each.innerText.split('\n')[0]));
	same('the stack begins with', 'keep', shown[0]);
	so(`std:: is folded: ${shown}`, !shown.some((each) => /std::/.test(each))
		&& /std::fill/.test(await page.textContent('#detail details .stack')));
	await page.keyboard.press('Escape');
	so('Escape closes', await page.isHidden('#detail'));
	await page.close();
}

async function checkPhone(browser) {
	const page = await open(browser, addressOf('service.html'), PHONE);
	await page.click('#table tr:has(.word.leak) td.where button');
	const small = await page.$$eval('button, select, summary, input, a[href]:not(.skip)', (all) =>
		all.filter((each) => each.checkVisibility()).map((each) => [each.innerText || each.id,
			(each.type === 'checkbox' ? each.closest('label') : each).getBoundingClientRect().height])
			.filter(([, height]) => height < 32));
	same('targets are high', [], small);
	await page.click('#detail .title button');
	const names = await page.$$eval('#table td.where button', (all) => all.map((each) => {
		const range = document.createRange();
		range.selectNodeContents(each);
		return [each.getBoundingClientRect().height, new Set([...range.getClientRects()]
			.filter(({ width }) => width > 0).map(({ top }) => Math.round(top / 4))).size];
	}));
	so(`names wrap: ${names}`, names.some(([height, lines]) => lines >= 2 && height < 48));
	same('nothing is wider than the page', 0, await page.evaluate(() => Math.max(0,
		document.documentElement.scrollWidth - document.documentElement.clientWidth)));
	await page.close();
}

// Where nothing is left the peak is shown; of short runs a table, and no sum that never was.
async function checkEnds(browser) {
	const page = await open(browser, addressOf('ended.html'));
	same('it opens at the peak', 'Peak', await page.textContent('#moments [aria-pressed="true"]'));
	so('with what there was', (await texts(page, '#table tbody tr')).length >= 2
		&& (await texts(page, '#table tfoot td.c-live'))[0] !== '0 B');
	await page.close();
	const runs = await open(browser, addressOf('jobs.html'));
	const rows = await texts(runs, '#processes tbody tr');
	const [said] = execFileSync(process.env.PMEM, ['leaks', jobs], { stdio: ['ignore', 'pipe',
		'ignore'] }).toString().split('\n').filter((line) => / of 40 runs leave /.test(line));
	const [, word, words] = /^(.*?): rotate: (.*)$/.exec(said);
	same('short runs are one row', [`rotate, 40 runs ${word} ${words}`], rows.map((each) =>
		each.replace(/\s+/g, ' ').trim()));
	so('no chart of them', await runs.isHidden('#plot'));
	const figures = (await texts(runs, '#head .figures div')).join();
	so(`no sum: ${figures}`, /Left by a run/.test(figures) && !/Live/.test(figures));
	await runs.click('#processes tbody button.link');
	so('they are there', (await texts(runs, '#processes tbody tr')).length > 10);
	await runs.click('#processes tbody tr:nth-child(2) button.link');
	so('one of them is drawn', await runs.isVisible('#plot'));
	await runs.close();
}

// A word explains itself where it stands; Escape closes that, then the keys.
async function checkWords(browser) {
	const page = await open(browser, addressOf('service.html'));
	const meaning = '#processes tbody tr:nth-child(2) .term p';
	await page.click('#processes tbody tr:nth-child(2) .term summary');
	so(`explained: ${await page.textContent(meaning)}`, await page.isVisible(meaning)
		&& (await page.textContent(meaning)).length > 20);
	await page.keyboard.press('Escape');
	so('closed', await page.isHidden(meaning));
	await page.keyboard.press('?');
	so('the keys', await page.isVisible('#help'));
	await page.keyboard.press('Escape');
	await settle(page);
	so('are closed', await page.isHidden('#help'));
	await page.close();
}

run(browsers, async (browser) => {
	for (const check of [checkFolder, checkChosen, checkColours, checkStack, checkPhone, checkEnds,
		checkWords])
		await check(browser);
});
