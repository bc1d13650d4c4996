// texts.mjs: reads lines `KIND NUMBER TEXT`, what C makes of a number, and says where units.js
// makes something else of it.

import { readFileSync } from 'node:fs';
const { bytes, signedBytes, count, duration,
	time } = await import(`${process.cwd()}/page/units.js`);

const kinds = { bytes, signed: signedBytes, count, duration, time };
let compared = 0, wrong = 0;
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
	const [, kind, number, text] = /^(\S+) (\S+) (.*)$/.exec(line);
	const got = kinds[kind](Number(number));
	compared++;
	if (got !== text && ++wrong < 20)
		console.log(`${kind} of ${number}: pmem ${text}, page ${got}`);
}
console.log(`${compared} texts compared, ${wrong} wrong`);
process.exit(wrong || compared < 1000 ? 1 : 0);
