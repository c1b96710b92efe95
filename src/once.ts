/** What is made when it is first asked for, and then kept: the start of an isolate does not pay for what few requests need. */
export function once<Made>(make: () => Made): () => Made {
	let made: { readonly value: Made } | undefined;
	return () => (made ??= { value: make() }).value;
}
