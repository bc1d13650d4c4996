// data: what the page was given (DATA.md), and what sources have at a moment of it, or at two.
//
// Counts are four numbers in a row: live, blocks, alloc, allocs. What is added up here is what
// rows/profile.c and rows/pair.c add up, in the same order, so that it comes to the same.

export const LAST = -1; // each process's last snapshot, as `pmem report` without --at
const COUNTS = ['live', 'blocks', 'alloc', 'allocs'];
const KINDS = ['', '{other}', '{inherited}', '{rest}'];
export const STEP = { library: 1, wrapper: 2, place: 4, hook: 8 };

// All series of a run, one behind the other, their differences added up.
function decodeSeries(run) {
	const total = run.series.reduce((sum, series) => sum + (series.length - 1) / 5, 0);
	const all = {
		source: new Int32Array(run.series.length), start: new Int32Array(run.series.length + 1),
		at: new Int32Array(total), told: new Uint8Array(total), counts: new Float64Array(total * 4),
	};
	let change = 0;
	run.series.forEach((series, number) => {
		const sum = [0, 0, 0, 0];
		let moment = 0;
		all.source[number] = series[0];
		for (let i = 1; i < series.length; i += 5, change++) {
			moment += series[i] >> 1;
			all.at[change] = moment;
			all.told[change] = series[i] & 1 ? 0 : 1;
			for (let k = 0; k < 4; k++)
				all.counts[change * 4 + k] = sum[k] += series[i + 1 + k];
		}
		all.start[number + 1] = change;
	});
	return all;
}

// The change that says what a series has at a moment; -1: it has nothing yet.
function changeAt(series, number, moment) {
	let low = series.start[number], high = series.start[number + 1];
	const first = low;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (series.at[middle] <= moment)
			low = middle + 1;
		else
			high = middle;
	}
	return low > first ? low - 1 : -1;
}

// Where in its moments a run is at each of the page's.
function placesOf(run, axis) {
	const places = new Int32Array(axis.length);
	let at = -1;
	axis.forEach((moment, number) => {
		while (at + 1 < run.moments.time.length && run.moments.time[at + 1] <= moment.time)
			at++;
		places[number] = at;
	});
	return places;
}

function makeAxis(data) {
	const [run] = data.runs;
	if (data.runs.length > 1 && data.has_times)
		return data.times.map((time) => ({ time, number: null }));
	return run.moments.number.map((number, i) => ({ time: data.has_times ? run.moments.time[i] : i,
		number }));
}

function makeSources(data) {
	return data.sources.map(([id, kind, branch, where, thread, percent], number) => ({
		number, id, kind, branch, where, thread, percent,
		key: kind ? KINDS[kind] : id, stack: null, findings: [], leak: null, peak: 0,
	}));
}

// The steps of a source's stack, outermost first.
export function stackOf(model, source) {
	if (source.stack)
		return source.stack;
	const stack = [];
	for (let at = source.branch; at > 0; at = model.data.branches[(at - 1) * 2])
		stack.push(model.steps[model.data.branches[(at - 1) * 2 + 1]]);
	return source.stack = stack.reverse();
}

// Of a source that has no line: its innermost functions that are nobody's library.
function whereOf(model, source) {
	const own = stackOf(model, source).filter((step) => !(step.kind & (STEP.library | STEP.wrapper)));
	return own.slice(-4).reverse().map((step) => step.short).join(' < ') || source.key;
}

function readFinding(run, raw, verdicts) {
	const [, verdict, lowest, highest, live, standing, word, sure, rate, low, high, growth, blocks,
		kept,
		began, orEarlier, until] = raw;
	return {
		run, lowest, highest, live, word: word ?? verdicts[verdict], standing: standing ?? -1, sure, rate,
		low, high, growth, blocks, kept, began, orEarlier, until,
	};
}

// Of all processes: what leaks in any, leaks; rates and growth are sums of those where it does.
function joinFindings(source) {
	const leaks = source.findings.filter((finding) => finding.standing >= 0)
		.sort((a, b) => a.standing - b.standing || b.rate - a.rate);
	source.verdict = leaks[0] ?? source.findings[0] ?? null;
	if (!leaks.length)
		return;
	const alike = leaks.filter((finding) => finding.standing === leaks[0].standing);
	const sum = (name) => alike.reduce((all, finding) => all + (finding[name] ?? 0), 0);
	source.leak = {
		...leaks[0], rate: leaks[0].rate === null ? null : sum('rate'), low: sum('low'),
		high: sum('high'), growth: sum('growth'), blocks: sum('blocks'),
		began: Math.min(...alike.map((leak) => leak.began)),
		runs: new Set(alike.map((leak) => leak.run)).size,
	};
}

