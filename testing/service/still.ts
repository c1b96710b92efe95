/**
 * Fixed random numbers and a clock that advances by a second at each reading make the examples of the OpenAPI document the same on every
 * machine. Logs are dropped. The work may set the clock.
 */
export async function standStill<Result>(start: string, work: (goOnAt: (instant: string) => void) => Promise<Result>): Promise<Result> {
	const platform = crypto;
	const { now } = Date;
	const { random } = Math;
	const { error, warn, info } = console;
	let clock = Date.parse(start);
	let state = 1;
	const byte = () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 16) & 0xff;
	};
	const getRandomValues = <Values extends ArrayBufferView>(values: Values): Values => {
		const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
		for (let index = 0; index < bytes.length; index += 1) bytes[index] = byte();
		return values;
	};
	const randomUUID = () => {
		const hex = Array.from({ length: 16 }, () => byte().toString(16).padStart(2, '0')).join('');
		return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
	};
	Object.defineProperty(globalThis, 'crypto', { value: { getRandomValues, randomUUID, subtle: platform.subtle }, configurable: true });
	Date.now = () => (clock += 1_000);
	Math.random = () => byte() / 256;
	Object.assign(console, { error() {}, warn() {}, info() {} });
	try {
		return await work((instant) => void (clock = Date.parse(instant)));
	} finally {
		Object.defineProperty(globalThis, 'crypto', { value: platform, configurable: true });
		Date.now = now;
		Math.random = random;
		Object.assign(console, { error, warn, info });
	}
}
