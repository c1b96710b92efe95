import type { Context as HonoContext } from 'hono';
import type { Context, OptionalBindings } from '../context.ts';
import type { ReceivedEvent } from '../processor/receive-processor-event.ts';

/** The variables of every route's Hono context. */
export interface AppEnv {
	Bindings: Omit<Env, keyof OptionalBindings> & OptionalBindings;
	Variables: {
		ctx: Context;
		/** Set if this route reads the primary even if a bookmark was sent. */
		readsPrimary?: true;
		/** Identifies the request in logs. */
		requestId: string;
		/** The hash of the program key that was sent, once the limits allow a look-up. */
		keyHash?: string;
		/** The hash of the session token, once it has passed the rate limit. */
		sessionHash?: string;
		/** The processor event in this request, once accepted. */
		received?: ReceivedEvent | undefined;
		/** The `error` to send if this route fails with 500. */
		faultMessage?: string;
	};
}

/** The context as any function may read it. Only middleware sets variables, typed for the handlers that follow. */
export type AppContext = Omit<HonoContext<AppEnv>, 'set'>;
