/** Widest first: none, `uk`, `co.uk`, `shop.co.uk`. */
export function domainsOf(host: string): string[] {
	return `.${host}`.split('.').map((_, count, labels) => labels.slice(labels.length - count).join('.'));
}

/** The entry that is the host or one of its parent domains. */
export function listedAs(host: string, domains: readonly string[]): string | undefined {
	return domains.find((domain) => isWithin(host, domain));
}

export function isWithin(host: string, domain: string): boolean {
	return `.${host}`.endsWith(`.${domain}`);
}
