// pen: one drawing, on a canvas or as SVG; and the page's colours.

export const byId = (id) => document.getElementById(id);

export function color(name) {
	return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function colors(name) {
	return color(name).split(/\s+/);
}

export function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
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

const SVG = 'http://www.w3.org/2000/svg';

export function makeSvg(tag, attributes, ...children) {
	const element = document.createElementNS(SVG, tag);
	for (const [name, value] of Object.entries(attributes))
		element.setAttribute(name, value);
	element.append(...children);
	return element;
}

// Points are [x, y, x, y, ...].
export function pathOf(points) {
	let text = '';
	for (let i = 0; i < points.length; i += 2)
		text += `${i ? 'L' : 'M'}${points[i].toFixed(1)} ${points[i + 1].toFixed(1)}`;
	return text;
}

const FONTS = { sans: 'system-ui, sans-serif',
	mono: 'ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace' };

// A canvas of so many CSS pixels, cleared, and sharp on any screen.
export function canvasPen(canvas, width, height) {
	const scale = window.devicePixelRatio || 1;
	const context = canvas.getContext('2d');
	if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
		canvas.width = Math.round(width * scale);
		canvas.height = Math.round(height * scale);
		canvas.style.height = `${height}px`;
	}
	context.setTransform(scale, 0, 0, scale, 0, 0);
	context.clearRect(0, 0, width, height);
	const trace = (points) => {
		context.beginPath();
		for (let i = 0; i < points.length; i += 2)
			context.lineTo(points[i], points[i + 1]);
	};
	return {
		rect: (x, y, w, h, fill) => {
			context.fillStyle = fill;
			context.fillRect(x, y, w, h);
		},
		frame: (x, y, w, h, stroke) => {
			context.strokeStyle = stroke;
			context.lineWidth = 2;
			context.strokeRect(x + 1, y + 1, w - 2, h - 2);
		},
		area: (points, fill) => {
			trace(points);
			context.fillStyle = fill;
			context.fill();
		},
		line: (points, stroke, thickness = 1, dash = []) => {
			trace(points);
			context.strokeStyle = stroke;
			context.lineWidth = thickness;
			context.lineJoin = 'round';
			context.setLineDash(dash);
			context.stroke();
			context.setLineDash([]);
		},
		text: (x, y, text, { fill, size = 12, font = 'sans', align = 'left' }) => {
			context.font = `${size}px ${FONTS[font]}`;
			context.textAlign = align;
			context.fillStyle = fill;
			context.fillText(text, x, y);
		},
		measure: (text, { size = 12, font = 'sans' }) => {
			context.font = `${size}px ${FONTS[font]}`;
			return context.measureText(text).width;
		},
	};
}

// The same as a file.
export function svgPen(width, height) {
	const root = makeSvg('svg', { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
	const ruler = canvasPen(document.createElement('canvas'), 1, 1);
	const add = (tag, attributes, ...children) => root.append(makeSvg(tag, attributes, ...children));
	add('rect', { width, height, fill: color('card') });
	return {
		rect: (x, y, w, h, fill) => add('rect', { x: x.toFixed(1), y, width: Math.max(w, 0).toFixed(1),
			height: h, fill }),
		frame: (x, y, w, h, stroke) => add('rect', { x, y, width: w, height: h, fill: 'none', stroke,
			'stroke-width': 2 }),
		area: (points, fill) => add('path', { d: `${pathOf(points)}Z`, fill }),
		line: (points, stroke, thickness = 1, dash = []) => add('path', { d: pathOf(points), fill: 'none',
			stroke, 'stroke-width': thickness, 'stroke-dasharray': dash.join(' ') }),
		text: (x, y, text, { fill, size = 12, font = 'sans', align = 'left' }) => add('text', {
			x: x.toFixed(1), y, fill, 'font-size': size, 'font-family': FONTS[font],
			'text-anchor': { left: 'start', center: 'middle', right: 'end' }[align] }, text),
		measure: ruler.measure,
		file: () => new XMLSerializer().serializeToString(root),
	};
}

// A name in so many pixels, in a font of equal letters: it loses its end. '' where there is no
// room for any of it.
export function fitText(pen, text, width, style) {
	const room = width < 14 ? 0 : Math.floor(width / pen.measure('m', style));
	return text.length <= room ? text : room > 2 ? `${text.slice(0, room - 1)}…` : '';
}

export function saveFile(name, type, text) {
	const address = URL.createObjectURL(new Blob([text], { type }));
	make('a', { href: address, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(address), 1000);
}
