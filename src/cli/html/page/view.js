// SPDX-License-Identifier: BSD-2-Clause
// view: computes what sources have at a moment, in a span, in two compared choices, and over time.
// Adds up in the order of rows/profile.c and rows/pair.c: uncertain numbers are the same, too.

export const LAST = -1; // each process's last snapshot, as `pmem report` without --at
const COUNTS = ['live', 'blocks', 'alloc', 'allocs'];

// Returns the index of a series' change that is valid at a moment, or -1 if there is none yet.
function changeAt({ start, at }, number, moment) {
	let change = start[number + 1] - 1;
	while (change >= start[number] && at[change] > moment)
		change--;
	return change < start[number] ? -1 : change;
}

// Returns the runs that count at a moment: of each log the run that had written last. A run that
// had ended does not count, except at LAST. `place` is the index of the run's own moment.
export function runsAt(model, at, only) {
	const chosen = new Map();
	for (const run of model.runs) {
		const count = run.moments.number.length;
		const place = at === LAST ? count - 1 : run.places[at];
		if (place < 0 || (only !== null && run.number !== only))
			continue;
		const before = chosen.get(run.log);
		if (!before || run.moments.order[place] > before.run.moments.order[before.place])
			chosen.set(run.log, { run, place });
	}
	const isGone = ({ run, place }) => !model.isOne && at !== LAST && run.ended
		&& place === run.moments.number.length - 1 && run.moments.time[place] < model.axis[at].time;
	return [...chosen.values()].filter((each) => !isGone(each));
}

// Returns true if memory from before a fork counts elsewhere (rows/shared_after_fork.c).
function isCountedElsewhere({ run, place }, present) {
	const inherited = (each) => each.run.moments.inherited_live?.[each.place] ?? 0;
	const isSameHost = (other) => other.pidns === run.pidns && other.host === run.host;
	if (!run.parent)
		return false;
	return present.some((other, number) => other.run !== run && isSameHost(other.run)
		&& ((other.run.pid === run.parent && other.run.start <= run.start)
			|| (other.run.parent === run.parent && (inherited(other) > inherited({ run, place })
				|| (inherited(other) === inherited({ run, place })
					&& number < present.findIndex((each) => each.run === run))))));
}

const totalOf = ({ moments }, place, isLess) => COUNTS.map((name) => place < 0 ? 0
	: moments[name][place] - (isLess ? moments[`inherited_${name}`]?.[place] ?? 0 : 0));

const plus = (a, b, sign = 1) => {
	for (let k = 0; k < 4; k++)
		a[k] += sign * b[k];
};
const minus = (a, b) => plus(a, b, -1);

// Returns the variance that sampling causes in live bytes, as log/certainty.c does.
function varianceOf({ sampled }, bytes, blocks) {
	if (!sampled || bytes <= 0 || blocks <= 0)
		return 0;
	const x = Math.min(bytes / blocks / sampled, 1.5936);
	return blocks * sampled * sampled * x * x / Math.expm1(x);
}

// Returns the variance of a change: that of what was allocated, plus that of what was freed.
function varianceOfChange(run, before, now) {
	const of = (had, has, bytes, calls) => varianceOf(run, Math.min(had, bytes), Math.min(has, calls));
	const [live, blocks, alloc, allocs] = now.map((value, k) => value - before[k]);
	return of(now[0], now[1], alloc, allocs) + of(before[0], before[1], alloc - live, allocs - blocks);
}

