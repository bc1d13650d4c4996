// SPDX-License-Identifier: BSD-2-Clause
// pen: makes a drawing, on a canvas or as SVG. Also has the page's colours.

export const byId = (id) => document.getElementById(id);

// Colours found so far, light and dark: looking one up makes the browser compute styles.
const known = new Map();
export function color(name) {
	const root = document.documentElement, key = `${name} ${root.className}`;
	if (!known.has(key))
		known.set(key, getComputedStyle(root).getPropertyValue(`--${name}`).trim());
	return known.get(key);
}
export const colors = (name) => color(name).split(/\s+/);
const HTML = 'http://www.w3.org/1999/xhtml', SVG = 'http://www.w3.org/2000/svg';
const SVG_TAGS = ['svg', 'path', 'text'];

export function make(tag, attributes = {}, ...children) {
	const element = document.createElementNS(SVG_TAGS.includes(tag) ? SVG : HTML, tag);
	for (const [name, value] of Object.entries(attributes))
		if (name.startsWith('on'))
			element.addEventListener(name.slice(2), value);
		else if (name === 'color')
			element.style.backgroundColor = value;
		else if (value !== null && value !== false)
			element.setAttribute(name, value === true ? '' : value);
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

// Returns the path in SVG's syntax. Points are [x, y, x, y, ...].
export const pathOf = (points) => points.map((value, i) =>
	(i % 2 ? ' ' : i ? 'L' : 'M') + value.toFixed(1)).join('');

const FONTS = { sans: 'system-ui, sans-serif',
	mono: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace' };

// Returns a pen. `shape` draws a polygon, filled or as a line; `more` has other functions.
const penOf = (shape, more) => ({
	rect: (x, y, w, h, fill) => shape([x, y, x + w, y, x + w, y + h, x, y + h], { fill }),
	frame: (x, y, w, h, stroke) => shape([x, y, x + w, y, x + w, y + h, x, y + h, x, y],
		{ stroke, thickness: 2 }),
	area: (points, fill) => shape(points, { fill }),
	line: (points, stroke, thickness = 1, dash = []) => shape(points, { stroke, thickness, dash }),
	...more,
});

// Clears the canvas, and returns a pen for it, sharp on any screen. The size is in CSS pixels.
export function canvasPen(canvas, width, height) {
	const scale = window.devicePixelRatio || 1, context = canvas.getContext('2d');
	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.height = `${height}px`;
	}
	context.setTransform(scale, 0, 0, scale, 0, 0);
	context.clearRect(0, 0, width, height);
	const shape = (points, { fill, stroke, thickness, dash = [] }) => {
		context.beginPath();
		for (let i = 0; i < points.length; i += 2)
			context.lineTo(points[i], points[i + 1]);
		Object.assign(context, { fillStyle: fill, strokeStyle: stroke, lineWidth: thickness,
			lineJoin: 'round' });
		context.setLineDash(dash);
		if (fill)
			context.fill();
		else
			context.stroke();
	};
	const text = (x, y, words, { fill, size = 12, font = 'sans', align = 'left' }) => {
		Object.assign(context, { font: `${size}px ${FONTS[font]}`, textAlign: align, fillStyle: fill });
		context.fillText(words, x, y);
	};
	const measure = (words, { size = 12, font = 'sans' }) => {
		context.font = `${size}px ${FONTS[font]}`;
		return context.measureText(words).width;
	};
	// Faster than a shape, because a frame may have thousands of boxes.
	const rect = (x, y, w, h, fill) => {
		context.fillStyle = fill;
		context.fillRect(x, y, w, h);
	};
	return penOf(shape, { text, measure, rect });
}

// Returns a pen that draws an SVG file.
export function svgPen(width, height) {
	const root = make('svg', { width, height, viewBox: `0 0 ${width} ${height}` });
	const { measure } = canvasPen(document.createElement('canvas'), 1, 1);
	const shape = (points, { fill = 'none', stroke = 'none', thickness = 1, dash = [] }) =>
		root.append(make('path', { d: pathOf(points), fill, stroke, 'stroke-width': thickness,
			'stroke-dasharray': dash.join(' ') }));
	const text = (x, y, words, { fill, size = 12, font = 'sans', align = 'left' }) =>
		root.append(make('text', { x: x.toFixed(1), y, fill, 'font-size': size,
			'font-family': FONTS[font],
			'text-anchor': { left: 'start', center: 'middle', right: 'end' }[align] }, words));
	const pen = penOf(shape, { text, measure, root,
		file: () => new XMLSerializer().serializeToString(root) });
	pen.rect(0, 0, width, height, color('card'));
	return pen;
}

// Returns the text cut to `room` letters, or '' if there is no room for three.
export const fitText = (text, room) => text.length <= room ? text
	: room > 2 ? `${text.slice(0, room - 1)}…` : '';

// Puts the tip to the right of x, or if x is in the right half of the area, to its left.
export function placeTip(tip, width, x, y) {
	const isRight = x > width / 2;
	tip.style.left = isRight ? '' : `${x + 14}px`;
	tip.style.right = isRight ? `${width - x + 14}px` : '';
	tip.style.top = `${y}px`;
}

export function saveFile(name, type, text) {
	const address = URL.createObjectURL(new Blob([text], { type }));
	make('a', { href: address, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 1000);
}
