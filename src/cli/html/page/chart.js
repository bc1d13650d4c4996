// SPDX-License-Identifier: BSD-2-Clause
// chart: draws memory over time, in one pane for all that is chosen, or in a pane for each process.
import { bytes, time, VALUES } from './units.js';
import { leaks, runName } from './data.js';
import { curveOf, largestAt, totalsOf } from './view.js';
import { choice, kindOf } from './choice.js';
import { color, colors } from './pen.js';
const MARGIN = { left: 68, right: 10, top: 20, bottom: 26 };
const PANE = { width: 210, height: 124, least: 264, gap: 14, most: 60 };
const LEAKS_SHOWN = 6, OTHERS_SHOWN = 6, LAYERS = 9; // 6 colours for each; at most 9 layers
export const chart = { model: null, sum: null, panes: [], rest: '', most: 1, width: 0, height: 0 };
export const isFlow = () => choice.by === 'alloc' || choice.by === 'allocs';
export const lastMoment = () => chart.model.axis.length - 1;
export const readable = (value) => VALUES[choice.by].text(value) + (isFlow() ? '/s' : '');
export const areMany = () => choice.panes && !chart.model.isOne;

// Returns how fast a growing total grew from each moment to the next, per second.
const flowOf = (curve, axis) => curve.map((value, at) => {
	const ms = at ? axis[at].time - axis[at - 1].time : 0;
	return ms > 0 ? Math.max(value - curve[at - 1], 0) * 1000 / ms : 0;
});

function makePane(run, sources) {
	const { model } = chart;
	const shown = (curve) => isFlow() ? flowOf(curve, model.axis) : curve;
	const totals = totalsOf(model, run);
	return {
		run, totals, values: shown(totals[choice.by]), alone: model.isOne ? 0 : run,
		layers: sources.map((source) => ({ ...source,
			values: shown(curveOf(model, source.source, VALUES[choice.by].place, run)) })),
	};
}

// Chooses panes and their layers. Leaks have warm colours, and are on top to be seen.
export function choosePanes(model) {
	const all = model.groups[choice.group], ofRun = model.runs[choice.run]?.all.peak;
	const peaks = new Map(all.map((source) => [source, !ofRun ? source.peak
		: source.members.reduce((sum, member) => sum + (ofRun.get(member) ?? 0), 0)]));
	const held = all.filter((source) => peaks.get(source) > 0);
	const warm = held.filter(leaks).sort((a, b) => b.leak.rate - a.leak.rate).slice(0, LEAKS_SHOWN);
	const others = held.filter((source) => !warm.includes(source))
		.sort((a, b) => peaks.get(b) - peaks.get(a))
		.slice(0, Math.min(OTHERS_SHOWN, LAYERS - warm.length));
	const palette = colors('stack');
	const sources = [
		...others.map((source, i) => ({ source, color: palette[LEAKS_SHOWN + i] })).reverse(),
		...warm.map((source, i) => ({ source, color: palette[i] })).reverse(),
	];
	chart.rest = palette[palette.length - 1];
	chart.sum = makePane(choice.run, sources);
	chart.panes = areMany() ? [...model.runs].sort((a, b) => b.peak - a.peak).slice(0, PANE.most)
		.map((run) => makePane(run.number, sources)) : [chart.sum];
}

export const colorOf = (source) => chart.sum.layers
	.find((layer) => layer.source === source)?.color ?? chart.rest;

// Returns the layers' upper limits at a moment. The lowest layer has all that no other has.
function heightsOf(pane, at) {
	const known = pane.layers.map((layer) => layer.values[at] || 0);
	const rest = Math.max(pane.values[at] - known.reduce((sum, value) => sum + value, 0), 0);
	const heights = [rest];
	known.forEach((value, i) => heights.push(heights[i] + value));
	return heights;
}

const mostOf = (values) => values.reduce((all, value) => Math.max(all, value), 1);
export const linesOf = ({ totals: { rss, mapped } }) => showsRss() ? [rss, mapped] : [];

export function showsRss() {
	const { rss, live, mapped } = chart.sum.totals;
	return choice.by === 'live' && mostOf(rss) > 1
		&& (choice.rss ?? (kindOf(chart.model) === 'outside'
			|| Math.max(mostOf(rss), mostOf(mapped)) < 2 * mostOf(live)));
}

