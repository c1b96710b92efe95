import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

await applyD1Migrations(env.DB, env.MIGRATIONS);
await applyD1Migrations(env.EMPTY_DB, env.MIGRATIONS);
await applyD1Migrations(env.EXAMPLES_DB, env.MIGRATIONS);
