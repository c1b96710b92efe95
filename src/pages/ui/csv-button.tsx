import { Download } from 'lucide-react';
import { Button } from 'react-aria-components';
import { type Answered, responseOf } from '../api.ts';
import { saveFile } from './save-file.ts';
import { toast } from './toasts.tsx';
import { useAction } from './use-action.ts';

/**
 * Downloads all rows of the list from the service, in the program's time zone. `ask` is the page's own call, with these headers and without
 * a cursor.
 */
export function CsvButton({
	label = 'CSV',
	ask,
	onSaved,
}: {
	label?: string;
	ask: (options: { headers: { Accept: string } }) => Promise<Answered>;
	onSaved?: (text: string) => void;
}) {
	const download = useAction({
		send: async () => saveCsv(await responseOf(ask({ headers: { Accept: 'text/csv' } }))),
		onDone: onSaved,
		isRead: true,
	});
	return (
		<Button className="react-aria-Button csv" isPending={download.isPending} onPress={() => download.mutate()}>
			<Download size={14} />
			<span>{label}</span>
		</Button>
	);
}

export async function saveCsv(response: Answered): Promise<string> {
	const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'table.csv';
	const text = await response.text();
	saveFile(name, text, 'text/csv');
	if (response.headers.get('X-Next-Cursor') !== null)
		toast({
			title: 'The file contains only the first rows',
			text: 'To download the rest, filter the list and download it in parts.',
			isError: true,
		});
	return text;
}
