import { isWithin } from './click-cookie.ts';
import { parseWebAddress } from '../web-address.ts';

// Which hosts belong to a program: links work under them, and cookies are set for them (decision 40).

/** A program's own domain. */
export interface DomainHolder {
	readonly programId: number;
	readonly domain: string | null;
	/** Whether the domain is trusted. If strangers may sign up, it must be proved first. */
	readonly isDomainOwn: boolean;
}

/** Where a link is followed: the service's host, and that of a proxy in front of it. */
export interface Place {
	readonly host: string;
	readonly forwardedHost: string | undefined;
}

const HOST_LIMIT = 253;

/** The domain without `www.`. */
export function bareDomain(domain: string): string {
	return domain.replace(/^www\./, '');
}

/** Whether the host is in the program's domain and the domain is trusted. */
export function isOwnHost({ domain, isDomainOwn }: Omit<DomainHolder, 'programId'>, host: string): boolean {
	return domain !== null && isDomainOwn && isWithin(host, bareDomain(domain));
}

/** The program's domain, if it is trusted and contains one of the hosts. */
export function ownDomain(holder: Omit<DomainHolder, 'programId'>, { host, forwardedHost }: Place): string | undefined {
	const isThere = isOwnHost(holder, host) || (forwardedHost !== undefined && isOwnHost(holder, forwardedHost));
	return isThere && holder.domain !== null ? bareDomain(holder.domain) : undefined;
}

/**
 * Every program `domain` that can contain this host. Empty for IP addresses and names without a dot, which only the service itself uses.
 */
export function domainsOver(host: string): string[] {
	const labels = host.split('.');
	if (host.length > HOST_LIMIT || labels.length < 2 || !isName(host)) return [];
	const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
	return parents.flatMap((parent) => [parent, `www.${parent}`]);
}

/**
 * Why a link does not work at a place; undefined if it does. `owners` are the programs whose trusted domain contains the host. If domains
 * need proof, an unproved proxy host has no owner, because its links could lead anywhere.
 */
export function refusalAt(
	{ programId, domain, isDomainOwn }: DomainHolder,
	{ host, forwardedHost }: Place,
	ownersOf: (host: string) => readonly number[],
	needsProof: boolean,
): 'elsewhere' | 'unproved' | undefined {
	for (const place of forwardedHost === undefined ? [host] : [host, forwardedHost]) {
		const owners = ownersOf(place);
		if (owners.includes(programId)) continue;
		if (!isDomainOwn && domain !== null && isWithin(place, bareDomain(domain))) return 'unproved';
		if (owners.length > 0 || (needsProof && place === forwardedHost && place !== host)) return 'elsewhere';
	}
	return undefined;
}

/** A host name rather than an IP address: its last label has a letter. */
export function isName(host: string): boolean {
	return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(host) && /[a-z]/.test(host.split('.').at(-1) ?? '');
}

/** Whether the URL is a page of the domain, on any subdomain and port, without credentials. */
export function isPageOf(domain: string, address: string): boolean {
	const page = parseWebAddress(address);
	return page !== undefined && page.username === '' && page.password === '' && isWithin(page.hostname, bareDomain(domain));
}
