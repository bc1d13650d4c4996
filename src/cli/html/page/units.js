// units: numbers as `pmem` writes them (base/unit.c), to the digit.

const LETTERS = 'BKMGTPE';

// Rounded to so many decimals, halves up, in whole numbers alone.
function scaled(bytes, unit, decimals) {
	const size = 1024 ** unit;
	let whole = Math.floor(bytes / size);
	let rest = bytes - whole * size;
	let fraction = 0;
	for (let i = 0; i < decimals; i++) {
		fraction = fraction * 10 + Math.floor(rest * 10 / size);
		rest = rest * 10 % size;
	}
	if (rest * 2 >= size && unit > 0)
		fraction++;
	if (fraction === 10 ** decimals) {
		fraction = 0;
		whole++;
	}
	return { whole, text: decimals ? `${whole}.${String(fraction).padStart(decimals, '0')}`
		: `${whole}` };
}

export function bytes(number) {
	number = Math.round(Math.abs(number));
	let unit = 0;
	while (unit + 1 < LETTERS.length && number >= 1024 ** (unit + 1))
		unit++;
	if (unit === 0)
		return `${number} B`;
	let three = scaled(number, unit, 2);
	if (three.whole >= 10)
		three = scaled(number, unit, 1);
	if (three.whole >= 100)
		three = scaled(number, unit, 0);
	if (three.whole === 1024 && unit + 1 < LETTERS.length)
		return `1.00 ${LETTERS[unit + 1]}iB`;
	return `${three.text} ${LETTERS[unit]}iB`;
}

export function count(number) {
	return String(Math.round(Math.abs(number))).replace(/\B(?=(\d{3})+$)/g, ',');
}

const sign = (number) => number < 0 ? '-' : number > 0 ? '+' : '';
export const signedBytes = (number) => sign(number) + bytes(number);
export const signedCount = (number) => sign(number) + count(number);

export function percent(part, whole) {
	const share = 100 * part / whole;
	if (!Number.isFinite(share))
		return '-';
	return `${(Math.abs(share) < 0.05 ? 0 : share).toFixed(1)}%`;
}

export const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'); // for RegExp

// What each part has of their sum, in tenths of a percent that add up (print/table.c): what
// rounding leaves over goes to those that lost most by it. '-' where there is no sum.
export function splitShares(parts) {
	const WHOLE = 1000;
	const sum = parts.reduce((all, part) => all + Math.max(part, 0), 0);
	if (sum <= 0)
		return parts.map(() => '-');
	const tenths = parts.map((part) => Math.floor(Math.max(part, 0) * WHOLE / sum));
	const lost = parts.map((part, i) => [Math.max(part, 0) * WHOLE - tenths[i] * sum, i]);
	const left = WHOLE - tenths.reduce((all, each) => all + each, 0);
	for (const [, i] of lost.sort((a, b) => b[0] - a[0] || a[1] - b[1]).slice(0, left))
		tenths[i]++;
	return tenths.map((each) => `${Math.floor(each / 10)}.${each % 10}%`);
}

// "2026-11-21 02:55:07Z"
export function time(ms) {
	return ms ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z` : '-';
}

export const isoTime = (ms) => new Date(ms).toISOString();

export function duration(ms) {
	const rest = Math.abs(ms);
	const seconds = Math.floor(rest / 1000);
	const hours = Math.floor(seconds / 3600);
	const days = Math.floor(hours / 24);
	const minus = ms < 0 ? '-' : '';
	if (rest < 1000)
		return rest ? `${minus}${Math.floor(rest)}ms` : '0s';
	if (seconds < 60)
		return `${minus}${seconds}.${Math.floor(rest % 1000 / 100)}s`;
	if (hours === 0)
		return `${minus}${Math.floor(seconds / 60)}m ${seconds % 60}s`;
	if (days === 0)
		return `${minus}${hours}h ${Math.floor(seconds / 60) % 60}m`;
	return `${minus}${days}d ${hours % 24}h`;
}

// What can be shown: its title, what it is called in `pmem`, and how a number of it reads.
export const VALUES = {
	live: { title: 'Live bytes', place: 0, text: bytes, signed: signedBytes },
	blocks: { title: 'Blocks', place: 1, text: count, signed: signedCount },
	alloc: { title: 'Allocated bytes', place: 2, text: bytes, signed: signedBytes },
	allocs: { title: 'Allocations', place: 3, text: count, signed: signedCount },
};
