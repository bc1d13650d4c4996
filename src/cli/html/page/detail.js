// detail: all that is known of the source that is chosen.

import { bytes, count, percent, signedBytes, signedCount, time, VALUES } from './units.js';
import { STEP, curveOf, stackOf } from './data.js';
import { choice, choose } from './choice.js';
import { byId, make, makeSvg, pathOf } from './pen.js';

// A curve in a box of so many units, with what is beneath it.
export function curveSvg(model, source, width, height, className) {
	const curve = curveOf(model, source, VALUES[choice.by].place, choice.run);
	const { axis } = model;
	const first = axis[0].time, length = axis[axis.length - 1].time - first || 1;
	const most = curve.reduce((all, value) => value > all ? value : all, 1);
	const points = [];
	curve.forEach((value, at) => {
		if (!Number.isNaN(value))
			points.push((axis[at].time - first) / length * width, height - 2 - value / most * (height - 4));
	});
	const end = points[points.length - 2] ?? 0;
	const svg = makeSvg('svg', { class: className, viewBox: `0 0 ${width} ${height}`,
		preserveAspectRatio: 'none', 'aria-hidden': 'true' });
	if (points.length && height > 40)
		svg.append(makeSvg('path',
			{ class: 'fill', d: `${pathOf([points[0], height, ...points, end, height])}Z` }));
	svg.append(makeSvg('path', { class: 'curve-line', d: points.length ? pathOf(points) : 'M0 0' }));
	return svg;
}

export const rateText = (model, leak) => leak.rate === null ? '-'
	: bytes(leak.rate) + (model.hasTimes ? '/h' : ' a snapshot');

// What `pmem leaks` says in a line, of all processes where there are several.
function leakFacts(model, source) {
	const { leak, verdict } = source;
	const moment = (at) => model.hasTimes ? time(at) : `[${at}]`;
	if (!leak)
		return verdict ? [['Verdict', verdict.word],
			['Between', `${bytes(verdict.lowest)} - ${bytes(verdict.highest)}`]] : [];
	const whole = leak.run.growth_of_all;
	return [
		['Verdict', leak.word], ['Sure', `${leak.sure.toFixed(1)}%`],
		['Rate', rateText(model, leak)],
		...(leak.rate === null ? []
			: [['With 95% certainty', `${bytes(leak.low)} - ${bytes(leak.high)}`]]),
		['Growth', bytes(leak.growth)],
		...(model.isOne ? [['Share of growth', leak.growth >= whole && whole > 0 ? 'all'
			: percent(leak.growth, whole)]] : []),
		['Blocks', count(leak.blocks)], ...(model.isOne ? [['Kept', leak.kept]]
			: [['Leaks in', `${leak.runs} of ${model.runs.length} processes`]]),
		['Since', moment(leak.began) + (leak.orEarlier ? ' or earlier' : '')],
		...(leak.until ? [['Until', moment(leak.until)]] : []),
	];
}

function momentFacts(row) {
	if (!row)
		return [];
	const [live, blocks, alloc, allocs] = row.now;
	const less = (place) => row.now[place] - row.before[place];
	const about = row.uncertain ? '~' : '';
	const texts = choice.from === null ? [bytes(live), count(blocks), bytes(alloc), count(allocs)]
		: [signedBytes(less(0)), signedCount(less(1)), signedBytes(less(2)), signedCount(less(3))];
	return ['Live', 'Blocks', 'Allocated', 'Calls'].map((name, i) => [name, about + texts[i]]);
}

const facts = (list) => make('dl', {}, ...list.flatMap(([name, value]) => [make('dt', {}, name),
	make('dd', {}, value)]));

// The function that its line begins with, and what stands around it.
function stackList(model, source) {
	const here = source.where.split(/ < | via /)[0];
	const steps = [...stackOf(model, source)].reverse();
	let isMarked = false;
	return make('ol', { class: 'stack' }, ...steps.map((step) => {
		const isHere = !isMarked && here.startsWith(step.short.replace(/<.*/, ''))
			&& !(step.kind & STEP.library);
		isMarked ||= isHere;
		const place = step.file ? `${step.file}${step.line ? `:${step.line}` : ''}` : step.path;
		const isDim = step.kind & (STEP.library | STEP.wrapper);
		const kind = isHere ? 'here' : isDim ? 'dim' : null;
		return make('li', { class: kind }, step.name, make('small', {}, place));
	}));
}

function processList(model, source) {
	const rows = source.findings.filter((finding) => model.runs.length > 1 && finding.standing >= 0)
		.sort((a, b) => b.rate - a.rate).slice(0, 20);
	const fact = (finding) => [`${finding.run.name} ${finding.run.pid}`,
		`${finding.word}, ${rateText(model, finding)}`];
	return rows.length ? [make('h3', {}, 'By process'), facts(rows.map(fact))] : [];
}

export function detailText(model, source) {
	const stack = [...stackOf(model, source)].reverse()
		.map((step) => `  ${step.name}${step.file ? ` ${step.file}:${step.line}` : ` (${step.module})`}`);
	return [`{${source.id}} ${source.where}`, ...leakFacts(model, source)
		.map(([name, value]) => `${name}: ${value}`), ...stack].join('\n');
}

export function showDetail(model, view) {
	const box = byId('detail');
	const source = model.sources.find((each) => each.key === choice.source);
	document.body.classList.toggle('open', !!source);
	box.hidden = !source;
	if (!source)
		return;
	const row = view.rows.find((each) => each.source === source);
	const isLeak = source.leak?.standing === 0;
	const onclick = () => choose(model, { source: null });
	const over = `Over the whole time${model.isOne ? '' : ', all processes'}`;
	box.replaceChildren(
		make('div', { class: 'title' }, make('h2', { id: 'detail-title' }, source.where.split(' < ')[0]),
			make('button', { type: 'button', onclick }, 'Close')),
		curveSvg(model, source, 380, 90, `big${isLeak ? ' leak' : ''}`),
		facts(momentFacts(row)),
		...(source.verdict ? [make('h3', {}, over), facts(leakFacts(model, source))] : []),
		...(source.thread ? [facts([['Thread', `${source.thread}, ${source.percent}%`]])] : []),
		...processList(model, source),
		make('h3', {}, 'Stack, innermost first'), stackList(model, source),
		make('p', { class: 'name quiet' }, source.kind ? source.key : `{${source.id}}`));
}
