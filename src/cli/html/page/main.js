// SPDX-License-Identifier: BSD-2-Clause
// main: reads the data, shows what is chosen, and handles events.
import { VALUES } from './units.js';
import { makeModel, runName } from './data.js';
import { LAST, isPinned, otherOf, totalAt, viewOf } from './view.js';
import { VIEW, choice, choose, chooseFromAddress, onChoice, pinned, unpinned, writeAddress }
	from './choice.js';
import { byId, make, saveFile, svgPen } from './pen.js';
import { showHead } from './head.js';
import { chart, drawTime, peakMoment, timeHeight } from './chart.js';
import { drawTop, listenTime, nameOf, showTime } from './time.js';
import { drawFlame, flameHeight, listenFlame, showFlame } from './flame.js';
import { showDetail } from './detail.js';
import { showSources } from './sources.js';

const FOLLOW_MS = 1000, PAPER_WIDTH = 760, MANY_SOURCES = 1000;
let model, view, text;
const late = { changed: new Set(), frame: 0 }; // what has changed and is not drawn yet

// Returns the moment to open with, as `pmem report`: the last, or the peak if exits freed half.
function firstMoment() {
	const { runs, isOne, axis } = model, { live } = chart.sum.totals;
	const peak = isOne ? runs[0].peak : live[peakMoment()];
	const atExit = runs.every((run) => run.ended) && peak / 2 >= totalAt(model, LAST, null)[0];
	return atExit && axis.length > 1 ? peakMoment() : LAST;
}

function showChoices(id, titles, isPressed, onclick) {
	byId(id).replaceChildren(...Object.entries(titles).map(([value, title]) => make('button', {
		type: 'button', 'aria-pressed': String(isPressed(value)), onclick: () => onclick(value),
	}, title)));
}

const MOMENTS = {
	last: () => ({ at: LAST, from: null }), peak: () => ({ at: peakMoment(), from: null }),
	growth: () => ({ at: LAST, from: 0 }),
};

const chooseMoment = (which) => choose(MOMENTS[which]());
const isMoment = (which) => Object.entries(MOMENTS[which]())
	.every(([name, value]) => choice[name] === value);

// Shows the processes in a list from which the user chooses one: to show, or to compare with.
function showRun(list, run) {
	if (list.options.length !== model.runs.length + 1)
		list.replaceChildren(list.options[0], ...model.runs.map((each) =>
			make('option', { value: each.number }, runName(each))));
	list.parentNode.hidden = model.isOne;
	list.value = run ?? '';
}

function showControls() {
	showChoices('by', { live: 'Live', blocks: 'Blocks', alloc: 'Churn', allocs: 'Calls' },
		(by) => choice.by === by, (by) => choose({ by, sort: '' }));
	showChoices('flame-way', { main: 'From main', inverted: 'Inverted' },
		(way) => choice.inverted === (way === 'inverted'),
		(way) => choose({ inverted: way === 'inverted', zoom: '' }));
	showChoices('group', { line: 'Lines', source: 'Sources', module: 'Modules' },
		(group) => choice.group === group, chooseGroup);
	showChoices('moments', { last: 'Last', peak: 'Peak', growth: 'Growth' }, isMoment, chooseMoment);
	byId('compare').setAttribute('aria-pressed', String(isPinned(choice)));
	for (const box of document.querySelectorAll('[type="checkbox"]'))
		if (box.id !== 'rss')
			box.checked = choice[box.id];
	byId('panes').parentNode.hidden = model.isOne;
	if (document.activeElement !== byId('search'))
		byId('search').value = choice.search;
	showRun(byId('runs'), choice.run);
	showRun(byId('others'), choice.vsRun);
}

const chooseGroup = (group) => choose({ group, sort: '', source: null });
const compare = () => choose(isPinned(choice) ? unpinned : pinned());

function describe() {
	const other = otherOf(choice), { title } = VALUES[choice.by];
	const what = choice.from === null ? title : `Change of ${title.toLowerCase()}`;
	byId('flame-what').textContent = `${what}, ${nameOf(choice)}`
		+ (other ? ` against ${nameOf(other)}` : '');
}

