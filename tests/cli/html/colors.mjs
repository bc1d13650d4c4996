// colors.mjs STYLE: reads the page's colours, and says which of them that stand side by side nobody
// could tell apart who sees no red, no green or no blue (Machado, Oliveira and Fernandes 2009, for
// severity 1; distances are CIE 1976 in L*a*b*). What is no neighbour is told by its name, too.

import { readFileSync } from 'node:fs';

const EYES = {
	all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	'no red': [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
		[-0.003882, -0.048116, 1.051998]],
	'no green': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
		[-0.011820, 0.042940, 0.968881]],
	'no blue': [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
		[0.004733, 0.691367, 0.303900]],
};

const linear = (value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const times = (matrix, vector) => matrix.map((row) =>
	row.reduce((sum, each, i) => sum + each * vector[i], 0));

function labOf(color, eye) {
	const rgb = [1, 3, 5].map((at) => linear(parseInt(color.slice(at, at + 2), 16) / 255));
	const seen = times(EYES[eye], rgb).map((each) => Math.min(Math.max(each, 0), 1));
	const [x, y, z] = times([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
		[0.0193339, 0.1191920, 0.9503041]], seen).map((each, i) => each / [0.95047, 1, 1.08883][i])
		.map((each) => each > 0.008856 ? Math.cbrt(each) : 7.787 * each + 16 / 116);
	return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const distance = (a, b, eye) => Math.hypot(...labOf(a, eye).map((each, i) =>
	each - labOf(b, eye)[i]));

let compared = 0, wrong = 0, least = Infinity;
function apart(what, a, b, wanted) {
	for (const eye of Object.keys(EYES)) {
		const far = distance(a, b, eye);
		compared++;
		least = Math.min(least, far);
		if (far < wanted) {
			wrong++;
			console.log(`${what}: ${a} and ${b} are ${far.toFixed(1)} apart for who sees ${eye}`);
		}
	}
}

const text = readFileSync(process.argv[2], 'utf8');
for (const [, theme, body] of text.matchAll(/^:root(\S*) \{\n(.*?)^\}/gms)) {
	const of = (name) => new RegExp(`--${name}:([^;]*);`).exec(body)[1].trim().split(/\s+/);
	const name = theme || 'light';
	// Leaks lie one on the other, then the other sources, then the rest.
	const stack = of('stack');
	const LEAKS = 6, [first, rest] = [stack[LEAKS], stack.at(-1)];
	stack.slice(1).forEach((color, i) => apart(`${name}: a layer and the next`, stack[i], color, 8));
	stack.slice(0, LEAKS).forEach((leak) => apart(`${name}: the last leak and another`, leak, first, 8));
	stack.slice(0, -1).forEach((color) => apart(`${name}: the last layer and the rest`, color, rest, 8));
	of('grown').forEach((color, i) => apart(`${name}: grown and shrunk`, color, of('shrunk')[i], 8));
	apart(`${name}: a leak's line and another's`, of('leak')[0], of('soft')[0], 12);
	apart(`${name}: begin and end`, of('good')[0], of('mark')[0], 12);
	apart(`${name}: found and not`, of('mark')[0], of('library')[0], 12);
}
console.log(`figure: colours are ${least.toFixed(1)} apart at least`);
console.log(`${compared} compared, ${wrong} wrong`);
process.exit(wrong || compared < 100 ? 1 : 0);