function xOfTime(pane, ms) {
	const { axis } = chart.model, length = axis[axis.length - 1].time - axis[0].time;
	const part = length > 0 ? Math.min(Math.max((ms - axis[0].time) / length, 0), 1) : 0.5;
	return pane.left + part * (pane.right - pane.left);
}

export const xOf = (pane, at) => xOfTime(pane, chart.model.axis[at].time);
const yOf = (pane, value) => pane.bottom - value / chart.most * (pane.bottom - pane.top);

// Returns the pane at this point of the chart, or a pane beside a point that is between panes.
export const paneAt = (x, y) => chart.panes.findLast((pane) => x >= pane.left - MARGIN.left
	&& y >= pane.top - MARGIN.top) ?? chart.panes[0];

export const momentAt = (pane, x) => chart.model.axis.reduce((best, _, at) =>
	Math.abs(xOf(pane, at) - x) <= Math.abs(xOf(pane, best) - x) ? at : best, 0);

// Sets where the curves of each pane lie.
function layOut(width, height) {
	const columns = Math.max(Math.min(Math.floor((width - MARGIN.left) / PANE.width),
		chart.panes.length), 1);
	const rows = Math.ceil(chart.panes.length / columns);
	const across = (width - MARGIN.left - MARGIN.right + PANE.gap) / columns;
	const down = height / rows;
	chart.panes.forEach((pane, i) => {
		pane.left = MARGIN.left + i % columns * across;
		pane.right = pane.left + across - PANE.gap;
		pane.top = Math.floor(i / columns) * down + MARGIN.top;
		pane.bottom = pane.top - MARGIN.top + down - MARGIN.bottom;
		pane.isFirst = i % columns === 0;
	});
	Object.assign(chart, { width, height });
	return rows;
}

// Returns the height of the chart for a width.
export const timeHeight = (width) => areMany()
	? Math.max(layOut(width, 0) * PANE.height, PANE.least) : Math.min(290, 130 + width / 4);

// Returns ticks. A step is 1, 2 or 5 times a power of ten, or a power of two for bytes.
function ticksOf(most, wanted, isBytes) {
	const least = Math.max(most / wanted, 1), ten = 10 ** Math.floor(Math.log10(least));
	const step = isBytes ? 2 ** Math.ceil(Math.log2(least))
		: ten * [1, 2, 5, 10].find((each) => each * ten >= least);
	return Array.from({ length: Math.floor(most * 1.0001 / step) }, (_, i) => (i + 1) * step);
}

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;
const STEPS = [[1, [1, 2, 5, 10, 20, 50, 100, 200, 500]], [SECOND, [1, 2, 5, 15, 30]],
	[MINUTE, [1, 2, 5, 15, 30]], [HOUR, [1, 2, 6, 12]], [DAY, [1, 2, 5, 14, 28, 84, 182, 365, 1095]]]
	.flatMap(([unit, times]) => times.map((each) => each * unit));

// Returns the part of a time that differs from tick to tick.
function tickText(at, step) {
	const text = time(at);
	if (step < SECOND)
		return new Date(at).toISOString().slice(17, 23);
	const end = step < MINUTE ? 19 : 16;
	return step < DAY && at % DAY ? text.slice(11, end) : text.slice(5, 10);
}

function timeTicks(pane) {
	const { axis, hasTimes } = chart.model;
	const from = axis[0].time, length = axis[axis.length - 1].time - from;
	const wanted = Math.max(3, Math.floor((pane.right - pane.left) / 130)); // of 3, at least 1 fits
	const step = STEPS.find((each) => length / each <= wanted) ?? DAY * 36500;
	const ticks = [];
	for (let at = Math.ceil(from / step) * step; at <= from + length; at += step)
		ticks.push({ x: xOfTime(pane, at),
			label: hasTimes ? tickText(at, step) : `[${axis[at]?.number ?? at}]` });
	return ticks;
}

function drawAxes(pen, pane) {
	const { text } = VALUES[choice.by], style = { fill: color('faint'), size: 11 };
	const { left, right, bottom } = pane;
	for (const value of ticksOf(chart.most, areMany() ? 3 : 5, text === bytes)) {
		pen.line([left, yOf(pane, value), right, yOf(pane, value)], color('line'));
		if (pane.isFirst)
			pen.text(left - 8, yOf(pane, value) + 4, readable(value), { ...style, align: 'right' });
	}
	pen.line([left, bottom + 0.5, right, bottom + 0.5], color('faint'));
	for (const { x, label } of timeTicks(pane)) {
		pen.line([x, bottom, x, bottom + 4], color('faint'));
		pen.text(Math.min(Math.max(x, left + 14), right - 16), bottom + 17, label,
			{ ...style, align: 'center' });
	}
}

