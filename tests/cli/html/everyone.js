// everyone.js BROWSER...: what axe-core says of one.html and several.html.

'use strict';
const fs = require('fs');
const path = require('path');
const { open, run, same, so } = require('../../lib/browser.js');

const axe = fs.readFileSync(path.join(process.env.PMEM_NODE_MODULES, 'axe-core', 'axe.min.js'),
	'utf8');

async function judge(browser, what, address, options, prepare) {
	// The page's own policy would not let another script in.
	const page = await open(browser, address, { ...options, bypassCSP: true });
	if (prepare)
		await prepare(page);
	await page.evaluate(axe);
	const { violations, passes } = await page.evaluate(() => window.axe.run(document));
	so(`rules were looked at: ${passes.length}`, passes.length > 15);
	same(what, [],
		violations.map((each) =>
		`${each.id}: ${each.nodes.slice(0, 3).map((node) => node.html.slice(0, 150)).join(' ')}`));
	so(`${what}: nothing is wider than the page`, await page.evaluate(() =>
		document.documentElement.scrollWidth <= document.documentElement.clientWidth));
	await page.close();
}

const click = (selector) => (page) => page.click(selector);

run(process.argv.slice(2), async (browser) => {
	const one = `file://${process.cwd()}/one.html`, several = `file://${process.cwd()}/several.html`;
	const phone = { viewport: { width: 390, height: 800 } };
	await judge(browser, 'one', one, {}, null);
	await judge(browser, 'dark', one, { colorScheme: 'dark' }, null);
	await judge(browser, 'a source', one, {}, click('#table tbody tr:nth-child(2) button'));
	await judge(browser, 'a source in the dark', one, { colorScheme: 'dark' },
		click('#table tbody tr:nth-child(2) button'));
	await judge(browser, 'phone', one, phone, null);
	await judge(browser, 'phone with a source', one, phone,
		click('#table tbody tr:nth-child(2) button'));
	await judge(browser, 'keys', one, {}, click('#keys'));
	await judge(browser, 'growth', one, {}, click('#moments button:nth-child(3)'));
	await judge(browser, 'modules', one, {}, click('#group button:nth-child(3)'));
	await judge(browser, 'several', several, {}, click('#processes .term summary'));
	await judge(browser, 'several in the dark', several, { colorScheme: 'dark' },
		click('#processes .term summary'));
	await judge(browser, 'several on a phone', several, phone, null);
});