// Adds the sources of one run to the rows, as add_run() in rows/profile.c does. `from` is the
// earlier moment. It is -1 for the process's beginning.
function addRun(view, run, place, from, isLess) {
	const { all } = run, number = all.source.length;
	const variance = (had, has) => view.isSpan ? varianceOfChange(run, had, has)
		: varianceOf(run, has[0], has[1]);
	const now = totalOf(run, place, isLess), before = totalOf(run, from, isLess);
	const restNow = [...now], restBefore = [...before];
	const change = new Int32Array(number), base = new Int32Array(number);
	const others = totalOf(run, place, false), gone = [0, 0, 0, 0];
	const countsOf = (at) => [0, 1, 2, 3].map((k) => at < 0 ? 0 : all.counts[at * 4 + k]);
	const isTold = (at) => at >= 0 && all.told[at] === 1;
	const isExact = (i) => from < 0 || run.seeds || base[i] < 0 || all.told[base[i]] === 1;
	for (let i = 0; i < number; i++) {
		change[i] = changeAt(all, i, place);
		base[i] = from < 0 ? -1 : changeAt(all, i, from);
		if (change[i] < 0 && !run.seeds)
			view.row(all.source[i]); // the row is added because the source is known to have nothing
		if (isTold(change[i]))
			minus(others, countsOf(change[i]));
	}
	const goneRows = [];
	if (from >= 0 && others[0] === 0 && others[1] === 0)
		for (let i = 0; i < number; i++)
			if (!isTold(change[i]) && change[i] >= 0 && isExact(i) && countsOf(base[i])[1] > 0) {
				plus(gone, countsOf(base[i]));
				goneRows.push([all.source[i], countsOf(base[i])]);
			}
	for (const exact of [true, false]) {
		if (!exact)
			minus(restBefore, gone);
		const together = [...restBefore];
		for (let i = 0; i < number; i++) {
			if (!isTold(change[i]) || isExact(i) !== exact)
				continue;
			const row = view.row(all.source[i]), had = countsOf(base[i]);
			if (!exact) {
				row.uncertain.fill(row.source.kind === 0);
				had.forEach((value, k) => { had[k] = Math.min(value, (k < 2 ? restBefore : together)[k]); });
			}
			plus(row.now, countsOf(change[i]));
			plus(row.before, had);
			row.variance += variance(had, countsOf(change[i]));
			minus(restNow, countsOf(change[i]));
			minus(restBefore, had);
			row.runs.add(run.number);
		}
	}
	plus(restBefore, gone);
	plus(view.total.now, now);
	plus(view.total.before, before);
	plus(view.rest.now, restNow);
	plus(view.rest.before, restBefore);
	view.rest.variance += variance(restBefore, restNow);
	// Sources that certainly have nothing any more get rows, taken out of {rest} (pair_of_one()).
	for (const [source, counts] of view.isDifference ? goneRows : []) {
		const row = view.row(source);
		plus(row.before, counts);
		plus(row.now, [0, 0, counts[2], counts[3]]);
		row.uncertain.fill(true, 2);
		minus(view.rest.before, counts);
		minus(view.rest.now, [0, 0, counts[2], counts[3]]);
	}
}

const isNothing = ({ now, before }) => [...now, ...before].every((each) => each === 0);
export const emptyRow = (source) => ({ source, now: [0, 0, 0, 0], before: [0, 0, 0, 0],
	uncertain: [false, false, false, false], variance: 0, runs: new Set(), sources: 1 });

const emptyView = (model, more) => ({ total: emptyRow(null), rest: emptyRow(model.rest), ...more });

function viewOfOne(model, { at, from, run }) {
	const rows = new Map(), present = runsAt(model, at, run);
	const earlier = from === null ? [] : runsAt(model, from, run);
	const view = emptyView(model, {
		isDifference: from !== null && model.isOne, isSpan: from !== null,
		isSeeds: present.some((each) => each.run.seeds),
		row: (number) => {
			if (!rows.has(number))
				rows.set(number, emptyRow(model.sources[number]));
			return rows.get(number);
		},
	});
	for (const each of present) {
		const base = earlier.find((other) => other.run === each.run);
		addRun(view, each.run, each.place, base ? base.place : -1, isCountedElsewhere(each, present));
	}
	view.rows = [...rows.values(), view.rest];
	return view;
}

// Returns two choices side by side, as pair_of_two() in rows/pair.c: row.before is from the choice
// `before`, row.now from `now`. If both are spans, each value is the row's change in that span.
function pairOf(model, before, now) {
	const rows = new Map(), isSpans = before.isSpan && now.isSpan;
	const valueOf = (row) => isSpans ? row.now.map((value, k) => value - row.before[k]) : row.now;
	const view = emptyView(model, {});
	for (const [side, of] of [['before', before], ['now', now]]) {
		view.total[side] = valueOf(of.total);
		for (const row of of.rows) {
			const into = rows.get(row.source) ?? { ...emptyRow(row.source), sides: new Set() };
			rows.set(row.source, into);
			into[side] = valueOf(row);
			into.sides.add(side);
			into.variance += row.variance;
			row.runs.forEach((run) => into.runs.add(run));
			row.uncertain.forEach((is, k) => { into.uncertain[k] ||= is && isSpans; });
		}
	}
	for (const row of rows.values())
		for (const [side, of] of [['before', before], ['now', now]])
			if (row.source.kind === 0 && !row.sides.has(side))
				row.uncertain = valueOf(of.rest).map((value, k) => row.uncertain[k] || value !== 0
					|| before.isSeeds || now.isSeeds);
	view.rows = [...rows.values()];
	return view;
}

export const isPinned = ({ vsAt = null, vsRun = null }) => vsAt !== null || vsRun !== null;

