// SPDX-License-Identifier: BSD-2-Clause
// flame: draws call stacks as boxes, from main inwards, or inverted, from the allocating function
// outwards. A box is as wide as the sum of its stacks' values. For a difference, it is as wide as
// the sum of changes up and down. Its colour and sign then say which of the two is larger.
import { escaped, percent, VALUES } from './units.js';
import { STEP, stackOf } from './data.js';
import { otherOf } from './view.js';
import { VIEW, choice, choose, isChange } from './choice.js';
import { byId, canvasPen, color, colors, fitText, make, placeTip } from './pen.js';

const ROW = 21, LEAST_WIDTH = 1, SEEN_WIDTH = 10, TEXT_WIDTH = 23, SHADES = 24;
const TEXT = { size: 12, font: 'mono' };
const flame = { model: null, view: null, root: null, top: null, from: 0, to: 1, boxes: [],
	focus: null, hover: null, width: 0, shades: new Map() };

// Returns a stack's steps to show: by default no wrappers and hooks, and recursion as one step.
function shownSteps(model, source) {
	let steps = stackOf(model, source);
	if (!choice.wrappers) {
		const own = steps.filter((step) => !(step.kind & (STEP.wrapper | STEP.hook)));
		steps = own.length ? own : steps;
	}
	if (choice.fold)
		steps = steps.filter((step, i) => i === 0 || step.group !== steps[i - 1].group);
	return choice.inverted ? [...steps].reverse() : steps;
}

export const valueOf = ({ now, before }) => now[VALUES[choice.by].place]
	- (isChange() ? before[VALUES[choice.by].place] : 0);

const makeNode = (parent, step) => ({ parent, step, depth: parent ? parent.depth + 1 : 0, value: 0,
	net: 0, now: 0, before: 0, members: [], steps: [], sorted: null, left: 0, width: 0 });

// Adds a member to a box: a source's row, its value (`amount`), and its steps, set when needed.
function addTo(node, member) {
	const { amount, row } = member;
	node.value += Math.abs(amount);
	node.net += amount;
	node.now += row.now[VALUES[choice.by].place];
	node.before += row.before[VALUES[choice.by].place];
	node.members.push(member);
}

function rootOf(rows) {
	const root = makeNode(null, null);
	rows.map((row) => ({ row, amount: valueOf(row), steps: null }))
		.filter(({ amount }) => amount > 0 || (amount < 0 && isChange()))
		.forEach((member) => addTo(root, member));
	return root;
}

// Returns the boxes below a box, with `left` and `width` as parts of the whole. They are made only
// when they are needed, because most boxes of many sources are too small to be seen.
function childrenOf(node) {
	if (node.sorted)
		return node.sorted;
	const children = new Map();
	for (const member of node.members) {
		const step = (member.steps ??= shownSteps(flame.model, member.row.source))[node.depth];
		if (!step)
			continue;
		let child = children.get(step.group);
		if (!child)
			children.set(step.group, child = makeNode(node, step));
		if (!child.steps.includes(step))
			child.steps.push(step);
		addTo(child, member);
	}
	node.sorted = [...children.values()].sort((a, b) => b.value - a.value
		|| (a.step.name < b.step.name ? -1 : 1));
	let { left } = node;
	for (const child of node.sorted) {
		child.left = left;
		child.width = flame.root.value > 0 ? child.value / flame.root.value : 0;
		left += child.width;
	}
	return node.sorted;
}

const childOf = (node, group) => childrenOf(node).find(({ step }) => step.group === group);
const pathTo = ({ parent, step }) => !parent ? ''
	: (parent.parent ? `${pathTo(parent)}.` : '') + step.group;

function nodeOf(path) {
	let node = flame.root;
	for (const group of path ? path.split('.') : []) {
		const child = childOf(node, Number(group));
		if (!child)
			break;
		node = child;
	}
	return node;
}

// Returns what gives a box its colour: the language, or the module, or '' for a library's function.
const hueOf = ({ kind, module, language }) => choice.languages ? language
	: kind & STEP.library ? '' : module;
const huesOf = (model, source) => source[choice.languages ? 'languages' : 'modules'] ??=
	new Set(stackOf(model, source).map(hueOf).filter(Boolean));

