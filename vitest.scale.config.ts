import { defineConfig } from 'vitest/config';
import { inWorkerdAtScale, keepDatabasesInMemory, provided } from './test/support/pools.ts';

keepDatabasesInMemory();

// npm run test:scale: the budget of every read (decision 61), on a filled program. Apart from `npm test`: to fill it takes half a minute.
export default defineConfig({ test: { provide: provided(), projects: [inWorkerdAtScale] } });