export function makeModel(data) {
	const axis = makeAxis(data);
	const sources = makeSources(data);
	const steps = data.steps.map(([name, short, module, file, line, kind], number) => ({
		number, name, short: short || name, path: data.modules[module], file: data.files[file], line,
			kind,
		module: data.modules[module].split('/').pop(),
	}));
	const groups = new Map();
	for (const step of steps) { // what is one function to a reader
		const key = `${step.name}\n${step.path}`;
		groups.set(key, groups.get(key) ?? groups.size);
		step.group = groups.get(key);
	}
	const runs = data.runs.map((run, number) => ({ ...run, number, all: decodeSeries(run) }));
	const model = { data, axis, sources, steps, runs, isOne: runs.length === 1,
		hasTimes: !!data.has_times };
	for (const run of runs) {
		run.places = model.isOne ? Int32Array.from(axis, (_, i) => i) : placesOf(run, axis);
		run.series = null;
		for (const raw of run.findings)
			sources[raw[0]].findings.push(readFinding(run, raw, data.verdicts));
		run.all.source.forEach((source, i) => {
			for (let c = run.all.start[i]; c < run.all.start[i + 1]; c++)
				sources[source].peak = Math.max(sources[source].peak, run.all.counts[c * 4]);
		});
	}
	for (const source of sources) {
		joinFindings(source);
		source.where ||= whereOf(model, source);
	}
	model.leaks = sources.filter((source) => source.leak?.standing === 0)
		.sort((a, b) => b.leak.rate - a.leak.rate);
	model.thinned = runs.some((run) => run.snapshots > run.moments.number.length);
	const step = { number: -1, group: -1, name: '{rest}', short: '{rest}', path: '', file: '', line: 0,
		kind: STEP.place, module: '' };
	model.rest = { number: -1, id: '', key: '{rest}', kind: 3, branch: 0, findings: [], leak: null,
		thread: '', where: '{rest}', verdict: null, peak: 0, stack: [step] };
	return model;
}

// The runs that count at a moment, each with its place in its own moments: of each log the run that
// has written last by then. One that has ended is gone, but for the last snapshots of all.
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

// What fork's children have from before their forks is counted once (rows/forked.c).
function isCountedElsewhere({ run, place }, present) {
	const inherited = (each) => each.run.moments.inherited?.[each.place] ?? 0;
	const isSameHost = (other) => other.pidns === run.pidns && other.host === run.host;
	if (!run.parent)
		return false;
	return present.some((other, number) => other.run !== run && isSameHost(other.run)
		&& ((other.run.pid === run.parent && other.run.start <= run.start)
			|| (other.run.parent === run.parent && (inherited(other) > inherited({ run, place })
				|| (inherited(other) === inherited({ run, place })
					&& number < present.findIndex((each) => each.run === run))))));
}

function totalOf(run, place, isLess) {
	return COUNTS.map((name, k) => {
		if (place < 0)
			return 0;
		const inherited = k === 0 ? 'inherited' : `inherited_${name}`;
		return run.moments[name][place] - (isLess && run.moments[inherited]
			? run.moments[inherited][place] : 0);
	});
}

const minus = (a, b) => a.forEach((_, k) => { a[k] -= b[k]; });
const plus = (a, b) => a.forEach((_, k) => { a[k] += b[k]; });

