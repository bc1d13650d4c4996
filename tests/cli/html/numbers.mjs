// numbers.mjs LOG...: of many moments and spans, what the page's own code makes of its data is what
// `pmem export --to csv` and `pmem diff` say: for each source, to the byte. Several LOGs are one
// page. PMEM is the reader; page/ in this folder has the page's modules.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
const { makeModel, viewOf, LAST } = await import(`${process.cwd()}/page/data.js`);

const logs = process.argv.slice(2);
// A damaged log is shown all the same.
const pmem = (...words) => spawnSync(process.env.PMEM, words, { maxBuffer: 1 << 30 })
	.stdout.toString();
let compared = 0, wrong = 0;

function same(what, expected, got) {
	compared++;
	if (JSON.stringify(expected) === JSON.stringify(got))
		return;
	if (++wrong < 20)
		console.log(`${what}: pmem ${JSON.stringify(expected)}, page ${JSON.stringify(got)}`);
}

// {key: {now, before}}: counts of the page's four.
function csvRows(at, since) {
	const lines = pmem('export', '--raw', '--to', 'csv', '--at', at, '--since', since, ...logs).trim()
		.split('\n');
	const names = lines[0].split(',');
	const rows = new Map();
	for (const line of lines.slice(1)) {
		const cells = line.split(',');
		const value = (name) => Number(cells[names.indexOf(name)]);
		rows.set(cells[0], {
			now: ['live', 'blocks', 'alloc', 'allocs'].map(value),
			before: ['base_live', 'base_blocks', 'base_alloc', 'base_allocs'].map(value),
		});
	}
	return rows;
}

function pageRows(view) {
	const rows = new Map();
	for (const row of view.rows)
		rows.set(row.source.kind === 1 ? 'other' : row.source.kind ? 'rest' : row.source.id, row);
	return rows;
}

const isNothing = (counts) => counts.every((each) => each === 0);

function checkMoment(model, at, name) {
	const wanted = csvRows(name, 'start');
	const got = pageRows(viewOf(model, { at, from: null, run: null }));
	for (const [key, row] of wanted)
		if (!isNothing(row.now))
			same(`${logs} at ${name}, ${key}`, row.now, got.get(key)?.now);
	for (const [key, row] of got)
		same(`${logs} at ${name}, ${key} is there`, true, wanted.has(key) || isNothing(row.now));
}

// Of one log: what `pmem diff` has of each source, and in all.
function checkSpan(model, from, at) {
	const names = [from, at].map((each) => String(model.axis[each].number));
	const text = pmem('diff', '--raw', '--bytes', '--stacks', '-n', '0', '--from', names[0], '--to',
		names[1], ...logs);
	const got = pageRows(viewOf(model, { at, from, run: null }));
	const number = (cell) => Number(cell.replace('~', '').replace('+', ''));
	let line = null;
	for (const each of text.split('\n')) {
		const cells = each.trim().split(/\s+/);
		const id = /^\s*\{([0-9a-f]{16})\}/.exec(each);
		if (/^ *(grew|shrank|came|went) /.test(each) || /\{(rest|other)\}/.test(each))
			line = cells;
		const key = id ? id[1] : /\{(rest|other)\}/.exec(each)?.[1];
		if (!key || !line)
			continue;
		const numbers = line.filter((cell) => /^~?[+-]?\d+$/.test(cell)).map(number);
		const row = got.get(key) ?? { now: [0, 0, 0, 0], before: [0, 0, 0, 0] };
		const less = (place) => row.now[place] - row.before[place];
		if (numbers.length >= 4)
			same(`${logs} from ${names}, ${key}`, numbers.slice(0, 5), [row.before[0], row.now[0], less(0),
				less(1), less(3)].slice(0, numbers.length));
		line = null;
	}
}

rmSync('page.html', { force: true });
pmem('html', '--raw', '-o', 'page.html', ...logs);
if (!existsSync('page.html')) {
	console.log(`${logs}: no snapshot`);
	process.exit(0);
}
const [, text] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(readFileSync('page.html', 'utf8'));
const model = makeModel(JSON.parse(text));
const last = model.axis.length - 1;
checkMoment(model, LAST, 'last');
for (let part = 0; part <= 6; part++) {
	const at = Math.round(last * part / 6);
	const isThere = model.isOne || model.runs.every((run) =>
		run.places[at] < run.moments.number.length - 1 || !run.ended);
	if (isThere)
		checkMoment(model, at, model.isOne ? String(model.axis[at].number)
			: new Date(model.axis[at].time).toISOString());
}
for (const [from, at] of [[0, 1], [0, 0.5], [0.3, 0.7], [0.5, 1], [0.9, 1]].map((span) =>
	span.map((part) => Math.round(last * part))))
	if (model.isOne && from < at)
		checkSpan(model, from, at);
console.log(`${logs.length} logs, ${last + 1} moments, ${compared} numbers compared, ${wrong} wrong`);
process.exit(wrong || compared < 3 ? 1 : 0);
