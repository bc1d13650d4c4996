// SPDX-License-Identifier: BSD-2-Clause
// detail: shows everything that is known of the chosen source.

import { count, VALUES } from './units.js';
import { STEP, runName, stackOf } from './data.js';
import { curveOf, groupRows } from './view.js';
import { choice, choose, isChange, sourceButton } from './choice.js';
import { byId, make, pathOf } from './pen.js';

// Returns a curve of the source in a box of this size. In a high box, its area is filled.
export function curveSvg(model, source, width, height, className) {
	const curve = curveOf(model, source, VALUES[choice.by].place, choice.run);
	const { axis } = model;
	const first = axis[0].time, length = axis[axis.length - 1].time - first || 1;
	const most = curve.reduce((all, value) => value > all ? value : all, 1);
	const points = [];
	curve.forEach((value, at) => {
		if (Number.isNaN(value))
			return;
		if (!model.isOne && points.length)
			points.push((axis[at].time - first) / length * width, points.at(-1)); // a step
		points.push((axis[at].time - first) / length * width, height - 2 - value / most * (height - 4));
	});
	const end = points[points.length - 2] ?? 0;
	const svg = make('svg', { class: className, viewBox: `0 0 ${width} ${height}`,
		preserveAspectRatio: 'none', 'aria-hidden': 'true' });
	if (points.length && height > 40)
		svg.append(make('path',
			{ class: 'fill', d: `${pathOf([points[0], height, ...points, end, height])}Z` }));
	svg.append(make('path', { class: 'curve-line', d: points.length ? pathOf(points) : 'M0 0' }));
	return svg;
}

function momentFacts({ now, before, uncertain }) {
	return Object.values(VALUES).map(({ title, place, text, signed }) => [title, isChange()
		? (uncertain[place] ? '~' : '') + signed(now[place] - before[place]) : text(now[place])]);
}

const facts = (list) => make('dl', {}, ...list.flatMap(([name, value]) => [make('dt', {}, name),
	make('dd', {}, value)]));

// Returns the stack as a list, innermost first. Marks the step with which the source's text begins.
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

const processList = ({ findings }) => findings.slice(0, 20).flatMap(({ run, facts: list }) =>
	[make('h3', {}, runName(run)), facts(list)]);

export function showDetail(model, view) {
	const box = byId('detail'), source = model.byKey.get(choice.source);
	document.body.classList.toggle('open', !!source);
	box.hidden = !source;
	if (!source)
		return;
	const row = (source.isModule ? groupRows(view.rows) : view.rows)
		.find((each) => each.source === source);
	const inside = source.members.map((member) => model.sources[member])
		.sort((a, b) => b.peak - a.peak).slice(0, 20);
	box.replaceChildren(
		make('div', { class: 'title' }, make('h2', { id: 'detail-title' }, source.where.split(' < ')[0]),
			make('button', { type: 'button', onclick: () => choose({ source: null }) }, 'Close')),
		curveSvg(model, source, 380, 90, `big${source.leak?.standing === 0 ? ' leak' : ''}`),
		row ? facts(momentFacts(row)) : '',
		make('h3', {}, `Over the whole time${model.isOne ? '' : ', all processes'}`), facts(source.facts),
		...processList(source),
		make('h3', {}, source.isModule ? `Largest of ${count(source.members.length)} sources`
			: 'Stack, innermost first'),
		...(source.isModule ? [make('ol', { class: 'stack' },
			...inside.map((each) => make('li', {}, sourceButton(each))))] : [stackList(model, source),
			make('p', { class: 'name quiet' }, source.kind ? source.key : `{${source.id}}`)]));
}
