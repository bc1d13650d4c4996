// time: how memory went, in a chart that a moment or a span is chosen in.

import { bytes, count, duration, time, VALUES } from './units.js';
import { LAST, curveOf, totalsOf } from './data.js';
import { choice, choose } from './choice.js';
import { byId, canvasPen, color, colors, make } from './pen.js';

const MARGIN = { left: 68, right: 10, top: 20, bottom: 26 };
const LEAKS_SHOWN = 6, OTHERS_SHOWN = 6, LAYERS = 9; // so many colours of each
const chart = { model: null, layers: [], totals: null, values: null, most: 1, width: 0, height: 0,
	hover: null, drag: null };

const isFlow = () => choice.by === 'alloc' || choice.by === 'allocs';
export const lastMoment = () => chart.model.axis.length - 1;

// Of what only grows, what was added in each second since the moment before.
function flowOf(curve, axis) {
	return curve.map((value, at) => {
		const ms = at ? axis[at].time - axis[at - 1].time : 0;
		return at && ms > 0 ? Math.max(value - curve[at - 1], 0) * 1000 / ms : 0;
	});
}

// Leaks are warm and above the others: what grows is seen to.
function chooseLayers(model) {
	const leaks = model.leaks.slice(0, LEAKS_SHOWN);
	const others = model.sources.filter((source) => !leaks.includes(source) && source.peak > 0)
		.sort((a, b) => b.peak - a.peak).slice(0, Math.min(OTHERS_SHOWN, LAYERS - leaks.length));
	const palette = colors('stack');
	const place = VALUES[choice.by].place;
	const layerOf = (source, at) => {
		const curve = curveOf(model, source, place, choice.run);
		return { source, color: palette[at], values: isFlow() ? flowOf(curve, model.axis) : curve };
	};
	chart.layers = [
		...others.map((source, i) => layerOf(source, LEAKS_SHOWN + i)).reverse(),
		...leaks.map((source, i) => layerOf(source, i)).reverse(),
	];
	chart.rest = palette[palette.length - 1];
	chart.totals = totalsOf(model, choice.run);
	chart.values = isFlow() ? flowOf(chart.totals[choice.by], model.axis) : chart.totals[choice.by];
}

export function colorOf(source) {
	return chart.layers.find((layer) => layer.source === source)?.color ?? chart.rest;
}

// The rest below all; of what is not told of a source that is in the rest.
function heightsOf(at) {
	const known = chart.layers.map((layer) => layer.values[at] || 0);
	const rest = Math.max(chart.values[at] - known.reduce((sum, value) => sum + value, 0), 0);
	const heights = [rest];
	known.forEach((value, i) => heights.push(heights[i] + value));
	return heights;
}

function showsRss() {
	if (choice.by !== 'live' || !chart.totals.rss.some((value) => value > 0))
		return false;
	return choice.rss ?? Math.max(...chart.totals.rss) < 2 * Math.max(...chart.totals.live);
}

function xOfTime(ms) {
	const { axis } = chart.model;
	const length = axis[axis.length - 1].time - axis[0].time;
	const part = length > 0 ? Math.min(Math.max((ms - axis[0].time) / length, 0), 1) : 0.5;
	return MARGIN.left + part * (chart.width - MARGIN.left - MARGIN.right);
}

const xOf = (at) => xOfTime(chart.model.axis[at].time);

function yOf(value) {
	const room = chart.height - MARGIN.top - MARGIN.bottom;
	return chart.height - MARGIN.bottom - value / chart.most * room;
}

function momentAt(x) {
	let best = 0;
	for (let at = 0; at < chart.model.axis.length; at++)
		if (Math.abs(xOf(at) - x) <= Math.abs(xOf(best) - x))
			best = at;
	return best;
}

// Steps of 1, 2 or 5; of bytes, powers of two.
function ticksOf(most, isBytes) {
	let step = 1;
	if (isBytes)
		step = 2 ** Math.ceil(Math.log2(Math.max(most, 1) / 5));
	else
		for (const factors = [2, 2.5, 2]; most / step > 5;)
			step *= factors[Math.round(Math.log10(step) * 3) % 3];
	const ticks = [];
	for (let value = step; value <= most * 1.0001; value += step)
		ticks.push(value);
	return ticks;
}

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [[1, [1, 2, 5, 10, 20, 50, 100, 200, 500]], [SECOND, [1, 2, 5, 10, 30]],
	[MINUTE, [1, 2, 5, 10, 30]], [HOUR, [1, 2, 3, 6, 12]], [DAY, [1, 2, 7, 28, 91, 365, 3650]]]
	.flatMap(([unit, times]) => times.map((each) => each * unit));

