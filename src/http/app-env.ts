import type { Context as HonoContext } from 'hono';
import type { Context, OptionalSecrets } from '../context.ts';
import type { ReceivedEvent } from '../processor/receive-processor-event.ts';

/** The variables of every route's Hono context. */
export interface AppEnv {
	Bindings: Env & OptionalSecrets;
	Variables: {
		ctx: Context;
		/** Whether this route reads the primary even if a bookmark was sent. */
		readsPrimary?: true;
		/** Identifies the request in logs. */
		requestId: string;
		/** The hash of the sent program key, once it may be looked up. */
		keyHash?: string;
		/** The hash of the session token, once it is counted. */
		sessionHash?: string;
		/** The processor's event of this request, once accepted. */
		received?: ReceivedEvent | undefined;
		/** The `error` of this route's 500. */
		faultMessage?: string;
	};
}

/** What any function may read. Only middleware sets variables, typed for the handlers after it. */
export type AppContext = Omit<HonoContext<AppEnv>, 'set'>;
