// SPDX-License-Identifier: BSD-2-Clause
// sources: the table of what holds memory, or has changed, by source or by module.
import { bytes, count, splitShares, VALUES } from './units.js';
import { addRow, emptyRow, groupRows, otherOf } from './view.js';
import { leaks } from './data.js';
import { choice, choose, isChange, sourceButton, term } from './choice.js';
import { byId, make } from './pen.js';
import { makeFilter, valueOf } from './flame.js';
import { colorOf } from './chart.js';
import { curveSvg } from './detail.js';
const FIRST = 30, MORE = 100;
const GROUPS = { line: 'Line', source: 'Source', module: 'Module' };
const table = { most: FIRST, rows: [], columns: [], curves: new Map() };
const verdictCell = ({ source }) => make('span', { class: leaks(source) ? 'word leak' : 'word' },
	term(source?.word ?? ''));

// Leaks seen too short for a rate come behind leaks with one, and before what does not leak.
const rateOf = ({ source }) => source?.leak ? source.leak.rate ?? 0 : -1;

function rateCell(row) {
	if (rateOf(row) <= 0)
		return '';
	const { low, high } = row.source.leak; // a module has no interval
	return make('span', { title: high ? `${bytes(low)} - ${bytes(high)}` : null }, bytes(rateOf(row)));
}

function curveCell(model, row) {
	const { source } = row, key = `${source?.key} ${choice.by} ${choice.run}`;
	if (!source?.members.length)
		return '';
	if (!table.curves.has(key))
		table.curves.set(key, curveSvg(model, source, 96, 22, leaks(source) ? 'curve leak' : 'curve'));
	return table.curves.get(key);
}

const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

// Sorts by the chosen column: largest numbers first, words by the alphabet. Equal rows are sorted
// by the size of valueOf(), whatever its sign, then by id. {other} and {rest} come last.
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

// Returns the value with a `~` if it is an estimate, or if the log does not prove it.
const about = (model, row, value, isSure) => (model.isSampled || !isSure ? '~' : '') + value;
const errorColumn = (model) => model.isSampled && choice.by === 'live' ? [column('error', 'Error',
	(row) => row.variance, (row) => bytes(Math.sqrt(row.variance)))] : [];

// Returns the columns of `pmem report`, or if differences are shown, those of `pmem diff`.
function valueColumns(model, rows) {
	const isDifference = isChange(), isOther = otherOf(choice) !== null;
	const { title, place, text, signed } = VALUES[choice.by];
	const columnOf = (id, name, words, more) => {
		const { place: at, text: plain, signed: withSign } = VALUES[name];
		const value = (row) => row.now[at] - (isDifference ? row.before[at] : 0);
		return column(id, words, value, (row) => about(model, row, (isDifference ? withSign : plain)(
			value(row)), !isDifference || !row.uncertain[at]), more);
	};
	const sideOf = (id, words, side) => column(id, words, (row) => row[side][place],
		(row) => (isOther && choice.from !== null ? signed : text)(row[side][place]));
	const sorted = sortRows([...rows], []);
	const shares = splitShares(sorted.map((row) => row.now[place]));
	const shareOf = new Map(sorted.map((row, i) => [row, shares[i]]));
	return [
		columnOf(isDifference ? 'growth' : choice.by, choice.by, isOther ? `${title}, difference` : title,
			{ isSigned: isDifference }), ...errorColumn(model),
		...(isDifference ? [sideOf('before', isOther ? 'Other' : 'Before', 'before'),
			sideOf('after', isOther ? 'Chosen' : 'After', 'now')]
			: [column('share', 'Share', (row) => row.now[place], (row) => shareOf.get(row) ?? '')]),
		...OTHERS.filter((name) => name !== choice.by).map((name) => columnOf(name, name,
			VALUES[name].title)),
	];
}

