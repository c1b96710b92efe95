/**
 * Does the work with the clock of this process in its hands: it stands still until it is set. What the service logs meanwhile is
 * dropped, for it would be dated by it.
 */
export async function withClock<Result>(work: (goTo: (instant: number) => void) => Promise<Result>): Promise<Result> {
	const { now } = Date;
	const { error, warn, info } = console;
	let clock = now();
	Date.now = () => clock;
	Object.assign(console, { error() {}, warn() {}, info() {} });
	try {
		return await work((instant) => void (clock = instant));
	} finally {
		Date.now = now;
		Object.assign(console, { error, warn, info });
	}
}
