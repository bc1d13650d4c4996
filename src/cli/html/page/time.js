// SPDX-License-Identifier: BSD-2-Clause
// time: lets the user choose a moment or a span in the chart, and shows it in words.
import { bytes, duration, time, VALUES } from './units.js';
import { leaks, runName } from './data.js';
import { LAST, groupRows, isPinned, otherOf } from './view.js';
import { choice, choose, isChange, pinned, sourceButton } from './choice.js';
import { areMany, chart, choosePanes, drawTime, isFlow, lastMoment, linesOf, momentAt, paneAt,
	readable, showsRss, timeHeight, xOf } from './chart.js';
import { byId, canvasPen, color, make, placeTip } from './pen.js';
const pointer = { began: null, hover: null, drag: null }; // drag: {from, at, run}
let width = 0; // kept, because reading clientWidth makes the browser lay out the page

const numberOf = (at) => at === LAST ? lastMoment() : at;

// Draws the chosen moment or span above the curves.
export function drawTop(pen = canvasPen(byId('plot-top'), chart.width, chart.height)) {
	const other = otherOf(choice);
	const chosen = [other ? { ...other, fill: 'mark-band', line: 'mark' } : null,
		{ ...pointer.drag ?? choice, fill: 'band', line: 'accent' }];
	for (const pane of chart.panes) {
		const { top, bottom } = pane;
		const line = (at, fill, ...more) => pen.line([xOf(pane, at), top, xOf(pane, at), bottom],
			color(fill), ...more);
		for (const each of chosen) {
			const isHere = each && (chart.panes.length === 1 || [null, pane.run].includes(each.run));
			if (!isHere || (!other && each.from === null && each.at === LAST))
				continue;
			const [from, at] = [each.from ?? each.at, each.at].map(numberOf);
			pen.rect(xOf(pane, from), top, xOf(pane, at) - xOf(pane, from), bottom - top, color(each.fill));
			line(from, each.line, 1.5);
			line(at, each.line, 1.5);
		}
		if (pointer.hover)
			line(pointer.hover.at, 'faint', 1, [3, 3]);
	}
}

export function momentName(at) {
	const moment = chart.model.axis[numberOf(at)];
	const number = moment.number === null ? '' : `[${moment.number}] `;
	return chart.model.hasTimes ? number + time(moment.time) : number.trim();
}

// Returns the choice, or what it is compared with, in words.
export function nameOf({ at, from, run }) {
	const { isOne, axis, hasTimes, runs } = chart.model;
	const whose = isOne || run === null ? '' : `${runName(runs[run])}, `;
	if (at === LAST && from === null && run === null && chart.model.data.are_jobs)
		return `what ${runs.length} runs have left, added up`;
	const last = at === LAST && from === null ? `the last snapshot${isOne ? '' : 's'}, ` : '';
	const length = from === null || !hasTimes ? ''
		: `, ${duration(axis[numberOf(at)].time - axis[from].time)}`;
	const first = from === null ? '' : `${momentName(from)} to `;
	return `${whose}${last}${first}${momentName(at)}${length}`;
}

function showTip() {
	const tip = byId('plot-tip');
	tip.hidden = !pointer.hover;
	if (!pointer.hover)
		return;
	const { at, pane } = pointer.hover;
	const line = (fill, name, value, kind) => make('div', { class: 'line' }, make('span',
		{ class: 'dot', color: fill }), make('span', { class: kind }, name), make('span', {}, value));
	const top = [...pane.layers].reverse().filter((layer) => layer.values[at] > 0)
		.sort((a, b) => b.values[at] - a.values[at]).slice(0, 6);
	tip.replaceChildren(make('b', {}, momentName(at)), line('transparent', areMany()
		? runName(chart.model.runs[pane.run]) : 'all', readable(pane.values[at]), ''),
	...['resident', 'mapped'].map((name, i) => linesOf(pane)[i]?.some((value) => value > 0)
		? line('transparent', name, bytes(linesOf(pane)[i][at]), '') : ''),
		...top.map((layer) => line(layer.color, layer.source.where.split(' < ')[0],
			readable(layer.values[at]), 'name')));
	placeTip(tip, chart.width, xOf(pane, at), pane.top - 18);
}

function describe() {
	const plot = byId('plot'), other = otherOf(choice);
	byId('chosen').replaceChildren(make('b', {}, nameOf(choice)), other ? ' against ' : '',
		other ? make('b', { class: 'other' }, nameOf(other)) : isPinned(choice)
			? ': choose a moment, a span or a process to compare with it' : '');
	plot.setAttribute('aria-valuemax', lastMoment());
	plot.setAttribute('aria-valuenow', numberOf(choice.at));
	plot.setAttribute('aria-valuetext', `${byId('chosen').textContent}: ${VALUES[choice.by].title} `
		+ readable(chart.sum.values[numberOf(choice.at)]));
	byId('rss').checked = showsRss();
	byId('rss-label').hidden = choice.by !== 'live'
		|| !chart.sum.totals.rss.some((value) => value > 0);
}