// The parts of the choice on which each part of the page depends.
const TABLE = [...VIEW, 'by', 'source', 'search', 'sort', 'group', 'theme'];
const FLAME = [...VIEW, 'by', 'source', 'search', 'zoom', 'inverted', 'wrappers', 'fold',
	'languages', 'theme'];

// Draws. If the element with the focus is replaced, the new one of the same name gets the focus.
function keepFocus(draw) {
	const active = document.activeElement;
	const nameOf = (each) => (each.title || each.textContent).replace(/ [↑↓]$/, '');
	const box = active.closest('[id]');
	draw();
	if (!active.isConnected && box)
		[...byId(box.id).querySelectorAll('button, a')]
			.find((each) => nameOf(each) === nameOf(active))?.focus({ preventScroll: true });
}

function show(changed) {
	const depends = (names) => names.some((name) => changed.has(name));
	if (!view || depends(VIEW))
		view = viewOf(model, otherOf(choice) ? choice : { ...choice, ...unpinned });
	if (depends(['model', 'run', 'theme']))
		showHead(model);
	byId('time').hidden = choice.run === null && !!model.data.are_jobs;
	showTime(changed, view);
	showControls();
	describe();
	if (depends(FLAME))
		showFlame(model, view, changed);
	// With many sources, the table is drawn one frame later. So no frame takes long, and moments
	// that are chosen in quick succession cause only one drawing.
	changed.forEach((name) => late.changed.add(name));
	cancelAnimationFrame(late.frame);
	if (model.sources.length < MANY_SOURCES || depends(['model', 'theme']))
		showLate();
	else
		late.frame = requestAnimationFrame(() => keepFocus(showLate));
}

function showLate() {
	if (TABLE.some((name) => late.changed.has(name)))
		showSources(model, view, late.changed);
	showDetail(model, view);
	late.changed.clear();
}

function load(data) {
	model = makeModel(data);
	Object.assign(choice, { at: LAST, from: null, ...unpinned }); // the new data have other moments
	chart.model = model;
	showTime(new Set(['model']), null);
	model.opensAt = firstMoment();
	byId('help').replaceChildren(...Object.entries(data.keys).map(([key, what]) =>
		make('div', {}, make('dt', {}, key), make('dd', {}, what))));
	byId('foot').textContent = (model.drawn < data.snapshots ? `Of ${data.snapshots} snapshots `
		+ `${model.drawn} are drawn; what is shown of each is exact. ` : '')
		+ 'Times are UTC. Numbers are those of pmem report, pmem diff and pmem leaks.';
}

function setTheme(isDark, changed = 'theme') {
	document.documentElement.classList.toggle('dark', isDark);
	byId('theme').setAttribute('aria-pressed', String(isDark));
	show(new Set([changed]));
}

function say(what) {
	byId('news').textContent = what;
	clearTimeout(say.timer);
	say.timer = setTimeout(() => { byId('news').textContent = ''; }, 4000);
}

// Copies the page's text in a way that works without https.
function copyText() {
	const parts = ['head', 'processes', 'chosen', 'table', 'detail'].map((id) => byId(id).innerText);
	document.oncopy = (event) => {
		event.clipboardData.setData('text/plain', `${parts.join('\n\n')}\n`);
		event.preventDefault();
	};
	say(document.execCommand('copy') ? 'Copied as text.' : 'The browser lets no page copy here.');
	document.oncopy = null;
}

// Returns the picture as SVG.
function pictureOf(which, width) {
	const isTime = which === 'time', height = isTime ? timeHeight(width) : flameHeight();
	const pen = svgPen(width, height);
	if (isTime)
		[drawTime, drawTop].forEach((draw) => draw(pen, width, height));
	else
		drawFlame(pen, width);
	return pen;
}

const saveSvg = (which) => saveFile(`pmem-${which}.svg`, 'image/svg+xml',
	pictureOf(which, byId('plot').parentNode.clientWidth).file());

// Prepares printing: pictures get the width of paper instead of the screen's.
function preparePaper() {
	setTheme(false);
	for (const [which, area] of [['time', byId('plot')], ['flame', byId('flames')]]) {
		area.querySelector('svg')?.remove();
		area.append(pictureOf(which, PAPER_WIDTH).root);
	}
}

