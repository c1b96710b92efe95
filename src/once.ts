/** What is made when it is first asked for, and then kept: the start of an isolate does not pay for what few requests need. */
export function once<Made>(make: () => Made): () => Made {
	let made: { readonly value: Made } | undefined;
	return () => (made ??= { value: make() }).value;
}

/**
 * A module of its own, which is imported when it is first asked for, and then kept. Not its promise is: that would belong to the
 * request that asked first, and others cannot wait for it.
 */
export function onceImported<Module>(load: () => Promise<Module>): () => Promise<Module> {
	let kept: Module | undefined;
	return async () => (kept ??= await load());
}
