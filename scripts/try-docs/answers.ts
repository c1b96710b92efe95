// Compares a response with the one in a guide: the fields and values must match, except for values that differ between runs.

const VOLATILE: readonly RegExp[] = [/^cust_\d+_\d+$/, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/, /^(prg|ses)_\w+/];

/** The last JSON object in the output; undefined if there is none. */
export function lastAnswer(output: string): unknown {
	for (const { index } of output.matchAll(/\{/g)) {
		try {
			const value: unknown = JSON.parse(output.slice(index));
			return value;
		} catch {
			// From this position on, the output contains more than one object.
		}
	}
	return undefined;
}

/** Lists the differences; empty if the response is as shown. */
export function differences(shown: unknown, answered: unknown, name = 'the response'): string[] {
	if (isObject(shown) && isObject(answered)) {
		const names = new Set([...Object.keys(shown), ...Object.keys(answered)]);
		return [...names].flatMap((key) => differences(shown[key], answered[key], key));
	}
	if (Array.isArray(shown) && Array.isArray(answered) && shown.length === answered.length) {
		return shown.flatMap((value, index) => differences(value, answered[index], `${name}[${index}]`));
	}
	if (shown === answered || isVolatile(name, shown, answered)) return [];
	return [`${name} is ${JSON.stringify(answered)}, but the guide shows ${JSON.stringify(shown)}`];
}

/** Ids increase, and click ids and times are new in each run. */
function isVolatile(name: string, shown: unknown, answered: unknown): boolean {
	if (/(^id|_id|Id)$/.test(name) && Number.isInteger(shown) && Number.isInteger(answered)) return true;
	return VOLATILE.some((form) => typeof shown === 'string' && typeof answered === 'string' && form.test(shown) && form.test(answered));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
