import { defineConfig } from 'vitest/config';
import { inNode, inWorkerd, keepDatabasesInMemory, provided } from './test/support/pools.ts';

keepDatabasesInMemory();

export default defineConfig({
	test: { provide: provided(), projects: [inNode, inWorkerd('that need it')] },
});