// Gives each module or language a colour, those with the largest sums first.
function chooseShades(model, view) {
	const sums = new Map();
	for (const row of view.rows)
		for (const hue of huesOf(model, row.source))
			sums.set(hue, (sums.get(hue) ?? 0) + Math.abs(valueOf(row)));
	const palette = colors('modules');
	flame.shades = new Map([...sums].sort((a, b) => b[1] - a[1])
		.map(([hue], i) => [hue, palette[Math.min(i, palette.length - 1)]]));
}

// Returns a colour between two colours, which are written with six digits.
function mix(one, other, part) {
	const at = (text, i) => parseInt(text.slice(1 + 2 * i, 3 + 2 * i), 16);
	const mixed = [0, 1, 2].map((i) => Math.round(at(one, i) + (at(other, i) - at(one, i)) * part));
	return `rgb(${mixed.join(' ')})`;
}

const shadesOf = ([soft, strong]) => Array.from({ length: SHADES + 1 },
	(_, i) => mix(soft, strong, i / SHADES));

function fillOf(node, style) {
	if (isChange())
		return (node.net < 0 ? style.shrunk : style.grown)[Math.round(
			Math.min(Math.sqrt(Math.abs(node.net) / flame.root.value) * 1.4, 1) * SHADES)];
	return flame.shades.get(hueOf(node.step)) ?? style.library;
}

// Returns the search as a regular expression. An invalid one is taken as plain text.
const pattern = () => {
	try {
		return choice.search ? new RegExp(choice.search, 'i') : null;
	} catch {
		return new RegExp(escaped(choice.search), 'i');
	}
};

const stepMatches = (expression, step) => expression.test(step.name)
	|| expression.test(step.path) || expression.test(step.file);

// Returns a function that says if the search finds a source, by its stack, id or thread.
export function makeFilter(model) {
	const expression = pattern();
	return (source) => !expression || expression.test(source.key) || expression.test(source.thread)
		|| stackOf(model, source).some((step) => stepMatches(expression, step));
}

const labelOf = ({ step, net }) => isChange() ? `${step.short} ${VALUES[choice.by].signed(net)}`
	: step.short;

// Returns the boxes of the chosen source, or of all members of the chosen module.
function chosenNodes() {
	const { sources, byKey } = flame.model, nodes = new Set();
	for (const member of byKey.get(choice.source)?.members ?? []) {
		let node = flame.root;
		for (const { group } of shownSteps(flame.model, sources[member])) {
			node = childOf(node, group);
			if (!node || node.width / flame.top.width * flame.width < LEAST_WIDTH)
				break;
			nodes.add(node);
		}
	}
	return nodes;
}

function drawBox(pen, node, style, y, x, width) {
	const isDim = node.depth <= flame.top.depth && node !== flame.top;
	const isFound = style.search && node.steps.some((step) => stepMatches(style.search, step));
	pen.rect(x, y, Math.max(width - 1, LEAST_WIDTH), ROW - 1, isFound ? style.mark : isDim
		? style.library : fillOf(node, style));
	const text = width < TEXT_WIDTH ? ''
		: fitText(labelOf(node), Math.floor((width - 9) / style.letter));
	if (text)
		pen.text(x + 5, y + 14.5, text, { ...TEXT, fill: isFound ? style.card : style.on });
	if (flame.chosen.has(node) && width > 2)
		pen.rect(x, y + ROW - 3, Math.max(width - 1, 1), 2, style.accent);
	if (node === flame.focus)
		pen.frame(x, y, Math.max(width - 1, 3), ROW - 1, style.ink);
}

// Draws visible boxes, and adds them to `boxes`. Those on the path to the zoom have full width.
export function drawFlame(pen, width, boxes = []) {
	const style = { grown: shadesOf(colors('grown')), shrunk: shadesOf(colors('shrunk')),
		search: pattern(), letter: pen.measure('m', TEXT) };
	for (const name of ['library', 'mark', 'on', 'card', 'ink', 'accent'])
		style[name] = color(name);
	const { from, to } = flame, scale = width / (to - from);
	const draw = (node) => {
		const x = Math.max((node.left - from) * scale, 0);
		const end = Math.min((node.left + node.width - from) * scale, width);
		if (end - x < LEAST_WIDTH && node.depth > 0)
			return;
		if (node.depth > 0) {
			const y = (node.depth - 1) * ROW;
			drawBox(pen, node, style, y, x, end - x);
			boxes.push({ node, x, y, width: end - x });
		}
		childrenOf(node).forEach(draw);
	};
	draw(flame.root);
}

