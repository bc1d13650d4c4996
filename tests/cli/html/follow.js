// follow.js SCRIPTLOG LOGS PAGE BROWSER...: writes logs into the folder LOGS while somebody else
// follows them into PAGE, which is open in a browser.

'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const http = require('http');
const { open, run, same, so } = require('../../lib/browser.js');

const [scriptlog, logs, file, ...browsers] = process.argv.slice(2);

function writer(pid) {
	const child = spawn(scriptlog, [`${logs}/pmem.${pid}.log`],
		{ stdio: ['pipe', 'ignore', 'inherit'] });
	// Each begins where the one before has ended.
	child.stdin.write(`pid ${pid}\nstart 2026-11-21T00:${(pid - 90) * 2}:00.000Z\n`);
	return {
		blocks: (count) => {
			for (let i = 0; i < count; i++)
				child.stdin.write('+ keep/handle 3 1000\n+ serve/handle 2 500\n- serve/handle 2 500\nsnapshot 5000 churn\n');
		},
		end: () => child.stdin.end(),
	};
}

async function until(what, is) {
	for (let i = 0; i < 100; i++) {
		if (await is().catch(() => false))
			return so(what, true);
		await new Promise((resolve) => setTimeout(resolve, 150));
	}
	return so(what, false);
}

// Each state of it is whole.
function watchWhole() {
	const timer = setInterval(() => {
		if (!fs.existsSync(file))
			return;
		const text = fs.readFileSync(file, 'utf8');
		if (!text.endsWith('</html>\n'))
			so('the file is whole', false);
	}, 20);
	return () => clearInterval(timer);
}

const server = http.createServer((request, response) => {
	response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
	response.end(fs.readFileSync(file));
});

let pid = 100;

run(browsers, async (browser, name) => {
	const stop = watchWhole();
	const first = writer(++pid);
	first.blocks(12);
	await until('the page is there', async () => fs.readFileSync(file, 'utf8')
		.includes(`"pid":${pid},`));
	if (!server.listening)
		await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const page = await open(browser, `http://127.0.0.1:${server.address().port}/`);
	const last = async () => Number(await page.getAttribute('#plot', 'aria-valuemax'));
	const before = await last();
	await page.click('#table tbody tr:nth-child(1) button');
	await page.fill('#search', 'handle');
	await page.focus('#plot');
	await page.keyboard.press('Home');
	await page.keyboard.press('ArrowRight');
	const chosen = await page.textContent('#chosen');
	const detail = await page.textContent('#detail h2');
	first.blocks(3);
	await until('new snapshots are shown', async () => await last() > before);
	same('the moment', chosen, await page.textContent('#chosen'));
	same('the source', detail, await page.textContent('#detail h2'));
	same('the search', 'handle', await page.inputValue('#search'));
	const second = writer(++pid);
	second.blocks(10);
	await until('a new process joins', async () => (await page.locator('#runs option')
		.allTextContents()).some((text) => text.endsWith(` ${pid}`)));
	same('the source', detail, await page.textContent('#detail h2'));
	await page.close();

	// Without a server the page is loaded again.
	const alone = await open(browser, `file://${fs.realpathSync(file)}#search=handle&by=blocks`);
	const there = async () => Number(await alone.getAttribute('#plot', 'aria-valuemax'));
	const was = await there();
	second.blocks(3);
	await until('it is loaded again', async () => await there() > was);
	same('the search', 'handle', await alone.inputValue('#search'));
	same('the value', 'Blocks', await alone.textContent('#by [aria-pressed="true"]'));
	await alone.close();
	first.end();
	second.end();
	stop();
});
