// Whether an answer is the one that a guide shows: the same fields with the same values, but for what differs from run to run.

const VOLATILE: readonly RegExp[] = [/^cust_\d+_\d+$/, /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/, /^(prg|ses)_\w+/];

/** The last JSON object in an output; undefined where there is none. */
export function lastAnswer(output: string): unknown {
	for (const { index } of output.matchAll(/\{/g)) {
		try {
			const value: unknown = JSON.parse(output.slice(index));
			return value;
		} catch {
			// An earlier answer stands before it.
		}
	}
	return undefined;
}

/** What differs, each with where; nothing, where it is as shown. */
export function differences(shown: unknown, answered: unknown, name = 'the answer'): string[] {
	if (isObject(shown) && isObject(answered)) {
		const names = new Set([...Object.keys(shown), ...Object.keys(answered)]);
		return [...names].flatMap((key) => differences(shown[key], answered[key], key));
	}
	if (Array.isArray(shown) && Array.isArray(answered) && shown.length === answered.length) {
		return shown.flatMap((value, index) => differences(value, answered[index], `${name}[${index}]`));
	}
	if (shown === answered || isVolatile(name, shown, answered)) return [];
	return [`${name} is shown as ${JSON.stringify(shown)}, but is ${JSON.stringify(answered)}`];
}

/** Ids count on, and ids of clicks and times are new each time. */
function isVolatile(name: string, shown: unknown, answered: unknown): boolean {
	if (/(^id|_id|Id)$/.test(name) && Number.isInteger(shown) && Number.isInteger(answered)) return true;
	return VOLATILE.some((form) => typeof shown === 'string' && typeof answered === 'string' && form.test(shown) && form.test(answered));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
