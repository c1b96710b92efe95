import type { Context as HonoContext } from 'hono';
import type { Context } from '../context.ts';

/** What wrangler.toml cannot say: a secret that a deployment may have or not. */
interface OptionalSecrets {
	/** What a shop's proxy shows for its X-Forwarded-For to count. */
	readonly PROXY_SECRET?: string;
}

/** What every route finds on its Hono context. */
export interface AppEnv {
	Bindings: Env & OptionalSecrets;
	Variables: {
		ctx: Context;
		/** Of the program key that was sent, once it may be looked up. */
		keyHash?: string;
		/** Of the session token that was sent, once it is counted. */
		sessionHash?: string;
		/** The `error` of a 500 on this route. */
		faultMessage?: string;
	};
}

/** What a function may ask of any route. Only a middleware sets: it says what, to the handlers behind it. */
export type AppContext = Omit<HonoContext<AppEnv>, 'set'>;