// Returns how many rows are needed to show all boxes that are wide enough to be seen well.
function heightOf(node) {
	let rows = node.depth;
	for (const child of childrenOf(node))
		if (child.width / (flame.top.width || 1) * flame.width >= SEEN_WIDTH)
			rows = Math.max(rows, heightOf(child));
	return rows;
}

export const flameHeight = () => Math.max(heightOf(flame.top), 1) * ROW + 1;

function paint() {
	const canvas = byId('flames-base');
	flame.boxes = [];
	const pen = canvasPen(canvas, flame.width, flame.height);
	drawFlame(pen, flame.width, flame.boxes);
	if (!flame.boxes.length)
		pen.text(0, 20, otherOf(choice) ? 'There is no difference.' : isChange()
			? 'Nothing has changed in this span.' : 'Nothing is held at this moment.',
		{ fill: color('soft'), size: 13 });
}

// Moves the view to another part of the whole, with a short animation unless isQuick.
function moveTo(from, to, isQuick) {
	const start = performance.now(), before = [flame.from, flame.to];
	const isStill = isQuick || matchMedia('(prefers-reduced-motion: reduce)').matches;
	const id = flame.moving = (flame.moving ?? 0) + 1;
	const frame = (now) => {
		const part = isStill ? 1 : Math.min((now - start) / 170, 1);
		const eased = 1 - (1 - part) ** 3;
		if (id !== flame.moving)
			return;
		flame.from = before[0] + (from - before[0]) * eased;
		flame.to = before[1] + (to - before[1]) * eased;
		paint();
		if (part < 1)
			requestAnimationFrame(frame);
	};
	frame(isStill ? start : performance.now());
}

// Returns the numbers of a box, or of what the search has found, as a sentence.
function sentenceOf({ value, net, now, before, members: { length: rows } }) {
	const { text, signed } = VALUES[choice.by], isOther = otherOf(choice) !== null;
	const side = choice.from !== null && isOther ? signed : text;
	const sides = isOther ? `${side(now)}, not ${side(before)}` : `${side(before)} to ${side(now)}`;
	const amount = isChange() ? `${signed(net)}: ${sides}` : text(net);
	return `${amount}, ${percent(value, flame.root.value)} in ${rows} source${rows === 1 ? '' : 's'}`;
}

const placesOf = (node) => [...new Set(node.steps.filter((step) => step.file)
	.map((step) => `${step.file}:${step.line}`))];

function showTip(event) {
	const tip = byId('flame-tip'), node = flame.hover, places = node ? placesOf(node) : [];
	tip.hidden = !node;
	if (!node)
		return;
	tip.replaceChildren(make('b', {}, node.step.name), make('div', {}, sentenceOf(node)),
		make('div', { class: 'quiet' }, places.slice(0, 3).join(', ') + (places.length > 3
			? ` and ${places.length - 3} more` : '')),
		make('div', { class: 'quiet' }, node.step.path));
	const area = byId('flames').getBoundingClientRect(), y = event.clientY - area.top;
	const isAbove = y + 18 + tip.offsetHeight > area.height && y > tip.offsetHeight + 18;
	placeTip(tip, flame.width, event.clientX - area.left,
		isAbove ? y - tip.offsetHeight - 12 : y + 18);
}

function tellFocus() {
	const node = flame.focus;
	byId('flame-at').textContent = node
		? `${node.step.name}: ${sentenceOf(node)}. ${placesOf(node)[0] ?? node.step.path}` : '';
}

// Zooms to a box. If the box has only one source, that source is chosen, too.
function zoomTo(node) {
	const { source } = node.members[0].row, isOne = node.members.length === 1 && source.number >= 0;
	choose({ zoom: pathTo(node), ...(isOne ? { source: source.key } : {}) });
}

