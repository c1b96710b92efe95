import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';

/** What every route finds on its Hono context. */
export interface AppEnv {
	Bindings: Env;
	Variables: {
		ctx: Context;
		/** The `error` of a 500 on this route. */
		faultMessage?: string;
		/** The page asks for cookies, and may have them: its browser needs to be told so, whatever the answer. */
		takesCookies?: boolean;
	};
}

export type AppContext = HonoContext<AppEnv>;
