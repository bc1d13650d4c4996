// SPDX-License-Identifier: BSD-2-Clause
// choice: what the user has chosen. All of it is in the address behind the '#'. So a link, or
// loading the page again, brings it back: at, from, by, source, search, sort, zoom and more.
import { STEP, stackOf } from './data.js';
import { LAST, otherOf } from './view.js';
import { VALUES, isoTime } from './units.js';
import { make } from './pen.js';
const DEFAULTS = {
	at: LAST,       // index of a moment in the page, or LAST; model.opensAt when the page opens
	from: null,     // index of a span's first moment; null if a single moment is chosen
	by: 'live',     // a key of VALUES
	source: null,   // the key of a source, or of a line or module
	run: null,      // index of the only process shown; null if all are shown
	vsAt: null,     // what the choice is compared with (otherOf() in view.js)
	vsFrom: null,
	vsRun: null,
	panes: false,   // true to show processes side by side
	search: '',
	sort: '',       // id of a column; with '-' before it, the smallest comes first
	group: 'line',  // a key of model.groups
	inverted: false,
	wrappers: false,
	fold: true,
	languages: false, // true if colours tell languages apart instead of modules
	rss: null,      // true to draw resident memory; null for showsRss() in chart.js to decide
	zoom: '',       // groups of steps, from the outermost on, joined by '.'
};

// The numbers of all sources depend on the model, and on these parts of the choice.
export const VIEW = ['model', 'at', 'from', 'run', 'vsAt', 'vsFrom', 'vsRun'];
export const choice = { ...DEFAULTS };
let model = null, listener = null;

// Returns true if differences are shown: between two moments, or between two choices.
export const isChange = () => choice.from !== null || otherOf(choice) !== null;

// Returns the kind of what is shown: 'leak', 'outside', 'other' or 'good'.
export const kindOf = ({ data, runs }) => (runs[choice.run] ?? data).kind;

// choose(pinned()) compares later choices with the present one. choose(unpinned) ends that.
export const pinned = () => ({ vsAt: choice.at, vsFrom: choice.from, vsRun: choice.run });
export const unpinned = { vsAt: null, vsFrom: null, vsRun: null };

// The listener is called with a set of the names of what has changed.
export const onChoice = (of) => { listener = of; };

// Returns a moment for the address: a snapshot's number, or a time if there are several processes.
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

// Returns two functions that write and read a part of the choice in the address.
function wordsOf(name) {
	if (/at$|from$/i.test(name))
		return [momentText, momentOf];
	if (/run$/i.test(name))
		return [(run) => `${model.runs[run].pid}-${run}`,
			(text) => model.runs[text.split('-')[1]] ? Number(text.split('-')[1]) : null];
	return typeof DEFAULTS[name] === 'boolean' || name === 'rss' ? [Number, (text) => text === '1']
		: [String, String];
}

const addressOf = () => new URLSearchParams(Object.entries(DEFAULTS)
	.filter(([name, usual]) => choice[name] !== (name === 'at' ? model.opensAt : usual))
	.map(([name]) => [name, wordsOf(name)[0](choice[name])])).toString().replace(/%3A/g, ':');

export function chooseFromAddress(of = model) {
	model = of;
	const parts = new URLSearchParams(location.hash.slice(1));
	const wanted = { ...DEFAULTS, at: model.opensAt };
	for (const name of Object.keys(DEFAULTS))
		if (parts.has(name))
			wanted[name] = wordsOf(name)[1](parts.get(name)) ?? wanted[name];
	wanted.by = wanted.by in VALUES ? wanted.by : 'live';
	wanted.group = wanted.group in model.groups ? wanted.group : 'line';
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
	// Browsers refuse more than some ten changes of the address a second, so it is written later.
	clearTimeout(choose.timer);
	choose.timer = setTimeout(writeAddress, 120);
	listener?.(changed);
}

export function writeAddress() {
	const address = addressOf();
	if (location.hash.slice(1) !== address)
		history.replaceState(null, '', `#${address}`);
}

// Returns a source's text: the program's line is bold, its callers and libraries are grey.
export function whereOf(source, where = source.where) {
	const [, head, rest] = /^(.*?)((?: < | via ).*)?$/s.exec(where);
	const step = stackOf(model, source)[source.here];
	return [make(step && !(step.kind & STEP.library) ? 'strong' : 'span', {}, head),
		make('span', { class: 'quiet' }, rest)];
}

// Returns a button with the source's text, which chooses the source or ends that choice.
export function sourceButton(source, where = source.where) {
	const { key } = source, isChosen = key === choice.source;
	return make('button', { type: 'button', class: 'link name', title: where,
		'aria-pressed': String(isChosen), onclick: () => choose({ source: isChosen ? null : key }),
	}, ...whereOf(source, where));
}

// Returns a word that explains itself when it is clicked, if there is an explanation.
export const term = (word) => !model.data.terms[word] ? word : make('details', { class: 'term',
	name: 'term' }, make('summary', {}, word), make('p', {}, model.data.terms[word]));
