import { Hono } from 'hono';
import type { AppEnv } from '../app-env.ts';
import { auth } from './auth.ts';
import { me } from './me.ts';

/** The management API, for signed-in people: everything under /api/v1 that is not tracking. */
export const management = new Hono<AppEnv>();

management.route('/auth', auth);
management.route('/me', me);
