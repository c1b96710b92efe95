export function saveFile(name: string, content: string | readonly Blob[], type: string): void {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob(typeof content === 'string' ? [content] : [...content], { type }));
	link.download = name;
	link.click();
	URL.revokeObjectURL(link.href);
}
