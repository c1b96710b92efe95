import { defineConfig } from 'vitest/config';
import { inNode, inNodeAlone, inWorkerd, keepDatabasesInMemory, provided } from './test/support/pools.ts';

keepDatabasesInMemory();

export default defineConfig({
	test: { provide: provided(), projects: [inNodeAlone, inNode, inWorkerd('that need it')] },
});
