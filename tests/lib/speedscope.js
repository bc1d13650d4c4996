// speedscope.js PROFILE...: opens each file in speedscope's own page, in Chromium, and writes to
// PROFILE.shown the page's title, and what its Sandwich view has of each function:
// `TOTAL|SELF|TEXT|NAME`, shares in percent, and the total as the page writes it.
//
// PMEM_NODE_MODULES is a folder that has speedscope and playwright-core.

'use strict';
const fs = require('fs');
const http = require('http');
const path = require('path');

const modules = process.env.PMEM_NODE_MODULES;
const release = path.join(modules, 'speedscope', 'dist', 'release');
const { chromium } = require(path.join(modules, 'playwright-core'));

const types = {
	'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json',
};

// The page and the profiles, to this machine alone.
function serve() {
	const server = http.createServer((request, response) => {
		const name = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
		const file = name.startsWith('/profile/') ? name.slice('/profile/'.length)
			: path.join(release, path.normalize(name));
		fs.readFile(file, (error, content) => {
			const type = types[path.extname(name)] || 'text/plain';
			response.writeHead(error ? 404 : 200, { 'content-type': type });
			response.end(error ? '' : content);
		});
	});
	return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function read(browser, home, profile) {
	const page = await browser.newPage();
	page.setDefaultTimeout(60000);
	page.on('dialog', (dialog) => {
		console.log(`the page says: ${dialog.message()}`);
		dialog.dismiss();
	});
	const address = encodeURIComponent(`${home}/profile/${profile}`);
	await page.goto(`${home}/index.html#profileURL=${address}`);
	await page.getByText('Sandwich').click();
	await page.waitForSelector('table td');
	const title = await page.title();
	// A cell is a text and a bar, whose width is the share with all its digits.
	const rows = await page.$$eval('table tr:has(td)', (all) => all.map((row) => {
		const cells = Array.from(row.querySelectorAll('td'));
		const share = (cell) => cell.querySelector('[style*="width"]').style.width.replace('%', '');
		const text = (cell) => cell.innerText.replace(/\s+/g, ' ').trim();
		return [share(cells[0]), share(cells[1]), text(cells[0]), text(cells[2])].join('|');
	}));
	fs.writeFileSync(`${profile}.shown`, [title, ...rows].join('\n') + '\n');
	await page.close();
}

async function main() {
	const server = await serve();
	const user = fs.mkdtempSync(path.join(process.cwd(), 'chromium-'));
	const browser = await chromium.launchPersistentContext(user, {
		executablePath: process.env.CHROMIUM,
		headless: true,
		viewport: { width: 1600, height: 3000 },
		args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
			'--disable-background-networking', '--disable-component-update', '--disable-sync'],
	});
	try {
		for (const profile of process.argv.slice(2))
			await read(browser, `http://127.0.0.1:${server.address().port}`, profile);
	} finally {
		await browser.close();
		server.close();
	}
}

main().catch((error) => {
	console.error(error);
	process.exit(1);
});
