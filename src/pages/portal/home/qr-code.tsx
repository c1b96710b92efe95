import { encodeQR } from 'qr';
import { Button } from 'react-aria-components';
import { saveFile } from '../../ui/save-file.ts';

/** Scanners need this empty margin, in cells. */
const QUIET_ZONE = 4;

/** For posters, slides and packages. */
export function QrCode({ url }: { url: string }) {
	const { path, size } = drawn(url);
	return (
		<div className="stack qr-code">
			<svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${url}`} shapeRendering="crispEdges">
				<rect width={size} height={size} fill="#fff" />
				<path d={path} fill="#000" />
			</svg>
			<p className="small quiet wrap">{url}</p>
			<div className="actions">
				<Button className="react-aria-Button primary" onPress={() => saveFile('qr-code.svg', fileOf(path, size), 'image/svg+xml')}>
					Download as SVG
				</Button>
			</div>
		</div>
	);
}

/** A square for each dark cell. */
function drawn(text: string): { path: string; size: number } {
	const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
	const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
	return { path, size: rows.length };
}

function fileOf(path: string, size: number): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="1024" height="1024" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>\n`;
}
