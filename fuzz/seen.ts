import type { Answered, Conformance } from '../testing/openapi/conformance.ts';

/** The documented refusals that occurred. If one never occurs, the document may be wrong. */
export class Seen {
	readonly #conformance: Conformance;
	readonly #times = new Map<string, number>();

	constructor(conformance: Conformance) {
		this.#conformance = conformance;
	}

	note({ method, path, status, text }: Answered): void {
		if (status < 400) return;
		const operation = this.#conformance.operationOf(method, path);
		if (!operation) return;
		const body: unknown = JSON.parse(text);
		const error = typeof body === 'object' && body !== null && 'error' in body ? String(body.error) : '';
		const documented = this.#conformance.textOf(operation, status, error);
		const key = `${operation.operationId} ${status} ${documented}`;
		this.#times.set(key, (this.#times.get(key) ?? 0) + 1);
	}

	/** The route's documented refusals that never occurred, except 5xx. */
	unmet(operationId: string, refusals: readonly (readonly [status: number, text: string])[]): string[] {
		return refusals
			.filter(([status, text]) => status < 500 && !this.#times.has(`${operationId} ${status} ${text}`))
			.map(([status, text]) => `${operationId} ${status} ${text}`);
	}
}
