/** The host without its final dot: `shop.example.` is `shop.example` to DNS, though browsers keep the dot. A port may follow. */
export function bareHost(host: string): string {
	return host.replace(/(?<=[^.])\.(?=:\d+$|$)/, '');
}
