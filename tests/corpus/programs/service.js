// A service in node, in several kinds: `service.js KIND leak|twin`.

const fs = require('fs');
const http = require('http');
const leaks = process.argv[3] === 'leak';
let planted = 0, first = 0, noted = 0;
function plant(bytes) {
	const now = Math.floor(Date.now() / 1000);
	planted += bytes;
	first ||= now;
	if (now - noted < 5)
		return;
	noted = now;
	fs.writeFileSync('planted', `${planted} ${first}\n`);
}

const uploads = new Map();
// Files that were uploaded: the twin has the last 800, and so fills for minutes.
function storeUpload(number) {
	uploads.set(number, Buffer.alloc(9000 + number % 9, number));
	if (leaks && number % 4 === 0)
		plant(9000 + number % 9);
	else
		uploads.delete(leaks ? number : number - 800);
}

const sockets = [];
// Buffers of frames that wait for a slow client. With the leak a client that is gone keeps some.
function queueFrame(number) {
	sockets.push(Buffer.alloc(5000 + number % 5, 1));
	if (leaks && number % 6 === 0)
		plant(5000);
	else if (leaks)
		sockets.pop();
	else if (sockets.length >= 1500)
		sockets.length = 0;
}

const reports = [];
// A report each five seconds; the twin has the last 200.
function keepReport(number) {
	if (number % 40)
		return;
	reports.push(Buffer.alloc(4100 + number % 9, 3));
	if (leaks)
		plant(4100);
	else if (reports.length > 200)
		reports.shift();
}

const known = new Map();
// On V8's own heap.
function rememberClient(number) {
	const visits = Array.from({ length: 200 }, (_, i) => i + number + 0.5);
	known.set(number, { name: 'client ' + number, visits });
	if (leaks)
		plant(1800);
	else
		known.delete(number - 2000);
}

function render(number) {
	const rows = [];
	for (let row = 0; row < 60; row++)
		rows.push({ row, text: 'row '.repeat(20 + number % 9) });
	return Buffer.from(JSON.stringify(rows));
}

const kinds = { upload: storeUpload, frame: queueFrame, report: keepReport, client: rememberClient };
let number = 0;
http.createServer((request, response) => {
	kinds[process.argv[2]](number);
	response.end(render(number++));
}).listen(8000, '127.0.0.1');
