// browser.js: a page in a browser that is installed, and what it complains of. PMEM_NODE_MODULES is
// a folder that has playwright-core.

'use strict';
const fs = require('fs');
const Module = require('module');
const path = require('path');

// Firefox ESR does not know one command that playwright-core sends of each page, of colour schemes:
// it is sent another one that does nothing.
const usual = Module._extensions['.js'];
Module._extensions['.js'] = (module, file) => {
	if (!file.endsWith('coreBundle.js'))
		return usual(module, file);
	const text = fs.readFileSync(file, 'utf8');
	return module._compile(text.replaceAll('"emulation.setMediaFeaturesOverride"', '"session.status"'),
		file);
};
const playwright = require(path.join(process.env.PMEM_NODE_MODULES, 'playwright-core'));

// Of that name: chromium or firefox-esr.
function launch(name) {
	const executablePath = process.env.PATH.split(':').map((folder) => path.join(folder, name))
		.find((file) => fs.existsSync(file));
	if (name === 'chromium')
		return playwright.chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
	return playwright.firefox.launch({ executablePath, channel: 'moz-firefox' });
}

const found = { checks: 0, wrong: 0 };

function fail(what) {
	found.wrong++;
	console.log(what);
}

// What is not so is said, and told in the end.
function same(what, expected, got) {
	found.checks++;
	if (JSON.stringify(expected) !== JSON.stringify(got))
		fail(`${what}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

function so(what, is) {
	found.checks++;
	if (!is)
		fail(`not so: ${what}`);
}

// A page of this size, of which each complaint fails.
async function open(browser, address, options = {}) {
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
	page.setDefaultTimeout(20000);
	page.on('pageerror', (error) => fail(`the page fails: ${error.message}`));
	page.on('console', (message) => fail(`the page says: ${message.text()}`));
	// It may ask for itself, when it follows.
	page.on('request', (request) => request.url().split('#')[0] === address.split('#')[0]
		|| /^(data|blob):/.test(request.url()) || fail(`the page asks for ${request.url()}`));
	page.on('dialog', (dialog) => fail(`the page asks: ${dialog.message()}`));
	await page.goto(address);
	await page.waitForSelector('#table tbody tr');
	return page;
}

// Whether it comes to be shown. What a page does upon an event it may do with the next frame.
function comes(page, selector) {
	return page.waitForSelector(selector, { state: 'visible', timeout: 5000 })
		.then(() => true, () => false);
}

// Runs it for each of the browsers, and ends the process.
async function run(names, check) {
	for (const name of names) {
		const browser = await launch(name);
		try {
			await check(browser, name);
		} catch (error) {
			fail(`${name}: ${error.stack}`);
		} finally {
			await browser.close();
		}
	}
	console.log(`${found.checks} checks, ${found.wrong} wrong`);
	process.exit(found.wrong || !found.checks ? 1 : 0);
}

module.exports = { comes, launch, open, run, same, so };
