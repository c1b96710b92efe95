/** Creates the value on first use and keeps it, so that it does not slow the isolate's start. */
export function once<Made>(make: () => Made): () => Made {
	let made: { readonly value: Made } | undefined;
	return () => (made ??= { value: make() }).value;
}

/** Imports a module on first use and keeps it. The promise is not kept, because it belongs to one request and others cannot await it. */
export function onceImported<Module>(load: () => Promise<Module>): () => Promise<Module> {
	let kept: Module | undefined;
	return async () => (kept ??= await load());
}
