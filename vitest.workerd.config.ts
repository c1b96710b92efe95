import { defineConfig } from 'vitest/config';
import { inWorkerd, keepDatabasesInMemory, provided } from './test/support/pools.ts';

keepDatabasesInMemory();

// npm run test:workerd: every test of the Worker on the real D1, so that its look-alike cannot drift from it unseen. .ci/run leaves out
// what `npm test` has run there already.
const files = process.env['AFTER_NPM_TEST'] === '1' ? 'the others' : 'all';

export default defineConfig({ test: { provide: provided(), projects: [inWorkerd(files)] } });
