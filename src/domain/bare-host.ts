/** Removes the final dot, because `shop.example.` and `shop.example` are the same host. A port may follow. */
export function bareHost(host: string): string {
	return host.replace(/(?<=[^.])\.(?=:\d+$|$)/, '');
}
