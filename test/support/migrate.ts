import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

// The tests that use another database migrate it themselves.
await applyD1Migrations(env.DB, env.MIGRATIONS);
