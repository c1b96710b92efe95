import { isWithin } from './click-cookie.ts';
import { parseWebAddress } from '../web-address.ts';

// Which hosts are a program's own: there links are followed under its name, and cookies are set for it (decision 40).

/** A program, as far as its own domain goes. */
export interface DomainHolder {
	readonly programId: number;
	readonly domain: string | null;
	/** Whether the domain counts as the program's: by its owner's word, or by proof where strangers may sign up. */
	readonly isDomainOwn: boolean;
}

/** Where a link is followed: on the host that the service was asked for, and on that of a proxy in front of it. */
export interface Place {
	readonly host: string;
	readonly forwardedHost: string | undefined;
}

const HOST_LIMIT = 253;

/** The domain that a program's `domain` stands for: with `www.` it is the one without. */
export function bareDomain(domain: string): string {
	return domain.replace(/^www\./, '');
}

/** Whether the host lies in the program's domain, and that counts. */
export function isOwnHost({ domain, isDomainOwn }: Omit<DomainHolder, 'programId'>, host: string): boolean {
	return domain !== null && isDomainOwn && isWithin(host, bareDomain(domain));
}

/** The program's domain, if it counts and one of the hosts lies in it. */
export function ownDomain(holder: Omit<DomainHolder, 'programId'>, { host, forwardedHost }: Place): string | undefined {
	const isThere = isOwnHost(holder, host) || (forwardedHost !== undefined && isOwnHost(holder, forwardedHost));
	return isThere && holder.domain !== null ? bareDomain(holder.domain) : undefined;
}

/** Every `domain` of a program whose host this could be. None for addresses and names without a dot: those are the service's own. */
export function domainsOver(host: string): string[] {
	const labels = host.split('.');
	if (host.length > HOST_LIMIT || labels.length < 2 || !isName(host)) return [];
	const parents = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
	return parents.flatMap((parent) => [parent, `www.${parent}`]);
}

/**
 * Why a link is not followed in a place, or undefined where it is. `owners` are the programs whose domain, where it counts, holds
 * the host. Where domains need proof, a proxy's host that is not proved is nobody's: links there would lead anywhere in its name.
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

/** A name, not an address: its last label has a letter. */
export function isName(host: string): boolean {
	return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(host) && /[a-z]/.test(host.split('.').at(-1) ?? '');
}

/** Whether the address is a page of the domain: of any of its hosts, on any port, and of nobody who logs in. */
export function isPageOf(domain: string, address: string): boolean {
	const page = parseWebAddress(address);
	return page !== undefined && page.username === '' && page.password === '' && isWithin(page.hostname, bareDomain(domain));
}