const boxAt = (event) => {
	const area = byId('flames').getBoundingClientRect();
	const x = event.clientX - area.left, y = event.clientY - area.top;
	return flame.boxes.find((box) => x >= box.x && x < box.x + box.width && y >= box.y
		&& y < box.y + ROW)?.node ?? null;
};

function neighbour(node, key) {
	const siblings = node.parent ? childrenOf(node.parent) : [node];
	const at = siblings.indexOf(node);
	return { ArrowUp: node.depth > 1 ? node.parent : node, ArrowDown: childrenOf(node)[0] ?? node,
		ArrowLeft: siblings[at - 1] ?? node, ArrowRight: siblings[at + 1] ?? node }[key];
}

function onKey(event) {
	if (event.key === 'Enter' && flame.focus) {
		event.preventDefault();
		return zoomTo(flame.focus);
	}
	if (!event.key.startsWith('Arrow'))
		return;
	event.preventDefault();
	event.stopPropagation();
	const first = flame.top.depth ? flame.top : childrenOf(flame.root)[0];
	flame.focus = flame.focus ? neighbour(flame.focus, event.key) : first ?? null;
	paint();
	tellFocus();
}

export function listenFlame() {
	const area = byId('flames');
	for (const type of ['pointermove', 'pointerleave'])
		area.addEventListener(type, (event) => {
			flame.hover = type === 'pointermove' ? boxAt(event) : null;
			area.style.cursor = flame.hover ? 'pointer' : '';
			showTip(event);
		});
	area.addEventListener('click', (event) => {
		const node = boxAt(event);
		if (node)
			zoomTo(node === flame.top && node.parent ? node.parent : node);
	});
	area.addEventListener('keydown', onKey);
	area.addEventListener('blur', () => {
		flame.focus = null;
		paint();
		tellFocus();
	});
	byId('unzoom').addEventListener('click', () => choose({ zoom: '' }));
	// A change of the height alone comes from a zoom, whose animation must go on.
	new ResizeObserver(([{ contentRect: { width } }]) => {
		if (Math.round(width) === flame.width)
			return;
		flame.width = Math.round(width);
		showFlame(flame.model, flame.view, new Set(['size']));
	}).observe(area);
}

function showModules() {
	const list = byId('modules');
	const item = (fill, name) => make('li', {}, make('span', { class: 'dot', color: fill }), name);
	const nameOf = (hue, i) => i === 7 && flame.shades.size > 8 ? 'others' : hue;
	const shades = [...flame.shades].slice(0, 8).map(([hue, fill], i) => item(fill, nameOf(hue, i)));
	const [more, less] = otherOf(choice) ? ['more (+)', 'less (-)'] : ['grew (+)', 'shrank (-)'];
	list.replaceChildren(...(isChange()
		? [item(colors('grown')[1], more), item(colors('shrunk')[1], less)]
		: [...shades, item(color('library'), choice.languages ? 'not known'
			: 'C library, allocator, runtime')]));
}

function showFound(view) {
	const filter = makeFilter(flame.model), sum = makeNode(null, null);
	for (const row of view.rows.filter(({ source }) => choice.search && filter(source)))
		addTo(sum, { row, amount: valueOf(row) });
	byId('found').textContent = choice.search ? sentenceOf(sum) : '';
}

export function showFlame(model, view, changed) {
	const what = (...names) => names.some((name) => changed.has(name));
	flame.width ||= byId('flames').clientWidth; // reading clientWidth makes the browser lay out
	flame.view = view;
	const isNew = what(...VIEW, 'by', 'inverted', 'wrappers', 'fold');
	flame.model = model;
	if (isNew) {
		flame.root = rootOf(view.rows);
		flame.root.width = 1;
		flame.focus = null;
	}
	if (isNew || what('theme', 'languages'))
		chooseShades(flame.model, view);
	flame.top = nodeOf(choice.zoom);
	flame.chosen = chosenNodes();
	flame.height = flameHeight();
	moveTo(flame.top.left, flame.top.left + (flame.top.width || 1), isNew || !what('zoom'));
	byId('unzoom').hidden = !flame.top.parent;
	showModules();
	showFound(view);
	tellFocus();
}
