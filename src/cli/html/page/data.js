// SPDX-License-Identifier: BSD-2-Clause
// data: takes apart what the page was given (DATA.md): moments, processes, sources and modules.
// Counts are four numbers in this order: live, blocks, alloc, allocs.

const KINDS = ['', '{other}', '{inherited}', '{rest}'];
export const STEP = { library: 1, wrapper: 2, place: 4, hook: 8 };

// Returns all series of a run, one behind the other. Differences are added up to counts.
function decodeSeries(run) {
	const total = run.series.reduce((sum, series) => sum + (series.length - 1) / 5, 0);
	const all = {
		source: new Int32Array(run.series.length), start: new Int32Array(run.series.length + 1),
		bySource: new Map(), peak: new Map(),
		at: new Int32Array(total), told: new Uint8Array(total), counts: new Float64Array(total * 4),
	};
	let change = 0;
	run.series.forEach((series, number) => {
		const sum = [0, 0, 0, 0];
		let moment = 0, peak = 0;
		all.source[number] = series[0];
		all.bySource.set(series[0], [...all.bySource.get(series[0]) ?? [], number]);
		for (let i = 1; i < series.length; i += 5, change++) {
			moment += series[i] >> 1;
			all.at[change] = moment;
			all.told[change] = series[i] & 1 ? 0 : 1;
			for (let k = 0; k < 4; k++)
				all.counts[change * 4 + k] = sum[k] += series[i + 1 + k];
			peak = Math.max(peak, sum[0]);
		}
		all.peak.set(series[0], Math.max(all.peak.get(series[0]) ?? 0, peak));
		all.start[number + 1] = change;
	});
	return all;
}

// Returns the page's moments. With several processes they are times that all processes share.
function makeAxis({ runs: [run], times, has_times: hasTimes }) {
	return times.length ? times.map((time) => ({ time, number: null }))
		: run.moments.number.map((number, i) => ({ time: hasTimes ? run.moments.time[i] : i, number }));
}

const sourceOf = (more) => ({ number: -1, kind: 0, branch: 0, thread: '', word: '', facts: [],
	leak: null, findings: [], members: [], stack: null, here: -1, peak: 0, ...more });

function makeSource([id, kind, branch, here, place, where, thread, percent, verdict], number) {
	const [word = '', facts = [], standing, rate, low, high, growth, runs] = verdict || [];
	return sourceOf({ number, id, key: kind ? KINDS[kind] : id, kind, branch, here, place, where,
		thread, word, facts: thread ? [...facts, ['Thread', `${thread}, ${percent}%`]] : facts,
		members: [number], leak: standing === undefined ? null
			: { standing, rate, low, high, growth, runs } });
}

export const runName = ({ name, pid }) => pid ? `${name} ${pid}` : name;

// Returns the steps of a source's stack, outermost first.
export function stackOf(model, source) {
	if (source.stack)
		return source.stack;
	const stack = [];
	for (let at = source.branch; at > 0; at = model.data.branches[(at - 1) * 2])
		stack.push(model.steps[model.data.branches[(at - 1) * 2 + 1]]);
	return source.stack = stack.reverse();
}

// Returns a text for a source without one: its innermost functions, no library's and no wrapper.
function whereOf(model, source) {
	const own = stackOf(model, source).filter((step) => !(step.kind & (STEP.library | STEP.wrapper)));
	return own.slice(-4).reverse().map((step) => step.short).join(' < ') || source.key;
}

export const leaks = (source) => source?.leak?.standing === 0;

// Makes groups, which are like sources and have sources as members: lines of source code, or
// modules. A source that is in no group is its own group.
function makeGroups({ sources }, part, list) {
	const isModule = part === 'module';
	const groups = list.map(([lead, where, rate, growth, ...members]) => {
		const of = sources[lead], id = isModule ? where : of.id;
		const leak = rate === null ? null : { ...(isModule ? {} : of.leak), standing: 0, rate, growth };
		const group = sourceOf({ ...(isModule ? { stack: [], word: leak ? 'leaks' : '' } : of), id, where,
			key: `${part}:${id}`, isModule, isGroup: true, members, leak,
			peak: members.reduce((sum, each) => sum + sources[each].peak, 0) });
		members.forEach((each) => { sources[each][part] = group; });
		return group;
	});
	sources.forEach((source) => { source[part] ??= source; });
	return [...groups, ...sources.filter((source) => source[part] === source)];
}

export function makeModel(data) {
	const axis = makeAxis(data), sources = data.sources.map(makeSource);
	const steps = data.steps.map(([name, short, module, file, line, kind, group, language]) => ({
		name, short: short || name, path: data.modules[module], file: data.files[file], line, kind,
		group, module: data.modules[module].split('/').pop(), language: data.languages[language],
	}));
	const runs = data.runs.map((run, number) => ({ ...run, number, all: decodeSeries(run) }));
	const model = { data, axis, sources, steps, runs, isOne: runs.length === 1,
		hasTimes: !!data.has_times };
	for (const run of runs) {
		run.places ??= axis.map((_, i) => Math.min(i, run.moments.number.length - 1));
		for (const raw of run.findings)
			sources[raw[0]].findings.push({ run, facts: raw[1] });
		for (const [source, peak] of run.all.peak)
			sources[source].peak = Math.max(sources[source].peak, peak);
	}
	for (const source of sources)
		source.where ||= whereOf(model, source);
	model.groups = { source: sources,
		line: makeGroups(model, 'line', data.line_groups),
		module: makeGroups(model, 'module', data.module_groups) };
	model.byKey = new Map(Object.values(model.groups).flat().map((each) => [each.key, each]));
	model.byPlace = new Map(sources.map((source) => [source.place, source.line]));
	model.isSampled = runs.some((run) => run.sampled);
	model.drawn = runs.reduce((sum, run) => sum + run.moments.number.length, 0);
	model.rest = sourceOf({ id: '', key: '{rest}', kind: 3, where: '{rest}', stack: [{ group: -1,
		name: '{rest}', short: '{rest}', path: '', file: '', line: 0, kind: STEP.place, module: '',
		language: '' }] });
	model.rest.module = model.rest.line = model.rest;
	return model;
}
