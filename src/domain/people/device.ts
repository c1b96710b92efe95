const BROWSERS = [
	['Edge', /\bEdg(?:e|A|iOS)?\//],
	['Opera', /\bOPR\//],
	['Firefox', /\b(?:Firefox|FxiOS)\//],
	['Chrome', /(?:Chrome|CriOS)\//],
	['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
	['iPhone', /iPhone/],
	['iPad', /iPad/],
	['Android', /Android/],
	['Windows', /Windows/],
	['macOS', /Macintosh/],
	['Linux', /Linux|CrOS/],
] as const;

/** "Chrome on Windows". Names of other tools are short already. */
export function deviceOf(userAgent: string | null): string {
	if (userAgent === null) return 'Unknown';
	const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0];
	const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0];
	if (browser === undefined) return userAgent;
	return system === undefined ? browser : `${browser} on ${system}`;
}
