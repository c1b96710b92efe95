import { defineConfig } from 'vitest/config';
import { inWorkerd, keepDatabasesInMemory, provided } from './test/support/pools.ts';

keepDatabasesInMemory();

// npm run test:workerd: every test of the Worker on the real D1, so that its look-alike cannot drift from it unseen.
export default defineConfig({ test: { provide: provided(), projects: [inWorkerd('all')] } });