// Returns the choice that the present choice is compared with. If only a process was chosen to
// compare with, the other choice has the present moments.
const pinnedOf = ({ at, from, vsAt = null, vsFrom = null, vsRun = null }) =>
	({ at: vsAt ?? at, from: vsAt === null ? from : vsFrom, run: vsRun });

// Returns the same, or null if nothing is compared, or a choice would be compared with itself.
export function otherOf(choice) {
	const other = pinnedOf(choice);
	return isPinned(choice) && ['at', 'from', 'run'].some((name) => other[name] !== choice[name])
		? other : null;
}

// Returns rows {source, now, before, uncertain, runs}, which add up to the total. `before` is of
// the span's first moment, or of the other choice. Rows with only zeros are left out.
export function viewOf(model, choice) {
	const one = viewOfOne(model, choice), view = isPinned(choice)
		? pairOf(model, viewOfOne(model, pinnedOf(choice)), one) : one;
	view.rows = view.rows.filter((row) => !isNothing(row));
	return view;
}

// Returns a value of a source, or a group's sum, at each of a run's moments. NaN means not proven.
// In a group's sum such values count as 0: they are in {rest}.
function columnOf(run, source, place) {
	const { start, at, told, counts } = run.all;
	const column = new Float64Array(run.moments.number.length);
	for (const i of source.members.flatMap((member) => run.all.bySource.get(member) ?? []))
		for (let change = start[i]; change < start[i + 1]; change++) {
			const end = change + 1 < start[i + 1] ? at[change + 1] : column.length;
			const value = told[change] ? counts[change * 4 + place] : source.isGroup ? 0 : NaN;
			for (let moment = at[change]; moment < end; moment++)
				column[moment] += value;
		}
	return column;
}

// Returns the value of columnOf() at each of the page's moments, of one process or summed over all.
export function curveOf(model, source, place, only = null) {
	const columns = model.runs.map((run) => only === null || run.number === only
		? columnOf(run, source, place) : null);
	return Float64Array.from(model.axis, (_, at) => runsAtCached(model, at, only)
		.reduce((sum, { run, place: moment }) => sum + columns[run.number][moment], 0));
}

export function runsAtCached(model, at, only) {
	model.present ??= new Map();
	if (!model.present.has(only))
		model.present.set(only, model.axis.map((_, i) => runsAt(model, i, only)));
	return model.present.get(only)[at];
}

// Returns the total of all runs that count at a moment.
export function totalAt(model, at, only) {
	const total = [0, 0, 0, 0], present = runsAt(model, at, only);
	for (const each of present)
		plus(total, totalOf(each.run, each.place, isCountedElsewhere(each, present)));
	return total;
}

// Returns the index of the largest value.
export const largestAt = (values) =>
	values.reduce((best, value, at) => value > values[best] ? at : best, 0);

// Returns the totals at each of the page's moments: live, blocks, alloc, allocs, rss, mapped, and
// the least and the most live since the moment before.
export function totalsOf(model, only) {
	const make = () => new Float64Array(model.axis.length);
	const totals = { live: make(), blocks: make(), alloc: make(), allocs: make(), rss: make(),
		mapped: make(), least: make(), most: make() };
	model.axis.forEach((_, at) => {
		const present = runsAtCached(model, at, only);
		for (const each of present) {
			const less = isCountedElsewhere(each, present);
			const counts = totalOf(each.run, each.place, less);
			COUNTS.forEach((name, k) => { totals[name][at] += counts[k]; });
			for (const name of ['rss', 'mapped'])
				totals[name][at] += each.run.moments[name]?.[each.place] ?? 0;
			const shared = less ? each.run.moments.inherited_live?.[each.place] ?? 0 : 0;
			totals.least[at] += Math.max(each.run.moments.least[each.place] - shared, 0);
			totals.most[at] += each.run.moments.most[each.place] - shared;
		}
	});
	return totals;
}

// Returns a row for each line or module, with the sum of its sources' rows.
export function groupRows(rows, part) {
	if (part === 'source')
		return rows;
	const groups = new Map();
	for (const row of rows) {
		const group = row.source[part];
		groups.set(group, addRow(groups.get(group) ?? { ...emptyRow(group), sources: 0 }, row));
	}
	return [...groups.values()];
}

export function addRow(sum, row) {
	plus(sum.now, row.now);
	plus(sum.before, row.before);
	row.runs.forEach((run) => sum.runs.add(run));
	row.uncertain.forEach((is, k) => { sum.uncertain[k] ||= is; });
	sum.variance += row.variance;
	sum.sources += row.sources;
	return sum;
}
