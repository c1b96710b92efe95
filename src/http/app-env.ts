import type { Context as HonoContext } from 'hono';
import type { Context, OptionalBindings } from '../context.ts';
import type { ReceivedEvent } from '../processor/receive-processor-event.ts';

export interface AppEnv {
	Bindings: Omit<Env, keyof OptionalBindings> & OptionalBindings;
	Variables: {
		ctx: Context;
		/** Set if this route reads the primary even if the caller sent a bookmark. */
		readsPrimary?: true;
		requestId: string;
		/** The hash of the program key, set once the limits allow a look-up. */
		keyHash?: string;
		/** The hash of the session token, set once the rate limit has passed. */
		sessionHash?: string;
		/** The processor event, set once it is accepted. */
		received?: ReceivedEvent | undefined;
		/** The `error` that this route sends with a 500. */
		faultMessage?: string;
	};
}

/** The context for functions outside middleware, which alone sets variables. */
export type AppContext = Omit<HonoContext<AppEnv>, 'set'>;
