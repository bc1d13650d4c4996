// head: what must be known first: whose memory it is, what leaks, and how much there is.

import { bytes, count, duration, signedBytes, time } from './units.js';
import { LAST, runsAt, viewOf } from './data.js';
import { choose } from './choice.js';
import { byId, colors, make } from './pen.js';

const LEAKS_SHOWN = 5;

function titleOf({ runs, isOne }) {
	const names = new Set(runs.map((run) => run.name));
	if (isOne)
		return runs[0].name;
	return `${names.size === 1 ? `${runs[0].name}, ` : ''}${runs.length} processes`;
}

// Of one what `pmem report` says in its first lines; of several what they have in common.
function linesOf({ axis, data, runs, isOne, hasTimes }) {
	const [run] = runs;
	const common = (name, word) => runs.every((each) => each[name] === run[name]) && run[name]
		? `${word} ${run[name]}` : '';
	const first = Math.min(...runs.map((each) => each.moments.time[0]));
	const length = Math.max(...runs.map((each) => each.moments.time.at(-1))) - first;
	const span = hasTimes && axis.length > 1 ? ` in ${duration(length)}, from ${time(first)} on` : '';
	const programs = [...new Set(runs.map((each) => each.name))];
	const process = isOne && run.pid ? `process ${run.pid}` : '';
	return [
		[process, common('unit', 'of'), common('host', 'on')].filter(Boolean).join(' '),
		isOne && run.start ? `started ${time(run.start)}` : '',
		programs.length > 1 ? programs.slice(0, 6).join(', ') : '',
		`${count(data.snapshots)} snapshot${data.snapshots === 1 ? '' : 's'}${span}`,
		runs.every((each) => each.ended) ? 'ended' : '',
	].filter(Boolean).join(' · ');
}

function figuresOf(model) {
	const [run] = model.runs;
	const { now } = viewOf(model, { at: LAST, from: null, run: null }).total;
	const rss = runsAt(model, LAST, null).map((each) => each.run.moments.rss?.at(-1) ?? 0)
		.reduce((sum, each) => sum + each, 0);
	const isEnd = model.isOne && run.ended;
	return [
		[isEnd ? 'Live at the exit' : 'Live', bytes(now[0]), `${count(now[1])} blocks`],
		model.isOne && run.peak ? ['Peak', bytes(run.peak), time(run.peak_at)] : null,
		rss ? ['Resident', bytes(rss), ''] : null,
		model.isOne ? ['Since the first snapshot', signedBytes(now[0] - run.moments.live[0]), ''] : null,
	].filter(Boolean);
}

function leakingList(model) {
	const palette = colors('stack');
	const shown = model.leaks.slice(0, LEAKS_SHOWN);
	if (!shown.length)
		return null;
	const unit = model.hasTimes ? 'an hour' : 'a snapshot';
	return make('ul', { class: 'leaking', 'aria-label': 'What leaks' }, ...shown.map((source, i) =>
		make('li', {},
		make('span', { class: 'dot', color: palette[i] }),
		make('a', { class: 'name', href: `#source=${source.key}`, title: source.where,
			onclick: (event) => {
			event.preventDefault();
			choose(model, { source: source.key });
		} }, source.where),
		make('span', { class: 'number' }, `${bytes(source.leak.rate)} ${unit}`),
		make('span', { class: 'number quiet' }, model.isOne ? `+${bytes(source.leak.growth)}`
			: `${source.leak.runs} of ${model.runs.length}`))),
	model.leaks.length > shown.length ? make('li', {}, make('span', {}),
		make('button', { type: 'button', class: 'link',
		onclick: () => choose(model, { sort: 'rate' }) },
			`and ${model.leaks.length - shown.length} more, by rate in the table`)) : null);
}

// One sentence is said aloud, the others below it.
function verdictOf(model) {
	const words = model.isOne ? model.runs[0].words : model.data.words;
	const [first, ...others] = words.length ? words : ['too short to tell'];
	const kind = model.leaks.length ? 'leak' : /^nothing leaks/.test(first) ? 'good' : '';
	const sentence = first.replace(/^./, (letter) => letter.toUpperCase());
	return make('div', { class: `card verdict ${kind}` }, make('div', { class: 'words' },
		make('p', { class: 'say', id: 'verdict' }, sentence),
		...others.map((other) => make('p', {}, other)), leakingList(model)),
	make('dl', { class: 'figures' }, ...figuresOf(model).map(([name, value, more]) => make('div', {},
		make('dt', {}, name),
		make('dd', {}, value, more ? make('small', {}, more) : null)))));
}

// Each process with what is said of it; those that leak first.
function processesOf(model) {
	if (model.isOne)
		return null;
	const last = (run) => run.moments.live.at(-1);
	const leaks = (run) => run.findings.filter((finding) => finding[5] === 0)
		.reduce((sum, finding) => sum + finding[8], 0);
	const runs = [...model.runs].sort((a, b) => leaks(b) - leaks(a) || last(b) - last(a));
	const button = (run) => make('button', { type: 'button', class: 'link',
		title: run.command || run.exe, onclick: () => choose(model, { run: run.number }) },
	`${run.name} ${run.pid}`);
	const line = (run) => make('tr', {},
		make('td', { class: 'text' }, button(run), run.ended ? ' ended' : ''),
		make('td', { class: 'text quiet' }, run.words[0] ?? ''),
		...[leaks(run) ? bytes(leaks(run)) : '', bytes(last(run)), run.peak ? bytes(run.peak) : '-',
			count(run.snapshots)].map((cell) => make('td', {}, cell)));
	const titles = ['Process', 'What is said of it', 'An hour', 'Live', 'Peak', 'Snapshots'];
	const classOf = (i) => i < 2 ? 'text' : null;
	const head = titles.map((title, i) => make('th', { scope: 'col', class: classOf(i) }, title));
	return make('details', { class: 'notes card', open: runs.length <= 6 },
		make('summary', {}, `${runs.length} processes`),
		make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Processes' },
			make('table', {}, make('thead', {}, make('tr', {}, ...head)),
				make('tbody', {}, ...runs.map(line)))));
}

function notesOf(model) {
	const { notes } = model.data;
	if (!notes.length)
		return null;
	return make('details', { class: 'notes' }, make('summary', {},
		`${notes.length} note${notes.length > 1 ? 's' : ''} on what the log lacks`),
		...notes.map((note) => make('p', {}, note.replace(/^note: /, ''))));
}

export function showHead(model) {
	const [run] = model.runs;
	const command = model.isOne ? run.command || run.exe : '';
	byId('head').replaceChildren(...[make('h1', {}, titleOf(model)),
		make('p', { class: 'of' }, linesOf(model)),
		command ? make('p', { class: 'of command' }, command) : null,
		verdictOf(model), processesOf(model), notesOf(model)].filter(Boolean));
}

export function headText(model) {
	const words = model.isOne ? model.runs[0].words : model.data.words;
	return [titleOf(model), linesOf(model), ...words].join('\n');
}