function columnsOf(model, rows) {
	const isGroup = choice.group !== 'source';
	const nameOf = (row) => row.source?.where ?? 'all';
	const isText = { isText: true };
	const hasThreads = choice.group !== 'module' && model.sources.some((source) => source.thread);
	return [
		column('where', GROUPS[choice.group], nameOf, nameOf, isText),
		isGroup ? column('sources', 'Stacks', (row) => row.sources, (row) => count(row.sources)) : null,
		column('verdict', 'Verdict', (row) => row.source?.word || '~', verdictCell, isText),
		column('rate', model.hasTimes ? 'An hour' : 'A snapshot', rateOf, rateCell),
		...valueColumns(model, rows),
		model.isOne ? null : column('processes', 'Processes', (row) => row.runs.size,
			(row) => row.source && row.runs.size ? String(row.runs.size) : ''),
		hasThreads ? column('thread', 'Thread', (row) => row.source?.thread || '~',
			(row) => row.source?.thread ?? '', isText) : null,
		model.data.are_jobs ? null : column('curve', 'Curve', null, (row) => curveCell(model, row)),
	].filter(Boolean);
}

function headCell({ id, title, value, isText }, usual) {
	const isSorted = (choice.sort.replace('-', '') || usual) === id;
	const isReversed = isSorted && choice.sort.startsWith('-');
	const isRising = isReversed !== !!isText;
	const sort = isSorted ? (isRising ? 'ascending' : 'descending') : null;
	const onclick = () => choose({ sort: isSorted && !isReversed ? `-${id}` : id });
	const arrow = isSorted ? (isRising ? ' ↑' : ' ↓') : '';
	return make('th', { scope: 'col', class: `${isText ? 'text' : ''} c-${id}`, 'aria-sort': sort },
		value ? make('button', { type: 'button', onclick }, title + arrow) : title);
}

function bodyCell(each, row) {
	if (each.id === 'where')
		return make('td', { class: 'where' }, row.source.members.length ? sourceButton(row.source)
			: row.source.where);
	const change = each.isSigned ? each.value(row) : 0;
	const way = change > 0 ? 'up' : change < 0 ? 'down' : '', text = each.text(row);
	const cell = make('td', { class: `${each.isText ? 'text' : way} c-${each.id}` }, text);
	if (each.id === 'share')
		cell.style.backgroundSize = `${text} 78%`;
	return cell;
}

function lineOf(row) {
	return make('tr', { class: row.source.key === choice.source ? 'chosen' : null },
		make('td', {}, make('span', { class: 'dot', color: colorOf(row.source) })),
		...table.columns.map((each) => bodyCell(each, row)));
}

// Returns the sum of all rows, including those that are not shown.
function footOf(rows) {
	const sum = rows.reduce(addRow, { ...emptyRow(null), sources: 0 });
	sum.uncertain.fill(false);
	return make('tr', {}, make('td', {}), ...table.columns.map((each) => make('td',
		{ class: `${each.isText ? 'text' : ''} c-${each.id}` }, each.text(sum))));
}

export function showSources(model, view, changed) {
	if (changed.has('model'))
		table.curves.clear();
	if (['search', 'sort', 'group'].some((name) => changed.has(name)))
		table.most = FIRST;
	const filter = makeFilter(model);
	const kept = view.rows.filter((row) => filter(row.source));
	const rows = groupRows(kept, choice.group);
	table.columns = columnsOf(model, choice.group === 'source' ? view.rows : rows);
	table.rows = sortRows(rows, table.columns);
	const shown = table.rows.slice(0, table.most);
	const usual = isChange() ? 'growth' : choice.by;
	byId('table').replaceChildren(make('table', {},
		make('thead', {}, make('tr', {}, make('td', {}),
			...table.columns.map((each) => headCell(each, usual)))),
		make('tbody', {}, ...shown.map(lineOf)), make('tfoot', {}, footOf(kept))));
	const left = table.rows.length - shown.length;
	const onclick = () => {
		table.most += MORE;
		showSources(model, view, new Set());
	};
	byId('more').replaceChildren(...(left > 0 ? [
		make('button', { type: 'button', onclick }, `Show ${Math.min(left, MORE)} more`),
		`${count(left)} of ${count(table.rows.length)} are not shown`] : []));
	byId('sources-what').textContent = choice.search
		? `${count(kept.length)} of ${count(view.rows.length)} match "${choice.search}"` : '';
}
