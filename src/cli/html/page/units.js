// SPDX-License-Identifier: BSD-2-Clause
// units: writes numbers as `pmem` does (base/unit.c), with the same digits.

const LETTERS = [...'BKMGTPE'];

// Writes three digits, with halves rounded up. Uses integers, to be as exact as base/unit.c.
export function bytes(number) {
	const size = BigInt(Math.round(Math.abs(number)));
	const unit = LETTERS.findLastIndex((_, i) => i === 0 || size >= 1n << BigInt(10 * i));
	if (unit === 0)
		return `${size} B`;
	for (const [decimals, tens] of [[2, 100n], [1, 10n], [0, 1n]]) {
		const rounded = (size * 2n * tens + (1n << BigInt(10 * unit))) >> BigInt(10 * unit + 1);
		if (decimals === 0 && rounded === 1024n && unit + 1 < LETTERS.length)
			return `1.00 ${LETTERS[unit + 1]}iB`;
		if (decimals === 0 || rounded < 1000n)
			return `${(Number(rounded) / Number(tens)).toFixed(decimals)} ${LETTERS[unit]}iB`;
	}
	return '';
}

export const count = (number) =>
	String(Math.round(Math.abs(number))).replace(/\B(?=(\d{3})+$)/g, ',');

const sign = (number) => number < 0 ? '-' : number > 0 ? '+' : '';
export const signedBytes = (number) => sign(number) + bytes(number);
export const signedCount = (number) => sign(number) + count(number);

export function percent(part, whole) {
	const share = 100 * part / whole;
	return Number.isFinite(share) ? `${(Math.abs(share) < 0.05 ? 0 : share).toFixed(1)}%` : '-';
}

export const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'); // for RegExp

// Returns the share of each part, in tenths of a percent that add up to 100.0% (print/table.c).
// What is lost by rounding goes to the parts that lost most. If the sum is 0, each share is '-'.
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

// Returns a time such as "2026-11-21 02:55:07Z".
export const time = (ms) =>
	ms ? `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z` : '-';

export const isoTime = (ms) => new Date(ms).toISOString();

export function duration(ms) {
	const rest = Math.abs(ms), minus = ms < 0 ? '-' : '';
	const [seconds, minutes, hours, days] = [1, 60, 3600, 86400]
		.map((each) => Math.floor(rest / 1000 / each));
	if (rest < 1000)
		return rest ? `${minus}${Math.floor(rest)}ms` : '0s';
	if (minutes === 0)
		return `${minus}${seconds}.${Math.floor(rest % 1000 / 100)}s`;
	if (hours === 0)
		return `${minus}${minutes}m ${seconds % 60}s`;
	return minus + (days ? `${days}d ${hours % 24}h` : `${hours}h ${minutes % 60}m`);
}

// The values to show: the title, the index among the counts, and how numbers are written.
export const VALUES = {
	live: { title: 'Live bytes', place: 0, text: bytes, signed: signedBytes },
	blocks: { title: 'Blocks', place: 1, text: count, signed: signedCount },
	alloc: { title: 'Allocated bytes', place: 2, text: bytes, signed: signedBytes },
	allocs: { title: 'Allocations', place: 3, text: count, signed: signedCount },
};