// Returns true for steps: each of several processes keeps its values until its next snapshot.
export const hasSteps = () => !chart.model.isOne && !isFlow();

// Returns a curve's points from left to right. A single value makes a horizontal line.
function lineOf(pane, values) {
	const points = [];
	if (values.length === 1)
		return [pane.left, pane.right].map((x) => [x, yOf(pane, values[0])]);
	for (let at = 0; at < values.length; at++) {
		if (at && hasSteps())
			points.push([xOf(pane, at), yOf(pane, values[at - 1])]);
		points.push([xOf(pane, at), yOf(pane, values[at])]);
	}
	return points;
}

// Returns the points around the area between two curves.
const ribbon = (pane, upper, lower) =>
	[...lineOf(pane, upper), ...lineOf(pane, lower).reverse()].flat();

function drawLayers(pen, pane) {
	const { axis, drawn, data, isOne } = chart.model;
	const heights = axis.map((_, at) => heightsOf(pane, at));
	const line = (values) => lineOf(pane, values).flat();
	if (drawn < data.snapshots && choice.by === 'live' && isOne)
		pen.area(ribbon(pane, pane.totals.most, pane.totals.least), color('line'));
	pen.area(ribbon(pane, heights.map((each) => each[0]), heights.map(() => 0)), chart.rest);
	pane.layers.forEach((layer, i) => pen.area(ribbon(pane, heights.map((each) => each[i + 1]),
		heights.map((each) => each[i])), layer.color));
	pen.line(line(pane.values), color('ink'), 1.4);
	linesOf(pane).forEach((values, i) => mostOf(values) > 1
		&& pen.line(line(values), color('soft'), 1.4, [i ? 1 : 4, 3]));
}

export const peakMoment = () => largestAt(chart.sum.totals.live);

// Returns the peak of live bytes and its time. For one process it may lie between two snapshots.
function peakOf(pane) {
	const run = chart.model.runs[pane.alone];
	if (run?.peak)
		return { ms: run.peak_at, live: run.peak };
	const at = largestAt(pane.totals.live);
	return { ms: chart.model.axis[at].time, live: pane.totals.live[at] };
}

// Draws marks: the peak and, if there are several processes, when each process began and ended.
function drawMarks(pen, pane) {
	const { axis, runs, isOne } = chart.model, { bottom } = pane;
	if (choice.by === 'live') {
		const { ms, live } = peakOf(pane), x = xOfTime(pane, ms), y = yOf(pane, live);
		const align = x > pane.right - 110 ? 'right' : 'left';
		pen.area([x - 4, y - 9, x + 4, y - 9, x, y - 3], color('ink'));
		if (!areMany())
			pen.text(x + (align === 'right' ? -8 : 8), y - 4, `peak ${bytes(live)}`,
				{ fill: color('soft'), size: 11, align });
	}
	for (const run of isOne ? [] : runs.filter((each) => pane.alone === null
		|| each.number === pane.alone)) {
		const first = axis.findIndex((_, at) => run.places[at] >= 0);
		const last = axis.findIndex((_, at) => run.places[at] === run.moments.number.length - 1);
		const [began, ended] = [first, last].map((at) => at >= 0 ? xOf(pane, at) : 0);
		if (first > 0)
			pen.area([began - 4, bottom + 7, began + 4, bottom + 7, began, bottom + 1], color('good'));
		if (run.ended && last >= 0)
			pen.area([ended - 4, bottom + 1, ended + 4, bottom + 1, ended, bottom + 7], color('mark'));
	}
}

export function drawTime(pen, width, height) {
	layOut(width, height);
	chart.most = 1.04 * chart.panes.reduce((most, pane) => Math.max(most, mostOf(pane.values),
		...linesOf(pane).map(mostOf), choice.by === 'live' ? peakOf(pane).live : 1), 1);
	for (const pane of chart.panes) {
		drawAxes(pen, pane);
		drawLayers(pen, pane);
		drawMarks(pen, pane);
		if (areMany())
			pen.text(pane.left + 2, pane.top - 7, runName(chart.model.runs[pane.run]), { size: 12,
				fill: color(choice.run === pane.run ? 'accent' : 'soft') });
	}
}
