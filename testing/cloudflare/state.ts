export interface State {
	readonly databases: Database[];
	readonly queues: Queue[];
	readonly buckets: Bucket[];
	readonly workers: Map<string, Worker>;
	readonly assets: Set<string>;
	readonly domains: { readonly hostname: string; readonly service: string }[];
	/** Undefined if none was chosen. */
	subdomain: string | undefined;
	isR2Enabled: boolean;
}

export interface Database {
	readonly uuid: string;
	readonly name: string;
	readonly jurisdiction: string | undefined;
	readonly location: string | undefined;
}

export interface Queue {
	readonly queue_id: string;
	readonly queue_name: string;
	readonly consumers: Consumer[];
}

export interface Bucket {
	readonly name: string;
	readonly jurisdiction: string | undefined;
	readonly location: string | undefined;
}

export interface Consumer {
	readonly consumer_id: string;
	readonly type: 'worker';
	readonly script: string;
	readonly settings: unknown;
	readonly dead_letter_queue?: string | undefined;
}

export interface Binding {
	readonly type: string;
	readonly name: string;
	readonly text?: string | undefined;
	readonly id?: string | undefined;
	readonly [field: string]: unknown;
}

export interface Worker {
	readonly main: string;
	/** Texts by name. */
	readonly modules: ReadonlyMap<string, string>;
	readonly bindings: readonly Binding[];
	readonly placement: unknown;
	readonly uploads: number;
	crons: readonly string[];
	isOnWorkersDev: boolean;
}

export function emptyState(): State {
	return {
		databases: [],
		queues: [],
		buckets: [],
		workers: new Map(),
		assets: new Set(),
		domains: [],
		subdomain: 'acme',
		isR2Enabled: true,
	};
}
