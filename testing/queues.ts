/** A queue that keeps what is sent to it. */
export function holdingQueue(): Queue & { readonly held: unknown[] } {
	const metrics = { backlogCount: 0, backlogBytes: 0 };
	const held: unknown[] = [];
	return {
		held,
		metrics: async () => metrics,
		send: async (body) => {
			held.push(body);
			return { metadata: { metrics } };
		},
		sendBatch: async (messages) => {
			for (const { body } of messages) held.push(body);
			return { metadata: { metrics } };
		},
	};
}
