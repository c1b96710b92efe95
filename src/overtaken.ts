/** When to try again. */
const RETRY_SECONDS = 5;

/** So many others changed the same thing at once that this one never had its turn: on the wire a 503. Nothing of it was recorded. */
export class Overtaken extends Error {
	override readonly name = 'Overtaken';
	readonly retryAfterSeconds = RETRY_SECONDS;

	constructor(cause: unknown) {
		super(OVERTAKEN, { cause });
	}
}

export const OVERTAKEN = `Too many calls changed the same thing at once, and nothing of this one was recorded. Wait ${RETRY_SECONDS} seconds and try again.`;
