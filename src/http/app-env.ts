import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';

/** What every route finds on its Hono context. */
export interface AppEnv {
	Bindings: Env;
	Variables: {
		ctx: Context;
		/** The `error` of a 500 on this route. */
		faultMessage?: string;
	};
}

export type AppContext = HonoContext<AppEnv>;
