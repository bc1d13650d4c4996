// numbers.mjs LOG...: of many moments and spans, what the page's own code makes of its data is what
// `pmem export --to csv` and `pmem diff` say: for each source, to the byte. Several LOGs are one
// page. PMEM is the reader; page/ in this folder has the page's modules.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
const { makeModel } = await import(`${process.cwd()}/page/data.js`);
const { viewOf, LAST } = await import(`${process.cwd()}/page/view.js`);

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

// Each source's line of `pmem diff`: {before, after, and by how much live, blocks and allocs differ};
// where it is not certain, with a ~.
function diffRows(...words) {
	const text = pmem('diff', '--raw', '--bytes', '--stacks', '-n', '0', ...words);
	const rows = new Map();
	let line = null;
	for (const each of text.split('\n')) {
		const cells = each.trim().split(/\s+/);
		const id = /^\s*\{([0-9a-f]{16})\}/.exec(each);
		if (/^ *(grew|shrank|came|went) /.test(each) || /\{(rest|other)\}/.test(each))
			line = cells;
		const key = id ? id[1] : /\{(rest|other)\}/.exec(each)?.[1];
		if (!key || !line)
			continue;
		const numbers = line.filter((cell) => /^~?[+-]?\d+$/.test(cell));
		if (/^ *before .* error /m.test(text))
			numbers.splice(3, 1); // of what is sampled
		if (numbers.length >= 4)
			rows.set(key, numbers.slice(0, 5).map((cell) => cell.replace('+', '')));
		line = null;
	}
	return rows;
}

function checkDiff(what, view, wanted) {
	const got = pageRows(view);
	const is = !model.isSampled; // else all is marked
	for (const [key, cells] of wanted) {
		const row = got.get(key) ?? { now: [0, 0, 0, 0], before: [0, 0, 0, 0], uncertain: [] };
		const less = (place) => `${row.uncertain[place] && is ? '~' : ''}${row.now[place] - row.before[place]}`;
		same(`${what}, ${key}`, cells.map((cell) => is ? cell : cell.replace('~', '')),
			[String(row.before[0]), String(row.now[0]), less(0), less(1), less(3)].slice(0, cells.length));
	}
}

// Of one log.
function checkSpan(model, from, at) {
	const names = [from, at].map((each) => String(model.axis[each].number));
	checkDiff(`${logs} from ${names}`, viewOf(model, { at, from, run: null }),
		diffRows('--from', names[0], '--to', names[1], ...logs));
}

// Two moments of one log, or of two of the page's processes, side by side; of two spans each has what
// `pmem diff` has of it.
function checkPair(model, one, other) {
	const of = ({ run, at }) => [logs[model.runs[run].log], at === LAST ? 'last'
		: String(model.axis[at].number)];
	const [[log, to], [base, from]] = [of(one), of(other)];
	checkDiff(`${log} at ${to} against ${base} at ${from}`, viewOf(model, { at: one.at, from: null,
		run: one.run, vsAt: other.at, vsFrom: null, vsRun: other.run }),
	diffRows('--from', from, '--to', to, base, log));
}

function checkSpans(model, one, other) {
	const view = viewOf(model, { at: one[1], from: one[0], run: null, vsAt: other[1],
		vsFrom: other[0] });
	const rows = pageRows(view);
	for (const [side, [from, at]] of [['now', one], ['before', other]])
		for (const [key, cells] of diffRows('--from', String(model.axis[from].number), '--to',
			String(model.axis[at].number), ...logs))
			same(`${logs} ${from} to ${at} of two spans, ${key}`, cells.slice(2).map((cell) =>
				Number(cell.replace('~', ''))), [0, 1, 3].map((place) => rows.get(key)?.[side][place] ?? 0)
				.slice(0, cells.length - 2));
}

// The standard error of what is sampled.
function checkErrors(model) {
	const text = pmem('report', '--raw', '--bytes', '--stacks', '-n', '0', ...logs);
	const rows = pageRows(viewOf(model, { at: LAST, from: null, run: null }));
	let line = null, count = 0;
	for (const each of text.split('\n')) {
		const id = /^\s*\{([0-9a-f]{16})\}/.exec(each);
		if (id && line) {
			same(`${logs}: error of ${id[1]}`, Number(line[1]),
				Math.round(Math.sqrt(rows.get(id[1]).variance)));
			count++;
		}
		line = /^ *~\d+ +\d+ /.test(each) ? each.trim().split(/\s+/) : null;
	}
	same(`${logs}: there are errors`, true, count > 0);
}

// A source's peak is that of the highest of its series.
function checkPeaks({ all, series }) {
	for (const [source, ...values] of series) {
		let live = 0, peak = 0;
		for (let i = 0; i < values.length; i += 5)
			peak = Math.max(peak, live += values[i + 1]);
		same(`${logs}: the peak of ${source}`, true, all.peak.get(source) >= peak);
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
	if (model.isOne && from < at) {
		checkSpan(model, from, at);
		checkSpans(model, [from, at], [0, Math.ceil(at / 2)]);
		checkPair(model, { run: 0, at }, { run: 0, at: from });
	}
if (model.isSampled)
	checkErrors(model);
model.runs.forEach(checkPeaks);
// Of processes in which nothing leaks, or that are too short, as `pmem leaks` has it.
const answer = model.isOne ? [] : pmem('leaks', '--raw', ...logs).split('\n');
for (const line of model.data.words.filter((each) => /^(nothing leaks in|too little)/.test(each)))
	same(`said of all: ${line}`, true, answer.includes(`${line} (--all)`));
const alone = model.runs.filter((run) => model.runs.filter((each) => each.log === run.log).length
	=== 1);
for (const { number } of alone.slice(1))
	checkPair(model, { run: number, at: LAST }, { run: alone[0].number, at: LAST });
console.log(`${logs.length} logs, ${last + 1} moments, ${compared} numbers compared, ${wrong} wrong`);
process.exit(wrong || compared < 3 ? 1 : 0);
