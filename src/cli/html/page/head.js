// SPDX-License-Identifier: BSD-2-Clause
// head: shows what comes first: which processes these are, what leaks, and how much there is.

import { bytes, count, duration, signedBytes, time } from './units.js';
import { runName } from './data.js';
import { LAST, largestAt, runsAt, totalAt, totalsOf } from './view.js';
import { choose, sourceButton } from './choice.js';
import { byId, colors, make } from './pen.js';

const LEAKS_SHOWN = 5;

function figuresOf(model) {
	const [run] = model.runs, now = totalAt(model, LAST, null);
	const rss = runsAt(model, LAST, null).map((each) => each.run.moments.rss?.at(-1) ?? 0)
		.reduce((sum, each) => sum + each, 0);
	const what = !model.runs.some((each) => each.ended) ? 'Live'
		: model.isOne ? 'Live at the exit' : 'Live, by the last of each';
	const { live } = totalsOf(model, null), at = largestAt(live);
	const [peak, ms] = model.isOne ? [run.peak, run.peak_at] : [live[at], model.axis[at].time];
	return [
		[what, bytes(now[0]), `${count(now[1])} blocks`],
		peak ? [model.isOne ? 'Peak' : 'Peak at one time', bytes(peak),
			model.hasTimes ? time(ms) : ''] : null,
		rss ? ['Resident', bytes(rss), ''] : null,
		model.isOne ? ['Since the first snapshot', signedBytes(now[0] - run.moments.live[0]), ''] : null,
	].filter(Boolean);
}

function leakingList(model) {
	const palette = colors('stack'), shown = model.leaks.slice(0, LEAKS_SHOWN);
	if (!shown.length)
		return null;
	const unit = model.hasTimes ? 'an hour' : 'a snapshot';
	return make('ul', { class: 'leaking', 'aria-label': 'What leaks' }, ...shown.map((source, i) =>
		make('li', {}, make('span', { class: 'dot', color: palette[i] }), sourceButton(source),
		make('span', { class: 'number' }, `${bytes(source.leak.rate)} ${unit}`),
		make('span', { class: 'number quiet' }, model.isOne ? `+${bytes(source.leak.growth)}`
			: `${source.leak.runs} of ${model.runs.length}`))),
	model.leaks.length > shown.length ? make('li', {}, make('span', {}),
		make('button', { type: 'button', class: 'link', onclick: () => choose({ sort: 'rate' }) },
			`and ${model.leaks.length - shown.length} more, by rate in the table`)) : null);
}

// Returns the verdict. The first sentence is prominent, the others are below it.
function verdictOf(model) {
	const words = model.isOne ? model.runs[0].words : model.data.words;
	const [first, ...others] = words.length ? words : ['too early'];
	const isGood = /(^nothing leaks|: no leak:)(?!.*fell back)/.test(first); // maybe at the end
	const kind = model.leaks.length ? 'leak' : isGood ? 'good' : '';
	return make('div', { class: `card verdict ${kind}` }, make('div', { class: 'words' },
		make('p', { class: 'say', id: 'verdict' }, first.replace(/^./, (letter) => letter.toUpperCase())),
		...others.map((other) => make('p', {}, other)), leakingList(model)),
	make('dl', { class: 'figures' }, ...figuresOf(model).map(([name, value, more]) => make('div', {},
		make('dt', {}, name), make('dd', {}, value, more ? make('small', {}, more) : null)))));
}

// Returns a table of the processes and the sentence on each, with the fastest leaking one first.
function processesOf({ data, runs, isOne, hasTimes }) {
	if (isOne)
		return null;
	const row = (tag, cells, more) => make('tr', {}, ...cells.map((cell, i) =>
		make(tag, { ...more, class: i < 2 ? 'text' : null }, cell)));
	const who = (run) => make('div', {}, make('button', { type: 'button', class: 'link',
		onclick: () => choose({ run: run.number }) }, runName(run)),
	make('small', {}, run.command || run.exe));
	const lasted = ({ moments, start, ended }) => (hasTimes ? duration(moments.time.at(-1)
		- (start || moments.time[0])) : '') + (ended ? ', ended' : '');
	return make('details', { class: 'notes card', open: runs.length <= 6 },
		make('summary', {}, `${runs.length} processes`),
		make('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Processes' },
			make('table', {}, make('thead', {}, row('th', ['Process', 'What is said of it',
				hasTimes ? 'An hour' : 'A snapshot', 'Live', 'Peak', 'Snapshots', 'For'], { scope: 'col' })),
			make('tbody', {}, ...data.processes.map(([number, ...cells]) =>
				row('td', [who(runs[number]), ...cells, lasted(runs[number])]))))));
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
	const [run] = model.runs, command = model.isOne ? run.command || run.exe : '';
	byId('head').replaceChildren(...[make('h1', {}, model.data.title),
		make('p', { class: 'of' }, model.data.about),
		command ? make('p', { class: 'of command' }, command) : null,
		verdictOf(model), processesOf(model), notesOf(model)].filter(Boolean));
}
