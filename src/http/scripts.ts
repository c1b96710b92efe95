import { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';
import { BROWSER_SCRIPTS } from './browser-scripts.ts';

/** GET /tracker.js and the script that it loads. */
export const scripts = new Hono<AppEnv>();

const AN_HOUR = 'public, max-age=3600, stale-while-revalidate=86400';
/** For URLs that contain the version. */
const FOR_EVER = 'public, max-age=31536000, immutable';

for (const [name, { version, text }] of Object.entries(BROWSER_SCRIPTS)) {
	const etag = `"${version}"`;
	scripts.get(`/${name}`, (c) => {
		c.header('Content-Type', 'text/javascript; charset=utf-8');
		c.header('Cache-Control', c.req.query('v') === version ? FOR_EVER : AN_HOUR);
		c.header('ETag', etag);
		// Any page may load the script, even a cross-origin isolated one, and check its integrity.
		c.header('Access-Control-Allow-Origin', '*');
		c.header('Cross-Origin-Resource-Policy', 'cross-origin');
		// Cloudflare's edge weakens the ETag if it compresses the response.
		const isKnown = c.req.header('If-None-Match')?.includes(etag) === true;
		return isKnown ? c.body(null, 304) : c.body(text);
	});
}