// As much of a time as differs from one tick to the next.
function tickText(at, step) {
	const text = time(at);
	if (step < SECOND)
		return new Date(at).toISOString().slice(17, 23);
	const end = step < MINUTE ? 19 : 16;
	return step < DAY && at % DAY ? text.slice(11, end) : text.slice(5, 10);
}

function timeTicks() {
	const { axis, hasTimes } = chart.model;
	const from = axis[0].time, length = axis[axis.length - 1].time - from;
	const wanted = Math.max(2, Math.floor(chart.width / 130));
	const step = STEPS.find((each) => length / each <= wanted) ?? DAY * 36500;
	const scale = (xOf(axis.length - 1) - xOf(0)) / (length || 1);
	const ticks = [];
	for (let at = Math.ceil(from / step) * step; at <= from + length; at += step) {
		const label = hasTimes ? tickText(at, step) : `[${axis[at]?.number ?? at}]`;
		ticks.push({ x: xOf(0) + (at - from) * scale, label });
	}
	return ticks;
}

function drawAxes(pen) {
	const { text } = VALUES[choice.by];
	const style = { fill: color('faint'), size: 11 };
	const { left } = MARGIN, right = chart.width - MARGIN.right, bottom = chart.height - MARGIN.bottom;
	for (const value of ticksOf(chart.most, text === bytes)) {
		pen.line([left, yOf(value), right, yOf(value)], color('line'));
		pen.text(left - 8, yOf(value) + 4, text(value) + (isFlow() ? '/s' : ''),
			{ ...style, align: 'right' });
	}
	pen.line([left, bottom + 0.5, right, bottom + 0.5], color('faint'));
	for (const { x, label } of timeTicks()) {
		pen.line([x, bottom, x, bottom + 4], color('faint'));
		pen.text(Math.min(Math.max(x, left + 14), right - 16), bottom + 17, label,
			{ ...style, align: 'center' });
	}
}

// What is between two lines, each a value for each moment.
function ribbon(upper, lower) {
	const points = [];
	for (let at = 0; at < upper.length; at++)
		points.push(xOf(at), yOf(upper[at]));
	for (let at = upper.length; at-- > 0;)
		points.push(xOf(at), yOf(lower[at]));
	return points;
}

function drawLayers(pen) {
	const { axis } = chart.model;
	const heights = axis.map((_, at) => heightsOf(at));
	const line = (values) => Array.from(axis, (_, at) => [xOf(at), yOf(values(at))]).flat();
	if (chart.model.thinned && choice.by === 'live' && chart.model.isOne)
		pen.area(ribbon(chart.totals.most, chart.totals.least), color('line'));
	pen.area(ribbon(heights.map((each) => each[0]), heights.map(() => 0)), chart.rest);
	chart.layers.forEach((layer, i) => pen.area(ribbon(heights.map((each) => each[i + 1]),
		heights.map((each) => each[i])), layer.color));
	pen.line(line((at) => chart.values[at]), color('ink'), 1.4);
	if (showsRss())
		pen.line(line((at) => chart.totals.rss[at]), color('soft'), 1.4, [4, 3]);
}

export function peakMoment() {
	const { live } = chart.totals;
	return live.reduce((best, value, at) => value > live[best] ? at : best, 0);
}

// The most there ever was: of one process, between snapshots, too.
function peakOf() {
	const [run] = chart.model.runs;
	const at = peakMoment();
	return chart.model.isOne && run.peak ? { ms: run.peak_at, live: run.peak }
		: { ms: chart.model.axis[at].time, live: chart.totals.live[at] };
}

// That, and, of several processes, when they began and ended.
function drawMarks(pen) {
	const { axis, runs, isOne } = chart.model;
	if (choice.by === 'live') {
		const { ms, live } = peakOf();
		const x = xOfTime(ms), y = yOf(live), align = x > chart.width - 120 ? 'right' : 'left';
		pen.area([x - 4, y - 9, x + 4, y - 9, x, y - 3], color('ink'));
		pen.text(x + (align === 'right' ? -8 : 8), y - 4, `peak ${bytes(live)}`,
			{ fill: color('soft'), size: 11, align });
	}
	for (const run of isOne ? [] : runs) {
		const bottom = chart.height - MARGIN.bottom;
		const first = axis.findIndex((_, at) => run.places[at] >= 0);
		const last = axis.findIndex((_, at) => run.places[at] === run.moments.number.length - 1);
		if (first > 0)
			pen.area([xOf(first) - 4, bottom + 7, xOf(first) + 4, bottom + 7, xOf(first), bottom + 1],
				color('good'));
		if (run.ended && last >= 0)
			pen.area([xOf(last) - 4, bottom + 1, xOf(last) + 4, bottom + 1, xOf(last), bottom + 7],
				color('mark'));
	}
}