// Adds what one run has to the rows, as add_run() in rows/profile.c; `from` is -1 where the
// process's beginning is meant.
function addRun(view, run, place, from, isLess) {
	const { all } = run;
	const number = all.source.length;
	const now = totalOf(run, place, isLess);
	const before = totalOf(run, from, isLess);
	const restNow = [...now], restBefore = [...before];
	const change = new Int32Array(number), base = new Int32Array(number);
	const others = totalOf(run, place, false);
	const gone = [0, 0, 0, 0];
	const countsOf = (at) => at < 0 ? [0, 0, 0, 0] : [...all.counts.subarray(at * 4, at * 4 + 4)];
	const isTold = (at) => at >= 0 && all.told[at] === 1;
	const isExact = (i) => from < 0 || run.seeds || base[i] < 0 || all.told[base[i]] === 1;
	for (let i = 0; i < number; i++) {
		change[i] = changeAt(all, i, place);
		base[i] = from < 0 ? -1 : changeAt(all, i, from);
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
			const row = view.row(all.source[i]);
			const had = countsOf(base[i]);
			if (!exact) {
				row.uncertain = true;
				had[0] = Math.min(had[0], restBefore[0]);
				had[1] = Math.min(had[1], restBefore[1]);
				had[2] = Math.min(had[2], together[2]);
				had[3] = Math.min(had[3], together[3]);
			}
			plus(row.now, countsOf(change[i]));
			plus(row.before, had);
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
	// What is known to hold nothing any more comes out of {rest}, as pair_of_one() does it.
	for (const [source, counts] of view.isDifference ? goneRows : []) {
		const row = view.row(source);
		plus(row.before, counts);
		row.now[2] += counts[2];
		row.now[3] += counts[3];
		minus(view.rest.before, counts);
		minus(view.rest.now, [0, 0, counts[2], counts[3]]);
	}
}

const isNothing = ({ now, before }) => [...now, ...before].every((each) => each === 0);

export const emptyRow = (source) => ({ source, now: [0, 0, 0, 0], before: [0, 0, 0, 0],
	uncertain: false, runs: new Set() });

// What each source has at a moment; with `from`, and had at that one: `choice` is {at, from, run}.
// A row has {source, now, before, uncertain, runs}; all together are the total. Those without
// anything are left out.
export function viewOf(model, choice) {
	const rows = new Map();
	const view = {
		total: emptyRow(null), rest: emptyRow(model.rest),
		isDifference: choice.from !== null && model.isOne,
		row: (number) => {
			if (!rows.has(number))
				rows.set(number, emptyRow(model.sources[number]));
			return rows.get(number);
		},
	};
	const present = runsAt(model, choice.at, choice.run);
	const earlier = choice.from === null ? [] : runsAt(model, choice.from, choice.run);
	for (const each of present) {
		const base = earlier.find(({ run }) => run === each.run);
		addRun(view, each.run, each.place, base ? base.place : -1, isCountedElsewhere(each, present));
	}
	view.rows = [...rows.values(), view.rest].filter((row) => !isNothing(row));
	return view;
}

// How a value of a source, or of a whole process, went: an array over the page's moments. NaN where
// it is not told.
export function curveOf(model, source, place, only = null) {
	const curve = new Float64Array(model.axis.length);
	for (let at = 0; at < curve.length; at++)
		for (const { run, place: moment } of runsAtCached(model, at, only))
			for (const i of seriesOf(run, source.number)) {
				const change = changeAt(run.all, i, moment);
				if (change >= 0)
					curve[at] += run.all.told[change] ? run.all.counts[change * 4 + place] : NaN;
			}
	return curve;
}

export function runsAtCached(model, at, only) {
	model.present ??= new Map();
	const key = only ?? 'all';
	if (!model.present.has(key))
		model.present.set(key, model.axis.map((_, i) => runsAt(model, i, only)));
	return model.present.get(key)[at];
}

// Which of a run's series are of a source: mostly one.
function seriesOf(run, source) {
	if (!run.bySource) {
		run.bySource = new Map();
		run.all.source.forEach((each, i) => run.bySource.set(each, [...(run.bySource.get(each) ?? []),
			i]));
	}
	return run.bySource.get(source) ?? [];
}

// Of all processes, over the page's moments: live, blocks, alloc, allocs, rss, and least and most
// live since the moment before.
export function totalsOf(model, only) {
	const make = () => new Float64Array(model.axis.length);
	const totals = { live: make(), blocks: make(), alloc: make(), allocs: make(), rss: make(),
		least: make(), most: make() };
	model.axis.forEach((_, at) => {
		const present = runsAtCached(model, at, only);
		for (const each of present) {
			const less = isCountedElsewhere(each, present);
			const counts = totalOf(each.run, each.place, less);
			COUNTS.forEach((name, k) => { totals[name][at] += counts[k]; });
			totals.rss[at] += each.run.moments.rss?.[each.place] ?? 0;
			const shared = less ? each.run.moments.inherited?.[each.place] ?? 0 : 0;
			totals.least[at] += Math.max(each.run.moments.least[each.place] - shared, 0);
			totals.most[at] += each.run.moments.most[each.place] - shared;
		}
	});
	return totals;
}
