/** The host of a pasted address, such as shop.example of https://shop.example/tea. Other text is returned trimmed. */
export function domainOf(text: string): string {
	const trimmed = text.trim();
	if (!/[/:?#@]/.test(trimmed)) return trimmed;
	const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed.replace(/^\/+/, '')}`);
	return url?.hostname || trimmed;
}
