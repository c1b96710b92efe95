import { Hono } from 'hono';
import type { AppEnv } from './app-env.ts';

export const tracking = new Hono<AppEnv>();
tracking.post('/click', (c) => c.json({ success: true }));