// Returns a layer's value at the chosen moment. At LAST, processes that ended earlier count, too.
function legendValue(rows, layer) {
	const { place, text, signed } = VALUES[choice.by], row = rows.get(layer.source);
	if (isChange())
		return row ? signed(row.now[place] - row.before[place]) : '0';
	if (isFlow() && choice.at !== LAST)
		return readable(layer.values[choice.at]);
	return row ? text(row.now[place]) : '-';
}

function showLegend(rows) {
	const { place } = VALUES[choice.by], shown = chart.sum.layers.filter(({ source }) =>
		isChange() || isFlow() || rows.get(source)?.now[place] > 0);
	byId('legend').replaceChildren(...shown.reverse().map((layer) => {
		const { source } = layer;
		return make('li', { class: source.key === choice.source ? 'chosen' : null },
			make('span', { class: 'dot', color: layer.color }),
			sourceButton(source),
			leaks(source) ? make('span', { class: 'word leak' }, 'leaks') : null,
			make('span', { class: 'quiet' }, legendValue(rows, layer)));
	}), make('li', {}, make('span', { class: 'dot', color: chart.rest }),
		make('span', { class: 'quiet' }, 'all others')),
	chart.panes.length > 1 && chart.panes.length < chart.model.runs.length ? make('li',
		{ class: 'quiet' }, `${chart.panes.length} of ${chart.model.runs.length} processes`) : '');
}

function chooseSpan(from, at, more) {
	const [first, second] = from <= at ? [from, at] : [at, from];
	choose({ from: first === second ? null : first, at: second, ...more });
}

// A click chooses a moment, dragging a span. Ctrl compares the new choice with the one before.
function onPointer(plot) {
	const placeOf = (event) => {
		const area = plot.getBoundingClientRect(), x = event.clientX - area.left;
		const pane = pointer.began?.pane ?? paneAt(x, event.clientY - area.top);
		return { pane, at: momentAt(pane, x), x };
	};
	plot.addEventListener('pointerdown', (event) => {
		if (event.button !== 0)
			return;
		plot.setPointerCapture(event.pointerId);
		pointer.began = placeOf(event);
	});
	plot.addEventListener('pointermove', (event) => {
		pointer.hover = placeOf(event);
		const { began, hover } = pointer;
		if (began && Math.abs(hover.x - began.x) > 4)
			pointer.drag = { from: Math.min(began.at, hover.at), at: Math.max(began.at, hover.at),
				run: began.pane.run };
		cancelAnimationFrame(pointer.frame); // drawn once a frame, however often the pointer moves
		pointer.frame = requestAnimationFrame(() => {
			drawTop();
			showTip();
		});
	});
	plot.addEventListener('pointerup', (event) => {
		if (!pointer.began)
			return;
		const { pane, at } = placeOf(event);
		const from = pointer.drag ? pointer.began.at : event.shiftKey ? numberOf(choice.at) : at;
		const isOther = (event.ctrlKey || event.metaKey) && !otherOf(choice);
		pointer.began = pointer.drag = null;
		chooseSpan(from, at, { run: pane.run, ...(isOther ? pinned() : {}) });
		drawTop();
	});
	plot.addEventListener('pointerleave', () => {
		pointer.hover = pointer.began ? pointer.hover : null;
		drawTop();
		showTip();
	});
}

function onKey(event) {
	const last = lastMoment(), at = numberOf(choice.at);
	const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1,
		PageDown: -Math.ceil(last / 10), PageUp: Math.ceil(last / 10) }[event.key];
	let to = step !== undefined ? at + step : { Home: 0, End: last }[event.key];
	if (to === undefined)
		return;
	event.preventDefault();
	event.stopPropagation();
	to = Math.min(Math.max(to, 0), last);
	if (!event.shiftKey)
		return void choose({ at: to, from: null });
	// With Shift, one end of the span stays fixed, and the other moves.
	const ends = [choice.from ?? at, at];
	const fixed = pointer.fixed = ends.includes(pointer.fixed) ? pointer.fixed : ends[0];
	const moving = fixed === at ? ends[0] + to - at : to;
	chooseSpan(fixed, Math.min(Math.max(moving, 0), last));
}

export function listenTime() {
	const plot = byId('plot');
	onPointer(plot);
	plot.addEventListener('keydown', onKey);
	new ResizeObserver(() => {
		width = plot.clientWidth;
		showTime(new Set(['size']));
	}).observe(plot);
}

const PANES = ['model', 'by', 'run', 'group', 'panes', 'theme'];

export function showTime(changed, view) {
	const plot = byId('plot');
	const what = (...names) => names.some((name) => changed.has(name));
	if (what(...PANES))
		choosePanes(chart.model);
	width ||= plot.clientWidth;
	const height = timeHeight(width);
	plot.style.height = `${height}px`;
	if (what(...PANES, 'rss', 'size'))
		drawTime(canvasPen(byId('plot-base'), width, height), width, height);
	drawTop();
	if (what('size') || !view)
		return;
	describe();
	showLegend(new Map(groupRows(view.rows, choice.group).map((row) => [row.source, row])));
}
