import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
	interface ProvidedContext {
		/** The seed of random tests: see vitest.config.ts. */
		seed: number;
		/** Whether the tests try every case, of which a push only samples some: see vitest.config.ts. */
		thorough: boolean;
		/** Whether pay runs have the size of a large program: see test/support/pools.ts. */
		fullSize: boolean;
	}
}

fc.configureGlobal({ seed: inject('seed') });
