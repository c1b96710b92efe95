/** The part of ExecutionContext that the Worker uses. */
type Execution = Pick<ExecutionContext, 'waitUntil' | 'passThroughOnException' | 'props'>;

const deferred = new WeakMap<Execution, Promise<unknown>[]>();

/** Collects deferred work for `waitOnExecutionContext`. */
export function createExecutionContext(): Execution {
	const work: Promise<unknown>[] = [];
	const execution = {
		waitUntil: (promise: Promise<unknown>) => {
			work.push(promise);
			// As in workerd, failed deferred work stops nothing else.
			promise.catch(() => undefined);
		},
		passThroughOnException() {},
		props: {},
	};
	deferred.set(execution, work);
	return execution;
}

/** Includes work that is deferred in the meantime. Throws if any of it failed. */
export async function waitOnExecutionContext(execution: Execution): Promise<void> {
	const work = deferred.get(execution) ?? [];
	while (work.length > 0) await Promise.all(work.splice(0));
}
