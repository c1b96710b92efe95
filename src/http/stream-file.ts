import type { TypedResponse } from 'hono';
import { describeFault } from '../context.ts';
import type { AppContext } from './app-env.ts';

interface FileHead {
	readonly name: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** An error aborts the transfer, so that nobody mistakes the file for a complete one. */
export function streamFile(
	c: AppContext,
	head: FileHead,
	texts: AsyncGenerator<string, undefined>,
): Response & TypedResponse<string, 200, 'text'>;
export function streamFile(c: AppContext, { name, headers }: FileHead, texts: AsyncGenerator<string, undefined>): Response {
	const { ctx } = c.var;
	const onFault = (error: unknown) => ctx.log({ level: 'error', event: 'file_broke_off', name, ...describeFault(error) });
	return c.body(streamOf(texts, onFault), 200, { ...headers });
}

/** Requests the next chunk while the previous one is being sent. */
function streamOf(texts: AsyncGenerator<string, undefined>, onFault: (error: unknown) => void): ReadableStream<Uint8Array> {
	const utf8 = new TextEncoder();
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			try {
				const { done, value } = await texts.next();
				if (done) controller.close();
				else controller.enqueue(utf8.encode(value));
			} catch (error) {
				onFault(error);
				controller.error(error);
			}
		},
		async cancel() {
			await texts.return(undefined);
		},
	});
}
