/** What the Worker uses of an ExecutionContext. */
type Execution = Pick<ExecutionContext, 'waitUntil' | 'passThroughOnException' | 'props'>;

const deferred = new WeakMap<Execution, Promise<unknown>[]>();

/** Keeps the work that a request defers, for `waitOnExecutionContext`. */
export function createExecutionContext(): Execution {
	const work: Promise<unknown>[] = [];
	const execution = {
		waitUntil: (promise: Promise<unknown>) => {
			work.push(promise);
			// As in workerd, deferred work that fails ends nothing else.
			promise.catch(() => undefined);
		},
		passThroughOnException() {},
		props: {},
	};
	deferred.set(execution, work);
	return execution;
}

/** Waits for all deferred work, and for what that defers in turn. Throws if a part of it failed. */
export async function waitOnExecutionContext(execution: Execution): Promise<void> {
	const work = deferred.get(execution) ?? [];
	while (work.length > 0) await Promise.all(work.splice(0));
}
