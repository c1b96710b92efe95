// The types of the platform's own globals, or their shape where a project's settings do not declare them.

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
