import { existsSync } from 'node:fs';

const USUAL = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const { CHROMIUM: wanted } = process.env;

/** The path of a Chromium: the one that CHROMIUM names, or the first of the usual ones. */
export function findChromium(): string | undefined {
	return (wanted ? [wanted] : USUAL).find((path) => existsSync(path));
}

/** What to do where there is none. */
export const NO_CHROMIUM = `
${wanted ? `There is no browser at CHROMIUM=${wanted}.` : 'The browser tests need Chromium, and there is none in the usual places.'}
On Debian and Ubuntu: apt-get install chromium. Elsewhere install Chromium or Chrome, and name its binary:
CHROMIUM=/path/to/chromium npm run test:browser
`;

/** The browser makes no calls of its own, and every host name is this machine. */
export function launchArguments(ports: { readonly https: number; readonly http: number }): string[] {
	return [
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
		// For the browser as a whole: a new tab may be quicker than what is set for its context.
		'--ignore-certificate-errors',
		`--host-resolver-rules=MAP *:443 127.0.0.1:${ports.https}, MAP *:80 127.0.0.1:${ports.http}, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
	];
}
