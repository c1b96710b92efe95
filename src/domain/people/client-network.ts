// Decides which addresses count as one client for a limit. Addresses come in whatever form the platform or a proxy writes.

/** Longer than any address, so that other input does not fill the limits' memory. */
const LENGTH_LIMIT = 64;

/**
 * The network that a limit counts: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer. Other text is only
 * truncated.
 */
export function networkOf(address: string): string {
	const text = bareAddress(address);
	const groups = groupsOf(text);
	if (!groups) return ipv4Of(text) ?? text.slice(0, LENGTH_LIMIT);
	return isMapped(groups) ? ipv4OfGroups(groups) : prefixOf(groups, 4);
}

/** The /48 of an IPv6 address, the most that one connection gets. Undefined for anything else. */
export function siteOf(address: string): string | undefined {
	const groups = groupsOf(bareAddress(address));
	return groups && !isMapped(groups) ? prefixOf(groups, 3) : undefined;
}

function prefixOf(groups: readonly number[], count: number): string {
	const kept = groups.slice(0, count).map((group) => group.toString(16));
	return `${kept.join(':')}::/${count * 16}`;
}

/**
 * The client behind a trusted proxy: the last entry of `X-Forwarded-For` except the proxy's own address, because the caller can invent
 * earlier ones.
 */
export function forwardedAddress(forwardedFor: string, proxyAddress: string | undefined): string | undefined {
	const proxy = proxyAddress === undefined ? undefined : networkOf(proxyAddress);
	return forwardedFor
		.split(',')
		.map((entry) => entry.trim())
		.findLast((entry) => entry !== '' && networkOf(entry) !== proxy);
}

/** Removes brackets, port, zone and white space, as in `[2001:db8::1%eth0]:443` or `192.0.2.1:443`. */
function bareAddress(address: string): string {
	const text = address.trim().toLowerCase();
	const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
	const withoutPort = /^([^:]+):\d+$/.exec(text)?.[1];
	return (inBrackets ?? withoutPort ?? text).replace(/%.*$/s, '');
}

function ipv4Of(text: string): string | undefined {
	if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return undefined;
	const bytes = text.split('.').map(Number);
	return bytes.every((byte) => byte <= 255) ? bytes.join('.') : undefined;
}

function groupsOf(text: string): number[] | undefined {
	if (!text.includes(':')) return undefined;
	const tail = /[^:]*$/.exec(text)?.[0] ?? '';
	const ipv4 = tail.includes('.') ? ipv4Of(tail) : undefined;
	if (tail.includes('.') && ipv4 === undefined) return undefined;
	const halves = (ipv4 === undefined ? text : text.slice(0, -tail.length) + asGroups(ipv4)).split('::');
	const [head = [], rest] = halves.map((half) => (half === '' ? [] : half.split(':')));
	const missing = 8 - head.length - (rest?.length ?? 0);
	if (halves.length > 2 || (rest ? missing < 1 : missing !== 0)) return undefined;
	const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(rest ?? [])];
	return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group)) ? groups.map((group) => Number.parseInt(group, 16)) : undefined;
}

function asGroups(ipv4: string): string {
	const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number);
	return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** `::ffff:192.0.2.1` is the IPv4 address. */
function isMapped(groups: readonly number[]): boolean {
	return groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
}

function ipv4OfGroups(groups: readonly number[]): string {
	return groups
		.slice(6)
		.flatMap((group) => [group >> 8, group & 255])
		.join('.');
}
