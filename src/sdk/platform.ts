// The platform's types of these globals, or minimal ones if a project does not declare them.

export interface FetchShape {
	(
		url: string,
		init: { method: string; headers: Record<string, string>; body?: string; signal: SignalShape; redirect: 'manual' },
	): Promise<{
		readonly status: number;
		readonly headers: { get(name: string): string | null };
		text(): Promise<string>;
	}>;
}

export interface SignalShape {
	readonly aborted: boolean;
	readonly reason: unknown;
	addEventListener(type: 'abort', listener: () => void): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}

export type Fetch = typeof globalThis extends { fetch: infer PlatformFetch } ? PlatformFetch : FetchShape;

export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer PlatformSignal } } ? PlatformSignal : SignalShape;

/** Node, Bun, Deno, and Workers with Node compatibility have environment variables. */
export function environmentVariable(name: string): string | undefined {
	const process: unknown = Reflect.get(globalThis, 'process');
	const environment: unknown = typeof process === 'object' && process !== null ? Reflect.get(process, 'env') : undefined;
	const value: unknown = typeof environment === 'object' && environment !== null ? Reflect.get(environment, name) : undefined;
	return typeof value === 'string' ? value : undefined;
}
