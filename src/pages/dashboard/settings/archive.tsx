import { useState } from 'react';
import { Button } from 'react-aria-components';
import { api, responseOf } from '../../api.ts';
import { count } from '../../format.ts';
import { Card } from '../../ui/page.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';

const MEGABYTE = 1_000_000;

/** One file, however many parts the service sends. */
export function Archive() {
	const { programId } = useProgram();
	const [bytes, setBytes] = useState(0);
	const download = useAction({
		isRead: true,
		send: async () => {
			setBytes(0);
			const parts: Blob[] = [];
			let cursor: string | undefined;
			do {
				const response = await responseOf(api.v1.programs[':id'].archive.$get({ param: { id: programId }, query: { cursor } }));
				const part = await wholeOf(response, (more) => setBytes((before) => before + more));
				cursor = await nextOf(part);
				parts.push(part);
			} while (cursor !== undefined);
			saveFile(`program-${programId}.ndjson`, parts, 'application/x-ndjson');
		},
		successMessage: () => 'The complete archive was downloaded',
	});
	return (
		<Card title="Archive">
			<div className="stack">
				<p>
					The archive contains all rows of the program, one JSON object per line: partners, links, clicks, customers, leads, sales, refunds,
					commissions, ledger, payouts and more. It never contains keys or full account numbers.
				</p>
				<p className="description">
					It may identify customers, so store it as carefully as your accounting records. The audit log records each download.
				</p>
				<div className="actions">
					<span className="quiet" role="status">
						{download.isPending && `${count(Math.round((bytes / MEGABYTE) * 10) / 10)} MB so far`}
					</span>
					<Button className="react-aria-Button primary" isPending={download.isPending} onPress={() => download.mutate()}>
						Download the archive
					</Button>
				</div>
			</div>
		</Card>
	);
}

async function wholeOf(response: { readonly body: ReadableStream<Uint8Array> | null }, onMore: (bytes: number) => void): Promise<Blob> {
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	const reader = response.body?.getReader();
	for (;;) {
		const read = await reader?.read();
		if (!read?.value) break;
		chunks.push(new Uint8Array(read.value));
		onMore(read.value.length);
	}
	return new Blob(chunks);
}

const LAST_LINE_BYTES = 2_000;

/** The last line says where the next part begins; undefined after the last part. Without that line, the transfer was interrupted. */
async function nextOf(part: Blob): Promise<string | undefined> {
	const last = (await part.slice(-LAST_LINE_BYTES).text()).trimEnd().split('\n').at(-1) ?? '';
	const [, cursor] = /^\{"record":"end","next_cursor":(?:"([^"]+)"|null)\}$/.exec(last) ?? [];
	if (!last.startsWith('{"record":"end"')) throw new Error('The transfer was interrupted. Try again.');
	return cursor;
}
