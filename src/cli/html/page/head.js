// SPDX-License-Identifier: BSD-2-Clause
// head: shows what comes first: what leaks, how much there is, and a table of several processes.
import { bytes, count, signedBytes, time } from './units.js';
import { runName } from './data.js';
import { LAST, largestAt, runsAt, totalAt, totalsOf } from './view.js';
import { choice, choose, kindOf, sourceButton, term, whereOf } from './choice.js';
import { byId, colors, make } from './pen.js';
const LEAKS_SHOWN = 5, LINES_SHOWN = 3, PROCESSES_SHOWN = 12;
const TITLES = ['Process', 'Verdict', 'Where', 'An hour', 'Live', 'Peak', 'For'];
const head = { most: PROCESSES_SHOWN, opened: null };
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const leftBy = (run) => run.moments.live.at(-1);

function figuresOf(model, run) {
	const { runs, hasTimes, axis, data } = model, only = run?.number ?? null;
	const now = totalAt(model, LAST, only), { live } = totalsOf(model, only), at = largestAt(live);
	const rss = runsAt(model, LAST, only).reduce((sum, each) =>
		sum + (each.run.moments.rss?.at(-1) ?? 0), 0);
	const what = !(run ? run.ended : runs.some((each) => each.ended)) ? 'Live'
		: run ? 'Live at the exit' : 'Live, by the last of each';
	const [peak, ms] = run ? [run.peak, run.peak_at] : [live[at], axis[at].time];
	return [!run && data.are_jobs ? ['Left by a run', bytes(median(runs.map(leftBy))), 'median']
		: [what, bytes(now[0]), `${count(now[1])} blocks`],
	peak ? [run ? 'Peak' : 'Peak at one time', bytes(peak), hasTimes ? time(ms) : ''] : null,
	rss && !(!run && data.are_jobs) ? ['Resident', bytes(rss), ''] : null,
	run ? ['Since the first snapshot', signedBytes(now[0] - run.moments.live[0]), ''] : null,
	].filter(Boolean);
}

// Returns the lines that leak, the fastest first.
function leakingList(model, leaks, isOne) {
	const palette = colors('stack'), shown = leaks.slice(0, isOne ? LEAKS_SHOWN : LINES_SHOWN);
	const unit = model.hasTimes ? 'an hour' : 'a snapshot';
	const item = ([place, where, rate, growth, since, processes], i) => {
		const line = model.byPlace.get(place);
		return make('li', {}, make('span', { class: 'dot', color: palette[i] }),
			line ? sourceButton(line, where) : make('span', { class: 'name' }, where),
			make('span', { class: 'number' }, `${bytes(rate)} ${unit}`),
			make('span', { class: 'number quiet' }, isOne ? `+${bytes(growth)}`
				: `${processes} of ${model.runs.length}`),
			make('span', { class: 'number quiet' }, `since ${since}`));
	};
	return !shown.length ? null : make('ul', { class: 'leaking', 'aria-label': 'What leaks' },
		...shown.map(item), leaks.length > shown.length ? make('li', {}, make('span', {}),
			make('button', { type: 'button', class: 'link', onclick: () => choose({ sort: 'rate' }) },
				`and ${leaks.length - shown.length} more, by rate in the table`)) : null);
}

// Returns the verdict. The first sentence is prominent, the others are below it.
function verdictOf(model, run) {
	const { words, leaks } = run ?? model.data;
	const [first, ...others] = words.length ? words : ['too early'];
	return make('div', { class: `card verdict ${kindOf(model)}` }, make('div', { class: 'words' },
		make('p', { class: 'say', id: 'verdict' }, first.replace(/^./, (letter) => letter.toUpperCase())),
		...others.map((other) => make('p', {}, other)), leakingList(model, leaks, !!run)),
	make('dl', { class: 'figures' }, ...figuresOf(model, run).map(([name, value, more]) =>
		make('div', {}, make('dt', {}, term(name)),
			make('dd', {}, value, more ? make('small', {}, more) : null)))));
}

// Returns a row of the table: of a process, or of the many short runs of one program.
function rowOf(model, [number, job, kind, word, place, where, ...cells]) {
	const run = model.runs[number], runs = run ? 0 : cells.pop();
	const isChosen = run ? choice.run === number : head.opened === job;
	const onclick = () => {
		if (run)
			return choose({ run: isChosen ? null : number }), scrollTo(0, 0);
		head.opened = isChosen ? null : job;
		return showProcesses(model);
	};
	return make('tr', { class: isChosen ? 'chosen' : null }, make('td', { class: 'who' },
		make('button', { type: 'button', class: 'link', 'aria-pressed': String(isChosen), onclick },
			run ? runName(run) : `${job}, ${runs} runs`),
		run ? make('small', { title: run.command }, run.command || run.exe) : null),
	make('td', { class: `word ${kind}` }, term(word)), make('td', { class: 'what' }, make('span', {},
		...(run && model.byPlace.has(place) ? whereOf(model.byPlace.get(place), where) : [where]))),
	...cells.map((cell, i) => make('td', { 'data-title': TITLES[3 + i] }, cell)));
}

function showProcesses(model) {
	const { processes } = model.data, box = byId('processes');
	const rows = processes.filter(([number, job]) => number === null || job === null
		|| job === head.opened), left = rows.length - head.most;
	TITLES[3] = model.hasTimes ? 'An hour' : 'A snapshot';
	box.hidden = model.isOne;
	box.replaceChildren(make('h2', { id: 'processes-title' }, `${model.runs.length} processes`),
		make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Processes' },
			make('table', {}, make('thead', {}, make('tr', {}, ...TITLES.map((title, i) => make('th',
				{ scope: 'col', class: i < 3 ? 'text' : null }, title)))),
			make('tbody', {}, ...rows.slice(0, head.most).map((each) => rowOf(model, each))))),
		left > 0 ? make('div', { class: 'more' }, make('button', { type: 'button', onclick: () => {
			head.most = Infinity;
			showProcesses(model);
		} }, `Show ${left} more`)) : '');
}

const notesOf = ({ data: { notes } }) => !notes.length ? null : make('details', { class: 'notes' },
	make('summary', {}, `${notes.length} note${notes.length > 1 ? 's' : ''} on what the log lacks`),
	...notes.map((note) => make('p', {}, note.replace(/^note: /, ''))));

export function showHead(model) {
	const run = model.isOne ? model.runs[0] : model.runs[choice.run];
	const { title, about } = run ?? model.data, command = run ? run.command || run.exe : '';
	document.title = `${title} - pmem`;
	byId('head').replaceChildren(...[make('h1', {}, title), make('p', { class: 'of' }, about),
		command ? make('p', { class: 'of command' }, command) : null,
		run && !model.isOne ? make('button', { type: 'button', onclick: () => choose({ run: null }) },
			`All ${model.runs.length} processes`) : null, verdictOf(model, run),
	notesOf(model)].filter(Boolean));
	showProcesses(model);
}
