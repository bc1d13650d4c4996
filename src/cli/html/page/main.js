// main: reads the data, shows what is chosen, and listens.

import { VALUES } from './units.js';
import { LAST, makeModel, viewOf } from './data.js';
import { choice, choose, chooseFromAddress, onChoice, writeAddress } from './choice.js';
import { byId, make, saveFile, svgPen } from './pen.js';
import { headText, showHead } from './head.js';
import { drawTime, lastMoment, momentName, peakMoment, setUpTime, showTime } from './time.js';
import { drawFlame, flameHeight, setUpFlame, showFlame } from './flame.js';
import { detailText, showDetail } from './detail.js';
import { setUpSources, showSources, tableText } from './sources.js';

const FOLLOW_MS = 1000;
let model, view, text;

// Where most was freed at the exit, the peak is what was asked (as `pmem report` advises).
function firstMoment() {
	const [run] = model.runs;
	const atExit = model.isOne && run.ended && run.peak / 2 >= run.moments.live.at(-1);
	return atExit && model.axis.length > 1 ? peakMoment() : LAST;
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

const chooseMoment = (which) => choose(model, MOMENTS[which]());

function isMoment(which) {
	const { at, from } = MOMENTS[which]();
	return choice.at === at && choice.from === from;
}

function showControls() {
	showChoices('by', { live: 'Live', blocks: 'Blocks', alloc: 'Churn', allocs: 'Calls' },
		(by) => choice.by === by, (by) => choose(model, { by, sort: '' }));
	showChoices('flame-way', { main: 'From main', inverted: 'Inverted' },
		(way) => choice.inverted === (way === 'inverted'),
		(way) => choose(model, { inverted: way === 'inverted', zoom: '' }));
	showChoices('group', { source: 'Sources', module: 'Modules' }, (group) => choice.group === group,
		(group) => choose(model, { group, sort: '' }));
	showChoices('moments', { last: 'Last', peak: 'Peak', growth: 'Growth' }, isMoment, chooseMoment);
	byId('wrappers').checked = choice.wrappers;
	byId('fold').checked = choice.fold;
	if (document.activeElement !== byId('search'))
		byId('search').value = choice.search;
	byId('runs-label').hidden = model.isOne;
	byId('runs').value = choice.run === null ? '' : choice.run;
}

function describe() {
	const name = choice.at === LAST ? momentName(lastMoment()) : momentName(choice.at);
	const span = choice.from === null ? ', ' : `: change from ${momentName(choice.from)} to `;
	byId('flame-what').textContent = VALUES[choice.by].title + span + name;
}

// What each part of the page depends on.
const VIEW = ['model', 'at', 'from', 'run'];
const TABLE = [...VIEW, 'by', 'source', 'search', 'sort', 'group', 'theme'];
const FLAME = [...VIEW, 'by', 'source', 'search', 'zoom', 'inverted', 'wrappers', 'fold', 'theme'];

// What had the focus may be drawn anew: then its successor has it.
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
		view = viewOf(model, choice);
	showTime(changed, view);
	showControls();
	describe();
	if (depends(FLAME))
		showFlame(view, changed);
	if (depends(TABLE))
		showSources(view, changed);
	showDetail(model, view);
}

function load(data) {
	model = makeModel(data);
	Object.assign(choice, { at: LAST, from: null }); // its moments are others
	setUpTime(model);
	showTime(new Set(['model']), null);
	model.opensAt = firstMoment();
	setUpFlame(model);
	setUpSources(model);
	showHead(model);
	const thinned = `Of ${data.snapshots} snapshots ${model.axis.length} are drawn; what is shown of `
		+ 'each is exact. ';
	byId('foot').textContent = `${model.thinned ? thinned : ''}Times are UTC. Numbers are those of `
		+ 'pmem report, pmem diff and pmem leaks.';
	const options = model.runs.map(({ number, name, pid }) =>
		make('option', { value: number }, `${name} ${pid}`));
	byId('runs').replaceChildren(make('option', { value: '' }, 'all processes'), ...options);
}

