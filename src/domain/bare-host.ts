/** The host without a final dot. Browsers keep the dot, but to DNS, `shop.example.` is `shop.example`. A port may follow. */
export function bareHost(host: string): string {
	return host.replace(/(?<=[^.])\.(?=:\d+$|$)/, '');
}
