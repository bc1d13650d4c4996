// sources: the table of what holds memory, or has changed, at what is chosen; by source or module.

import { bytes, count, escaped, splitShares, VALUES } from './units.js';
import { STEP, emptyRow, stackOf } from './data.js';
import { choice, choose } from './choice.js';
import { byId, make } from './pen.js';
import { makeFilter, valueOf } from './flame.js';
import { colorOf } from './time.js';
import { curveSvg } from './detail.js';

const FIRST = 30, MORE = 100;
const table = { model: null, most: FIRST, rows: [], columns: [], curves: new Map() };

// The module that a source's memory is asked for by: the innermost that is nobody's library.
function moduleOf(model, source) {
	const steps = stackOf(model, source);
	const own = steps.findLast((step) => !(step.kind & (STEP.library | STEP.wrapper)));
	return (own ?? steps[steps.length - 1]).module || source.key;
}

function addRow(sum, row) {
	row.now.forEach((value, k) => {
		sum.now[k] += value;
		sum.before[k] += row.before[k];
	});
	row.runs.forEach((run) => sum.runs.add(run));
	sum.uncertain ||= row.uncertain;
	sum.rate += row.source.leak?.standing === 0 ? row.source.leak.rate : 0;
	sum.sources++;
	return sum;
}

const sumRow = (name) => ({ ...emptyRow(null), name, rate: 0, sources: 0 });

function groupRows(model, rows) {
	const groups = new Map();
	for (const row of rows) {
		const name = moduleOf(model, row.source);
		groups.set(name, addRow(groups.get(name) ?? sumRow(name), row));
	}
	return [...groups.values()];
}

function verdictCell({ source }) {
	const isLeak = source?.leak?.standing === 0;
	return make('span', { class: isLeak ? 'word leak' : 'word' }, source?.verdict?.word ?? '');
}

// What was seen too short for a rate comes behind what has one.
const rateOf = ({ source, rate }) => source ? source.leak ? source.leak.rate ?? 0 : -1 : rate;

function rateCell(row) {
	if (rateOf(row) <= 0)
		return '';
	const leak = row.source?.leak;
	const between = leak ? `${bytes(leak.low)} - ${bytes(leak.high)}` : null;
	return make('span', { title: between }, bytes(rateOf(row)));
}

function curveCell(model, { source }) {
	const key = `${source?.number} ${choice.by} ${choice.run}`;
	const isLeak = source?.leak?.standing === 0;
	if (!source || source.number < 0)
		return '';
	if (!table.curves.has(key))
		table.curves.set(key, curveSvg(model, source, 96, 22, isLeak ? 'curve leak' : 'curve'));
	return table.curves.get(key);
}

const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

// The largest first, of differences up or down; words from the first on. {other} and {rest} are
// last, and of equal ones their ids decide.
function sortRows(rows, columns) {
	const isReversed = choice.sort.startsWith('-');
	const sorted = columns.find((each) => each.value && each.id === choice.sort.replace('-', ''));
	const value = sorted?.value ?? ((row) => Math.abs(valueOf(row)));
	const order = (isReversed ? -1 : 1) * (sorted?.isText ? 1 : -1);
	const isSum = (row) => row.source && row.source.kind !== 0 ? 1 : 0;
	return rows.sort((a, b) => isSum(a) - isSum(b) || compare(value(a), value(b)) * order
		|| compare(Math.abs(valueOf(b)), Math.abs(valueOf(a))) || compare(a.source?.id, b.source?.id));
}

const column = (id, title, value, text, more = {}) => ({ id, title, value, text, ...more });

const OTHERS = ['live', 'blocks', 'allocs'];

// As `pmem report` has them.
function momentColumns(rows) {
	const { title, place, text } = VALUES[choice.by];
	const sorted = sortRows([...rows], []);
	const shares = splitShares(sorted.map((row) => row.now[place]));
	const shareOf = new Map(sorted.map((row, i) => [row, shares[i]]));
	return [
		column(choice.by, title, (row) => row.now[place], (row) => text(row.now[place])),
		column('share', 'Share', (row) => row.now[place], (row) => shareOf.get(row) ?? ''),
		...OTHERS.filter((name) => name !== choice.by).map((name) => {
			const other = VALUES[name];
			return column(name, other.title, (row) => row.now[other.place],
				(row) => other.text(row.now[other.place]));
		}),
	];
}

// As `pmem diff` has them.
function spanColumns() {
	const { title, place, text } = VALUES[choice.by];
	const about = (row, value) => (row.uncertain ? '~' : '') + value;
	const change = (name) => (row) => row.now[VALUES[name].place] - row.before[VALUES[name].place];
	const changeText = (name) => (row) => about(row, VALUES[name].signed(change(name)(row)));
	return [
		column('growth', title, change(choice.by), changeText(choice.by), { isSigned: true }),
		column('before', 'Before', (row) => row.before[place],
			(row) => about(row, text(row.before[place]))),
		column('after', 'After', (row) => row.now[place], (row) => text(row.now[place])),
		...OTHERS.filter((name) => name !== choice.by)
			.map((name) => column(name, VALUES[name].title, change(name), changeText(name))),
	];
}

