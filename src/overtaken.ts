const RETRY_SECONDS = 5;

/** Too many concurrent changes of the same thing. The caller gets a 503, and nothing was recorded. */
export class Overtaken extends Error {
	override readonly name = 'Overtaken';
	readonly retryAfterSeconds = RETRY_SECONDS;

	constructor(cause: unknown) {
		super(OVERTAKEN, { cause });
	}
}

export const OVERTAKEN = `Too many calls changed the same data at once, and this one was not recorded. Wait ${RETRY_SECONDS} seconds and try again.`;
