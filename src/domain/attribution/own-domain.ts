import { isWithin } from './click-cookie.ts';
import { parseWebAddress } from '../web-address.ts';

// Which hosts belong to a program: links work under them, and cookies are set for them (decision 40).

export interface DomainHolder {
	readonly programId: number;
	readonly domain: string | null;
	/** If strangers may sign up, a domain is trusted only after proof. */
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

export function isOwnHost({ domain, isDomainOwn }: Omit<DomainHolder, 'programId'>, host: string): boolean {
	return domain !== null && isDomainOwn && isWithin(host, bareDomain(domain));
}

export function ownDomain(holder: Omit<DomainHolder, 'programId'>, { host, forwardedHost }: Place): string | undefined {
	const isThere = isOwnHost(holder, host) || (forwardedHost !== undefined && isOwnHost(holder, forwardedHost));
	return isThere && holder.domain !== null ? bareDomain(holder.domain) : undefined;
}

/** Every domain that could contain this host. Empty for IP addresses and names without a dot. */
export function domainsOver(host: string): string[] {
	const labels = host.split('.');
	if (host.length > HOST_LIMIT || labels.length < 2 || !isName(host)) return [];
	const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
	return parents.flatMap((parent) => [parent, `www.${parent}`]);
}

/**
 * Why a link does not work at a place; undefined if it does. If domains need proof, links do not work on an unproved proxy host, because
 * they could lead anywhere.
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

/** Whether the host is a name, not an IP address. */
export function isName(host: string): boolean {
	return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(host) && /[a-z]/.test(host.split('.').at(-1) ?? '');
}

/** Whether the URL is on the domain, at any subdomain and port, without credentials. */
export function isPageOf(domain: string, address: string): boolean {
	const page = parseWebAddress(address);
	return page !== undefined && page.username === '' && page.password === '' && isWithin(page.hostname, bareDomain(domain));
}
