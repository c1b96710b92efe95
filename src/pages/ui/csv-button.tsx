import { Button } from 'react-aria-components';
import { type Answered, responseOf } from '../api.ts';
import { useAction } from './use-action.ts';

/**
 * What the page shows, as a file: the service makes it, of all rows and in the program's zone.
 * `ask` is the call that brought the page, made with these headers and no cursor.
 */
export function CsvButton({ ask }: { ask: (options: { headers: { Accept: string } }) => Promise<Answered> }) {
	const download = useAction({
		send: async () => save(await responseOf(ask({ headers: { Accept: 'text/csv' } }))),
	});
	return (
		<Button isPending={download.isPending} onPress={() => download.mutate()}>
			CSV
		</Button>
	);
}

async function save(response: Answered): Promise<void> {
	const link = document.createElement('a');
	link.href = URL.createObjectURL(new Blob([await response.text()], { type: 'text/csv' }));
	link.download = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'table.csv';
	link.click();
	URL.revokeObjectURL(link.href);
}
