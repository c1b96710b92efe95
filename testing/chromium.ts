import { existsSync } from 'node:fs';

/** The same engine without a user interface, because that costs more than twice the CPU for every window. */
const WITHOUT_INTERFACE = '/usr/bin/chromium-headless-shell';

const WHOLE = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const { CHROMIUM: wanted } = process.env;

/** CHROMIUM, or the first of the usual paths that exists. */
export function findChromium(): string | undefined {
	return firstOf([WITHOUT_INTERFACE, ...WHOLE]);
}

/** For what only the whole browser does: a middle click opens a tab. */
export function findWholeChromium(): string | undefined {
	return firstOf(WHOLE);
}

function firstOf(paths: readonly string[]): string | undefined {
	return (wanted ? [wanted] : paths).find((path) => existsSync(path));
}

export const NO_CHROMIUM = `
${wanted ? `There is no browser at CHROMIUM=${wanted}.` : 'The browser tests need Chromium, but it is not in any of the usual places.'}
On Debian: apt-get install chromium chromium-headless-shell. Elsewhere, install Chromium or Chrome and set the path of its binary:
CHROMIUM=/path/to/chromium npm run test:browser
`;

/** Stops the browser's own network calls, and resolves every host name to this machine. */
export function launchArguments(ports: { readonly https: number; readonly http: number }): string[] {
	return [
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
		// This applies to the whole browser, because a new tab may load before its context's setting takes effect.
		'--ignore-certificate-errors',
		`--host-resolver-rules=MAP *:443 127.0.0.1:${ports.https}, MAP *:80 127.0.0.1:${ports.http}, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
	];
}
