// SPDX-License-Identifier: BSD-2-Clause
// detail: shows everything that is known of the chosen source.
import { count, VALUES } from './units.js';
import { STEP, leaks, runName, stackOf } from './data.js';
import { curveOf, groupRows } from './view.js';
import { choice, choose, isChange, sourceButton, term, whereOf } from './choice.js';
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

const facts = (list) => make('dl', {}, ...list.flatMap(([name, value]) =>
	[make('dt', {}, term(name)), make('dd', {}, term(value))]));

// Returns the stack, innermost first. It opens at the program's line: what that line called is
// folded, and so is what is inside libraries.
function stackList(model, source) {
	const steps = stackOf(model, source), parts = [];
	for (let i = steps.length - 1; i >= 0; i--) {
		const { name, file, line, path, kind } = steps[i];
		const isFolded = i > source.here || (i < source.here
			&& (!!(kind & (STEP.library | STEP.wrapper)) || /^(std|__gnu_cxx)::/.test(name)));
		if (parts.at(-1)?.isFolded !== isFolded)
			parts.push({ isFolded, isInner: i > source.here, items: [] });
		const look = i === source.here ? 'here' : isFolded ? 'dim' : null;
		parts.at(-1).items.push(make('li', { class: look }, name,
			make('small', {}, file ? `${file}${line ? `:${line}` : ''}` : path)));
	}
	return parts.map(({ isFolded, isInner, items }) => {
		const list = make('ol', { class: 'stack' }, ...items);
		return !isFolded ? list : make('details', {}, make('summary', { class: 'quiet' },
			`${items.length} ${isInner ? 'that it called' : 'inside libraries'}`), list);
	});
}

const processList = ({ findings }) => findings.slice(0, 20).flatMap(({ run, facts: list }) =>
	[make('h3', {}, runName(run)), facts(list)]);

export function showDetail(model, view) {
	const box = byId('detail'), source = model.byKey.get(choice.source);
	document.body.classList.toggle('open', !!source);
	box.hidden = !source;
	if (!source)
		return;
	const part = source.isModule ? 'module' : source.isGroup ? 'line' : 'source';
	const row = groupRows(view.rows, part).find((each) => each.source === source);
	const inside = source.members.map((member) => model.sources[member])
		.sort((a, b) => b.peak - a.peak).slice(0, 20);
	box.replaceChildren(
		make('div', { class: 'title' }, make('h2', { id: 'detail-title' }, ...whereOf(source)),
			make('button', { type: 'button', onclick: () => choose({ source: null }) }, 'Close')),
		curveSvg(model, source, 380, 90, `big${leaks(source) ? ' leak' : ''}`),
		row ? facts(momentFacts(row)) : '',
		make('h3', {}, `Over the whole time${model.isOne ? '' : ', all processes'}`), facts(source.facts),
		...processList(source),
		...(source.isModule ? [] : [make('h3', {}, 'Stack, innermost first'),
			...stackList(model, source),
			make('p', { class: 'name quiet' }, source.kind ? source.key : `{${source.id}}`)]),
		...(source.isGroup ? [make('h3', {}, `Largest of ${count(source.members.length)} `
			+ (source.isModule ? 'sources' : 'stacks of this line')), make('ol', { class: 'members' },
			...inside.map((each) => make('li', {}, sourceButton(each))))] : []));
}
