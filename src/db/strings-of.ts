export function stringsOf(json: string): string[] {
	const value: unknown = JSON.parse(json);
	return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