function columnsOf(model, rows) {
	const isGroup = choice.group === 'module';
	const nameOf = (row) => row.name ?? row.source.where;
	const isText = { isText: true };
	const hasThreads = !isGroup && model.sources.some((source) => source.thread);
	return [
		column('where', isGroup ? 'Module' : 'Source', nameOf, nameOf, isText),
		isGroup ? column('sources', 'Sources', (row) => row.sources, (row) => count(row.sources))
			: column('verdict', 'Verdict', (row) => row.source?.verdict?.word ?? '~', verdictCell, isText),
		column('rate', model.hasTimes ? 'An hour' : 'A snapshot', rateOf, rateCell),
		...(choice.from === null ? momentColumns(rows) : spanColumns()),
		model.isOne ? null : column('processes', 'Processes', (row) => row.runs.size,
			(row) => row.runs.size ? String(row.runs.size) : ''),
		hasThreads ? column('thread', 'Thread', (row) => row.source?.thread || '~',
			(row) => row.source?.thread ?? '', isText) : null,
		isGroup ? null : column('curve', 'Curve', null, (row) => curveCell(model, row)),
	].filter(Boolean);
}

function headCell(model, { id, title, value, isText }, usual) {
	const isSorted = (choice.sort.replace('-', '') || usual) === id;
	const isReversed = isSorted && choice.sort.startsWith('-');
	const isRising = isReversed !== !!isText;
	const sort = isSorted ? (isRising ? 'ascending' : 'descending') : null;
	const onclick = () => choose(model, { sort: isSorted && !isReversed ? `-${id}` : id });
	const arrow = isSorted ? (isRising ? ' ↑' : ' ↓') : '';
	return make('th', { scope: 'col', class: `${isText ? 'text' : ''} c-${id}`, 'aria-sort': sort },
		value ? make('button', { type: 'button', onclick }, title + arrow) : title);
}

function nameCell(model, row, name) {
	const { source } = row;
	const isChosen = source && source.key === choice.source;
	const onclick = () => choose(model, source ? { source: isChosen ? null : source.key }
		: { search: escaped(row.name), group: 'source' });
	const pressed = source ? String(isChosen) : null;
	return make('td', { class: 'where' }, source && source.number < 0 ? name : make('button',
		{ type: 'button', class: 'link', title: name, 'aria-pressed': pressed, onclick }, name));
}

function bodyCell(model, each, row) {
	if (each.id === 'where')
		return nameCell(model, row, each.text(row));
	const change = each.isSigned ? each.value(row) : 0;
	const way = change > 0 ? 'up' : change < 0 ? 'down' : '';
	return make('td', { class: `${each.isText ? 'text' : way} c-${each.id}` }, each.text(row));
}

function lineOf(model, row) {
	const isChosen = row.source && row.source.key === choice.source;
	const fill = row.source ? colorOf(row.source) : 'transparent';
	return make('tr', { class: isChosen ? 'chosen' : null },
		make('td', {}, make('span', { class: 'dot', color: fill })),
		...table.columns.map((each) => bodyCell(model, each, row)));
}

// Of all lines, those that are not shown, too.
function footOf(rows) {
	const sum = rows.reduce(addRow, sumRow('all'));
	sum.runs.clear();
	sum.rate = 0;
	sum.uncertain = false;
	return make('tr', {}, make('td', {}), ...table.columns.map((each) => make('td',
		{ class: `${each.isText ? 'text' : ''} c-${each.id}` }, each.text(sum))));
}

export function setUpSources(model) {
	table.model = model;
	table.curves.clear();
}

export function showSources(view, changed) {
	const { model } = table;
	if (['search', 'sort', 'group'].some((name) => changed.has(name)))
		table.most = FIRST;
	const filter = makeFilter(model);
	const kept = view.rows.filter((row) => filter(row.source));
	const rows = choice.group === 'module' ? groupRows(model, kept) : kept;
	table.columns = columnsOf(model, choice.group === 'module' ? rows : view.rows);
	table.rows = sortRows(rows, table.columns);
	const shown = table.rows.slice(0, table.most);
	const usual = choice.from === null ? choice.by : 'growth';
	byId('table').replaceChildren(make('table', {},
		make('thead', {}, make('tr', {}, make('td', {}),
			...table.columns.map((each) => headCell(model, each, usual)))),
		make('tbody', {}, ...shown.map((row) => lineOf(model, row))), make('tfoot', {}, footOf(kept))));
	const left = table.rows.length - shown.length;
	const onclick = () => {
		table.most += MORE;
		showSources(view, new Set());
	};
	byId('more').replaceChildren(...(left > 0 ? [
		make('button', { type: 'button', onclick }, `Show ${Math.min(left, MORE)} more`),
		`${count(left)} of ${count(table.rows.length)} are not shown`] : []));
	byId('sources-what').textContent = choice.search
		? `${count(kept.length)} of ${count(view.rows.length)} match "${choice.search}"` : '';
}

// As many lines as are shown, in columns.
export function tableText() {
	const columns = table.columns.filter(({ id }) => id !== 'curve' && id !== 'where');
	const textOf = (content) => content.textContent ?? content;
	const rows = table.rows.slice(0, table.most);
	const lines = [[...columns.map(({ title }) => title), 'Source'],
		...rows.map((row) => [...columns, table.columns[0]].map((each) => textOf(each.text(row))))];
	const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
	const pad = (cell, i) => i < widths.length ? cell.padStart(widths[i]) : cell;
	return lines.map((line) => line.map(pad).join('  ')).join('\n');
}
