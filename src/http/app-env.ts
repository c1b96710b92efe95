import type { Context as HonoContext } from 'hono';
import type { Context, OptionalSecrets } from '../context.ts';
import type { ReceivedEvent } from '../processor/receive-processor-event.ts';

/** What every route finds on its Hono context. */
export interface AppEnv {
	Bindings: Env & OptionalSecrets;
	Variables: {
		ctx: Context;
		/** Whether this route reads the primary although the request brought a bookmark. */
		readsPrimary?: true;
		/** Names the request in the logs. */
		requestId: string;
		/** Of the program key that was sent, once it may be looked up. */
		keyHash?: string;
		/** Of the session token that was sent, once it is counted. */
		sessionHash?: string;
		/** The event of a payment processor that this request delivered, once it was accepted. */
		received?: ReceivedEvent | undefined;
		/** The `error` of a 500 on this route. */
		faultMessage?: string;
	};
}

/** What a function may ask of any route. Only a middleware sets: it says what, to the handlers behind it. */
export type AppContext = Omit<HonoContext<AppEnv>, 'set'>;