export function drawTime(pen, width, height) {
	chart.width = width;
	chart.height = height;
	const most = (values) => values.reduce((all, value) => Math.max(all, value), 1);
	chart.most = 1.04 * Math.max(most(chart.values), showsRss() ? most(chart.totals.rss) : 1,
		choice.by === 'live' ? peakOf().live : 1);
	drawAxes(pen);
	drawLayers(pen);
	drawMarks(pen);
}

function drawTop() {
	const canvas = byId('plot-top');
	const pen = canvasPen(canvas, chart.width, chart.height);
	const top = MARGIN.top - 6, bottom = chart.height - MARGIN.bottom;
	const [from, at] = chart.drag ?? [choice.from, choice.at === LAST ? lastMoment() : choice.at];
	if (from !== null) {
		pen.rect(xOf(from), top, Math.max(xOf(at) - xOf(from), 1), bottom - top, color('band'));
		pen.line([xOf(from), top, xOf(from), bottom], color('accent'), 1.5);
	}
	if (from !== null || choice.at !== LAST)
		pen.line([xOf(at), top, xOf(at), bottom], color('accent'), 1.5);
	if (chart.hover !== null)
		pen.line([xOf(chart.hover), top, xOf(chart.hover), bottom], color('faint'), 1, [3, 3]);
}

export function momentName(at) {
	const moment = chart.model.axis[at];
	const number = moment.number === null ? '' : `[${moment.number}] `;
	return chart.model.hasTimes ? number + time(moment.time) : number.trim();
}

const readable = (value) => VALUES[choice.by].text(value) + (isFlow() ? '/s' : '');

function showTip(at) {
	const tip = byId('plot-tip');
	tip.hidden = at === null;
	if (at === null)
		return;
	const line = (fill, name, value, kind) => make('div', { class: 'line' },
		make('span', { class: 'dot', color: fill }), make('span', { class: kind }, name),
		make('span', {}, value));
	const top = [...chart.layers].reverse().filter((layer) => layer.values[at] > 0)
		.sort((a, b) => b.values[at] - a.values[at]).slice(0, 6);
	const all = line('transparent', 'all', readable(chart.values[at]), '');
	const rss = showsRss() ? line('transparent', 'resident', bytes(chart.totals.rss[at]), '') : '';
	tip.replaceChildren(make('b', {}, momentName(at)), all, rss,
		...top.map((layer) => line(layer.color, layer.source.where.split(' < ')[0],
			readable(layer.values[at]), 'name')));
	const x = xOf(at), isRight = x > chart.width / 2;
	tip.style.left = isRight ? '' : `${x + 14}px`;
	tip.style.right = isRight ? `${chart.width - x + 14}px` : '';
	tip.style.top = `${MARGIN.top}px`;
}

function describe() {
	const { model } = chart;
	const at = choice.at === LAST ? lastMoment() : choice.at;
	const plot = byId('plot');
	const name = choice.at === LAST ? `the last snapshot${model.isOne ? '' : 's'}, ${momentName(at)}`
		: momentName(at);
	const parts = choice.from === null ? ['At ', make('b', {}, name)]
		: ['From ', make('b', {}, momentName(choice.from)), ' to ', make('b', {}, momentName(at)),
			model.hasTimes ? `, ${duration(model.axis[at].time - model.axis[choice.from].time)}` : ''];
	byId('chosen').replaceChildren(...parts);
	plot.setAttribute('aria-valuemax', lastMoment());
	plot.setAttribute('aria-valuenow', at);
	const said = parts.map((part) => part.textContent ?? part).join('');
	plot.setAttribute('aria-valuetext',
		`${said}: ${VALUES[choice.by].title} ${readable(chart.values[at])}`);
	byId('rss').checked = showsRss();
	byId('rss-label').hidden = choice.by !== 'live' || !chart.totals.rss.some((value) => value > 0);
}

