// SPDX-License-Identifier: BSD-2-Clause
// choice: what is chosen on the page. All of it is in the address behind the '#', so that a link,
// or loading the page again, brings it back: at, from, by, source, search, sort, zoom and more.

import { LAST, otherOf } from './view.js';
import { VALUES, isoTime } from './units.js';
import { make } from './pen.js';

const DEFAULTS = {
	at: LAST,       // a moment's number in the page; LAST. At first model.opensAt
	from: null,     // the earlier one of a span
	by: 'live',     // of VALUES
	source: null,   // a source's key, or a module's
	run: null,      // one process alone
	vsAt: null,     // what it is compared with (otherOf() in view.js)
	vsFrom: null,
	vsRun: null,
	panes: false,   // processes side by side
	search: '',
	sort: '',       // a column, with '-' before it: the least first
	group: 'source',
	inverted: false,
	wrappers: false,
	fold: true,
	languages: false, // tell boxes apart, not modules
	rss: null,      // null: as fits
	zoom: '',       // numbers of steps from the outermost on
};

// What decides what each source has.
export const VIEW = ['model', 'at', 'from', 'run', 'vsAt', 'vsFrom', 'vsRun'];

export const choice = { ...DEFAULTS };
let model = null, listener = null;

// Whether what is shown is by how much something differs, or has changed.
export const isChange = () => choice.from !== null || otherOf(choice) !== null;

// From here on what is chosen is compared with what is chosen now; or with nothing.
export const pinned = () => ({ vsAt: choice.at, vsFrom: choice.from, vsRun: choice.run });
export const unpinned = { vsAt: null, vsFrom: null, vsRun: null };

// Called with what has changed, a set of names.
export const onChoice = (of) => { listener = of; };

// A moment in an address: the snapshot's number, or, of several processes, a time.
function momentText(at) {
	const moment = model.axis[at];
	return at === LAST ? 'last' : String(moment.number ?? isoTime(moment.time));
}

function momentOf(text) {
	if (text === 'last')
		return LAST;
	const asTime = /^\d+$/.test(text) ? NaN : Date.parse(text);
	const wanted = Number.isNaN(asTime) ? Number(text) : asTime;
	if (text === '' || Number.isNaN(wanted) || !model.axis.length)
		return null;
	const isTime = !Number.isNaN(asTime) || model.axis[0].number === null;
	const isThere = (moment) => (isTime ? moment.time : moment.number) <= wanted;
	return Math.max(model.axis.findLastIndex(isThere), 0);
}

// How each is written and read.
function wordsOf(name) {
	if (/at$|from$/i.test(name))
		return [momentText, momentOf];
	if (/run$/i.test(name))
		return [(run) => `${model.runs[run].pid}-${run}`,
			(text) => model.runs[text.split('-')[1]] ? Number(text.split('-')[1]) : null];
	return typeof DEFAULTS[name] === 'boolean' || name === 'rss' ? [Number, (text) => text === '1']
		: [String, String];
}

function addressOf() {
	const parts = new URLSearchParams();
	for (const [name, usual] of Object.entries(DEFAULTS))
		if (choice[name] !== (name === 'at' ? model.opensAt : usual))
			parts.set(name, wordsOf(name)[0](choice[name]));
	return parts.toString().replace(/%3A/g, ':');
}

export function chooseFromAddress(of = model) {
	model = of;
	const parts = new URLSearchParams(location.hash.slice(1));
	const wanted = { ...DEFAULTS, at: model.opensAt };
	for (const name of Object.keys(DEFAULTS))
		if (parts.has(name))
			wanted[name] = wordsOf(name)[1](parts.get(name)) ?? wanted[name];
	wanted.by = wanted.by in VALUES ? wanted.by : 'live';
	if (wanted.from !== null && wanted.at !== LAST && wanted.from > wanted.at)
		[wanted.from, wanted.at] = [wanted.at, wanted.from];
	choose(wanted);
}

export function choose(wanted) {
	const changed = new Set();
	for (const [name, value] of Object.entries(wanted))
		if (choice[name] !== value) {
			choice[name] = value;
			changed.add(name);
		}
	if (!changed.size)
		return;
	// Browsers refuse more than some ten changes a second.
	clearTimeout(choose.timer);
	choose.timer = setTimeout(writeAddress, 120);
	listener?.(changed);
}

export function writeAddress() {
	const address = addressOf();
	if (location.hash.slice(1) !== address)
		history.replaceState(null, '', `#${address}`);
}

// Its line, which chooses it, or nothing where it is chosen.
export function sourceButton({ key, where }) {
	const isChosen = key === choice.source;
	return make('button', { type: 'button', class: 'link name', title: where,
		'aria-pressed': String(isChosen), onclick: () => choose({ source: isChosen ? null : key }),
	}, where);
}