// Closes a word's explanation or the keys. If none is open, undoes one choice: zoom, else search,
// source, comparison, span, moment, or process.
function goBack() {
	const open = document.querySelector('.term[open], .help[open]');
	if (open)
		return void open.removeAttribute('open');
	const usual = [{ zoom: '' }, { search: '' }, { source: null }, unpinned, { from: null },
		{ at: model.opensAt }, { run: null }];
	choose(usual.find((each) => Object.keys(each).some((name) => choice[name] !== each[name])) ?? {});
}

// Chooses the next or the previous process. Behind the last one comes the choice of all processes.
function chooseRun(step) {
	const count = model.runs.length + 1, at = choice.run === null ? count - 1 : choice.run;
	const next = (at + step + count) % count;
	if (!model.isOne)
		choose({ run: next === count - 1 ? null : next });
}

function onKey(event) {
	const isTyping = event.target.matches('input[type="search"], select');
	if (event.key === 'Escape') {
		goBack();
		return void event.target.blur();
	}
	if (isTyping || event.ctrlKey || event.metaKey || event.altKey)
		return;
	const turn = (name) => () => byId(name).click();
	const action = {
		'/': () => byId('search').focus(), '?': turn('keys'), c: copyText, b: compare, s: turn('panes'),
		l: turn('languages'),
		p: () => chooseMoment('peak'), g: () => chooseMoment('growth'),
		i: () => choose({ inverted: !choice.inverted, zoom: '' }),
		m: () => chooseGroup(choice.group === 'module' ? 'line' : 'module'),
		n: () => chooseRun(1), N: () => chooseRun(-1),
	}[event.key];
	if (!action)
		return;
	event.preventDefault();
	action();
}

function listen() {
	onChoice((changed) => keepFocus(() => show(changed)));
	listenTime();
	listenFlame();
	const on = (id, type, of) => byId(id).addEventListener(type, (event) => choose(of(event.target)));
	const numberOf = ({ value }) => value === '' ? null : Number(value);
	on('search', 'input', ({ value }) => ({ search: value }));
	for (const name of ['wrappers', 'fold', 'languages', 'rss', 'panes'])
		on(name, 'change', ({ checked }) => ({ [name]: checked,
			zoom: /wrappers|fold/.test(name) ? '' : choice.zoom }));
	on('runs', 'change', (target) => ({ run: numberOf(target) }));
	on('others', 'change', (target) => target.value === '' ? unpinned : { vsRun: numberOf(target) });
	const invert = () => setTheme(!document.documentElement.classList.contains('dark'));
	for (const [id, act] of Object.entries({ compare, copy: copyText, theme: invert }))
		byId(id).addEventListener('click', act);
	for (const button of document.querySelectorAll('[data-svg]'))
		button.addEventListener('click', () => saveSvg(button.dataset.svg));
	document.addEventListener('keydown', onKey);
	window.addEventListener('hashchange', () => chooseFromAddress());
	const dark = matchMedia('(prefers-color-scheme: dark)');
	dark.addEventListener('change', () => setTheme(dark.matches));
	window.addEventListener('beforeprint', preparePaper);
	window.addEventListener('afterprint', () => setTheme(dark.matches));
}

// Loads newer pages. Chosen moments are kept by number or time in the address, since their indexes
// change. A page from a file cannot fetch itself, and is loaded again as a whole.
async function follow() {
	const isFile = location.protocol === 'file:';
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS * (isFile ? 5 : 1)));
		if (isFile) {
			writeAddress();
			return void location.reload();
		}
		try {
			const page = await (await fetch(location.pathname + location.search,
				{ cache: 'no-cache' })).text();
			const newer = new DOMParser().parseFromString(page, 'text/html').querySelector('#data').text;
			if (newer === text)
				continue;
			writeAddress();
			text = newer;
			load(JSON.parse(text));
			chooseFromAddress(model);
			show(new Set(['model']));
		} catch {
			say('The page cannot be read again for now.');
		}
	}
}

text = byId('data').textContent;
load(JSON.parse(text));
chooseFromAddress(model);
setTheme(matchMedia('(prefers-color-scheme: dark)').matches, 'model');
listen();
if (document.querySelector('meta[name="pmem-follows"]'))
	follow();
