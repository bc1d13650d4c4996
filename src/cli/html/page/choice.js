// choice: what is chosen on the page. All of it is in the address behind the '#', so that a link,
// or loading the page again, brings it back: at, from, by, source, search, sort, zoom and more.

import { LAST } from './data.js';
import { isoTime } from './units.js';

const DEFAULTS = {
	at: LAST,       // a moment's number in the page; LAST. At first model.opensAt
	from: null,     // the earlier one of a span
	by: 'live',     // of VALUES
	source: null,   // a source's key
	run: null,      // one process alone
	search: '',
	sort: '',       // a column, with '-' before it: the least first
	group: 'source',
	inverted: false,
	wrappers: false,
	fold: true,
	rss: null,      // null: as fits
	zoom: '',       // numbers of steps from the outermost on
};

export const choice = { ...DEFAULTS };
const listeners = [];

// Called with what has changed, a set of names.
export function onChoice(listener) {
	listeners.push(listener);
}

// A moment in an address: the snapshot's number, or, of several processes, a time.
function momentText(model, at) {
	const moment = model.axis[at];
	return at === LAST ? 'last' : String(moment.number ?? isoTime(moment.time));
}

function momentOf(model, text) {
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

function addressOf(model) {
	const parts = new URLSearchParams();
	for (const [name, usual] of Object.entries(DEFAULTS)) {
		const value = choice[name];
		if (value === (name === 'at' ? model.opensAt : usual))
			continue;
		if (name === 'at' || name === 'from')
			parts.set(name, momentText(model, value));
		else if (name === 'run')
			parts.set(name, `${model.runs[value].pid}-${value}`);
		else
			parts.set(name, typeof value === 'boolean' ? Number(value) : value);
	}
	return parts.toString().replace(/%3A/g, ':');
}

export function chooseFromAddress(model) {
	const parts = new URLSearchParams(location.hash.slice(1));
	const wanted = { ...DEFAULTS, at: model.opensAt };
	for (const name of Object.keys(DEFAULTS)) {
		const text = parts.get(name);
		if (text === null)
			continue;
		if (name === 'at' || name === 'from')
			wanted[name] = momentOf(model, text) ?? wanted[name];
		else if (name === 'run')
			wanted[name] = model.runs[text.split('-')[1]] ? Number(text.split('-')[1]) : null;
		else if (typeof DEFAULTS[name] === 'boolean' || name === 'rss')
			wanted[name] = text === '1';
		else
			wanted[name] = text;
	}
	if (!['live', 'blocks', 'alloc', 'allocs'].includes(wanted.by))
		wanted.by = 'live';
	if (wanted.from !== null && wanted.at !== LAST && wanted.from > wanted.at)
		[wanted.from, wanted.at] = [wanted.at, wanted.from];
	choose(model, wanted);
}

export function choose(model, wanted) {
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
	choose.timer = setTimeout(() => writeAddress(model), 120);
	listeners.forEach((listener) => listener(changed));
}

export function writeAddress(model) {
	const address = addressOf(model);
	if (location.hash.slice(1) !== address)
		history.replaceState(null, '', `#${address}`);
}