// At the last snapshots of all, what each source has there: some processes have ended before.
function legendValue(view, layer) {
	const { place, text, signed } = VALUES[choice.by];
	const row = view.rows.find((each) => each.source === layer.source);
	if (choice.from !== null)
		return row ? signed(row.now[place] - row.before[place]) : '0';
	if (isFlow() && choice.at !== LAST)
		return readable(layer.values[choice.at]);
	return row ? text(row.now[place]) : '-';
}

function showLegend(view) {
	const { model } = chart;
	byId('legend').replaceChildren(...[...chart.layers].reverse().map((layer) => {
		const { source } = layer;
		const isChosen = source.key === choice.source;
		return make('li', { class: isChosen ? 'chosen' : null },
			make('span', { class: 'dot', color: layer.color }),
			make('button', {
				type: 'button', class: 'link name', title: source.where, 'aria-pressed': String(isChosen),
				onclick: () => choose(model, { source: isChosen ? null : source.key }),
			}, source.where),
			source.leak?.standing === 0 ? make('span', { class: 'word leak' }, 'leaks') : null,
			make('span', { class: 'quiet' }, legendValue(view, layer)));
	}), make('li', {}, make('span', { class: 'dot', color: chart.rest }),
		make('span', { class: 'quiet' }, 'all others')));
}

function chooseSpan(from, at) {
	const [first, second] = from <= at ? [from, at] : [at, from];
	choose(chart.model, { from: first === second ? null : first, at: second });
}

function onPointer(plot) {
	const momentOf = (event) => momentAt(event.clientX - plot.getBoundingClientRect().left);
	plot.addEventListener('pointerdown', (event) => {
		if (event.button !== 0)
			return;
		plot.setPointerCapture(event.pointerId);
		chart.began = { x: event.clientX, at: momentOf(event) };
	});
	plot.addEventListener('pointermove', (event) => {
		chart.hover = momentOf(event);
		if (chart.began && Math.abs(event.clientX - chart.began.x) > 4)
			chart.drag = [chart.began.at, chart.hover].sort((a, b) => a - b);
		requestAnimationFrame(() => {
			drawTop();
			showTip(chart.hover);
		});
	});
	plot.addEventListener('pointerup', (event) => {
		if (!chart.began)
			return;
		const at = momentOf(event);
		const isDrag = chart.drag !== null;
		const { began } = chart;
		chart.began = chart.drag = null;
		if (isDrag || event.shiftKey)
			chooseSpan(isDrag ? began.at : choice.at === LAST ? lastMoment() : choice.at, at);
		else
			choose(chart.model, { at, from: null });
		drawTop();
	});
	plot.addEventListener('pointerleave', () => {
		chart.hover = chart.began ? chart.hover : null;
		drawTop();
		showTip(chart.hover);
	});
}

function onKey(event) {
	const last = lastMoment();
	const at = choice.at === LAST ? last : choice.at;
	const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1,
		PageDown: -Math.ceil(last / 10), PageUp: Math.ceil(last / 10) }[event.key];
	let to = step !== undefined ? at + step : { Home: 0, End: last }[event.key];
	if (to === undefined)
		return;
	event.preventDefault();
	event.stopPropagation();
	to = Math.min(Math.max(to, 0), last);
	if (!event.shiftKey)
		return void choose(chart.model, { at: to, from: null });
	// The end that moves is the one that moved last.
	const fixed = choice.from === null ? at : chart.fixed === 'at' ? at : choice.from;
	const moving = choice.from !== null && chart.fixed === 'at' ? choice.from + (to - at) : to;
	chart.fixed = Math.max(moving, 0) < fixed ? 'at' : 'from';
	chooseSpan(fixed, Math.min(Math.max(moving, 0), last));
}

export function setUpTime(model) {
	const plot = byId('plot');
	chart.model = model;
	if (setUpTime.isDone)
		return;
	setUpTime.isDone = true;
	onPointer(plot);
	plot.addEventListener('keydown', onKey);
	byId('rss').addEventListener('change', (event) => choose(chart.model,
		{ rss: event.target.checked }));
	new ResizeObserver(() => showTime(new Set(['size']))).observe(plot);
}

export function showTime(changed, view) {
	const plot = byId('plot');
	const what = (...names) => names.some((name) => changed.has(name));
	if (what('model', 'by', 'run', 'theme') || !chart.totals)
		chooseLayers(chart.model);
	if (what('model', 'by', 'run', 'rss', 'theme', 'size'))
		drawTime(canvasPen(byId('plot-base'), plot.clientWidth, plot.clientHeight),
			plot.clientWidth, plot.clientHeight);
	drawTop();
	if (what('size') || !view)
		return;
	describe();
	showLegend(view);
}
