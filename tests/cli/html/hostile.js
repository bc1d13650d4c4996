// hostile.js PAGE BROWSER...: nothing that a log calls something has become an element of the page,
// and none of it has run.

'use strict';
const fs = require('fs');
const { open, run, same, so } = require('../../lib/browser.js');

const [file, ...browsers] = process.argv.slice(2);

run(browsers, async (browser) => {
	const page = await open(browser, `file://${fs.realpathSync(file)}`);
	const rows = page.locator('#table tbody td.where button');
	for (let i = 0; i < await rows.count(); i += 3) {
		await rows.nth(i).click();
		so('its stack', (await page.$$('#detail .stack li')).length > 0);
	}
	await page.fill('#search', '<img src=x onerror=alert(1)>');
	await page.waitForTimeout(300);
	await page.fill('#search', '');
	same('elements', 0,
		(await page.$$('img, iframe, object, embed, body b:not(.tip b):not(p b), [onload], [onerror]'))
		.length);
	same('scripts', 2, (await page.$$('script')).length);
	so('the title', !/owned/.test(await page.title()));
	const text = await page.textContent('body');
	so('they are text', text.includes('onerror=document.title') && text.includes('<b>app</b>')
		&& text.includes('<i>server</i>'));
	await page.close();
});
