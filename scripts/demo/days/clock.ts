/** Runs the work with a manual clock for the whole process. The service's logs are dropped because their times would be wrong. */
export async function withClock<Result>(work: (goTo: (instant: number) => void) => Promise<Result>): Promise<Result> {
	const { now } = Date;
	const { error, warn, info } = console;
	let current = now();
	Date.now = () => current;
	Object.assign(console, { error() {}, warn() {}, info() {} });
	try {
		return await work((instant) => void (current = instant));
	} finally {
		Date.now = now;
		Object.assign(console, { error, warn, info });
	}
}