function setTheme(isDark, changed = 'theme') {
	document.documentElement.classList.toggle('dark', isDark);
	byId('theme').setAttribute('aria-pressed', String(isDark));
	show(new Set([changed]));
	showHead(model);
}

function say(what) {
	byId('news').textContent = what;
	clearTimeout(say.timer);
	say.timer = setTimeout(() => { byId('news').textContent = ''; }, 4000);
}

async function copyText() {
	const source = model.sources.find((each) => each.key === choice.source);
	const parts = [headText(model), `${byId('flame-what').textContent}\n${tableText()}`];
	try {
		parts.push(...(source ? [detailText(model, source)] : []), '');
		await navigator.clipboard.writeText(parts.join('\n\n'));
		say('Copied as text.');
	} catch {
		say('The browser does not let a page copy here.');
	}
}

function saveSvg(which) {
	const area = byId(which === 'time' ? 'plot' : 'flames');
	const width = area.clientWidth, height = which === 'time' ? area.clientHeight : flameHeight();
	const pen = svgPen(width, height);
	if (which === 'time')
		drawTime(pen, width, height);
	else
		drawFlame(pen, width);
	saveFile(`pmem-${which}.svg`, 'image/svg+xml', pen.file());
}

// Back by one: zoom, search, source, then the moment.
function goBack() {
	const step = [['zoom', ''], ['search', ''], ['source', null], ['from', null], ['at', LAST],
		['run', null]].find(([name, usual]) => choice[name] !== usual);
	if (step)
		choose(model, { [step[0]]: step[1] });
}

function onKey(event) {
	const isTyping = event.target.matches('input[type="search"], select');
	if (event.key === 'Escape') {
		goBack();
		event.target.blur();
		return;
	}
	if (isTyping || event.ctrlKey || event.metaKey || event.altKey)
		return;
	const action = {
		'/': () => byId('search').focus(), p: () => chooseMoment('peak'), g: () => chooseMoment('growth'),
			c: copyText,
		i: () => choose(model, { inverted: !choice.inverted, zoom: '' }), '?': () => byId('keys').click(),
	}[event.key];
	if (!action)
		return;
	event.preventDefault();
	action();
}

function listen() {
	onChoice((changed) => keepFocus(() => show(changed)));
	byId('search').addEventListener('input', (event) => choose(model, { search: event.target.value }));
	byId('wrappers').addEventListener('change', (event) => choose(model,
		{ wrappers: event.target.checked, zoom: '' }));
	byId('fold').addEventListener('change', (event) => choose(model, { fold: event.target.checked,
		zoom: '' }));
	byId('runs').addEventListener('change', (event) => choose(model, { run: event.target.value === ''
		? null : Number(event.target.value) }));
	byId('copy').addEventListener('click', copyText);
	byId('theme').addEventListener('click',
		() => setTheme(!document.documentElement.classList.contains('dark')));
	byId('keys').addEventListener('click', () => {
		byId('help').hidden = !byId('help').hidden;
		byId('keys').setAttribute('aria-expanded', String(!byId('help').hidden));
	});
	for (const button of document.querySelectorAll('[data-svg]'))
		button.addEventListener('click', () => saveSvg(button.dataset.svg));
	document.addEventListener('keydown', onKey);
	window.addEventListener('hashchange', () => chooseFromAddress(model));
	const dark = matchMedia('(prefers-color-scheme: dark)');
	dark.addEventListener('change', () => setTheme(dark.matches));
	window.addEventListener('beforeprint', () => setTheme(false));
	window.addEventListener('afterprint', () => setTheme(dark.matches));
}

// A newer page of the same kind is taken over with all that is chosen here: moments by their names,
// since there are others now. Without a web server a page cannot read itself, and is loaded again.
async function follow() {
	const isFile = location.protocol === 'file:';
	const parse = (page) => new DOMParser().parseFromString(page, 'text/html').getElementById('data')
		.textContent;
	for (;;) {
		await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS * (isFile ? 5 : 1)));
		if (isFile) {
			writeAddress(model);
			location.reload();
			return;
		}
		try {
			const newer = parse(await (await fetch(location.pathname + location.search,
				{ cache: 'no-cache' })).text());
			if (newer === text)
				continue;
			writeAddress(model);
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
