/** The host without its final dot, which browsers keep: to DNS, `shop.example.` is the same as `shop.example`. A port may follow. */
export function bareHost(host: string): string {
	return host.replace(/(?<=[^.])\.(?=:\d+$|$)/, '');
}
