/** The host without the dot at its end: to DNS `shop.example.` is `shop.example`, though browsers keep the dot. A port may follow. */
export function bareHost(host: string): string {
	return host.replace(/(?<=[^.])\.(?=:\d+$|$)/, '');
}
