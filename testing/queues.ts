const METADATA = { metrics: { backlogCount: 0, backlogBytes: 0 } };

export function queueTo<Body>(take: (body: Body) => unknown): Queue<Body> {
	return {
		metrics: async () => METADATA.metrics,
		send: async (body) => {
			take(body);
			return { metadata: METADATA };
		},
		sendBatch: async (messages) => {
			for (const { body } of messages) take(body);
			return { metadata: METADATA };
		},
	};
}

export function holdingQueue<Body = unknown>(): Queue<Body> & { readonly held: Body[] } {
	const held: Body[] = [];
	return { ...queueTo<Body>((body) => held.push(body)), held };
}
