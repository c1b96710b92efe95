import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
	interface ProvidedContext {
		/** See vitest.config.ts. */
		seed: number;
		/** Tries every case, of which a push only samples some: see vitest.config.ts. */
		thorough: boolean;
		/** Pay runs have the size of a large program: see test/support/pools.ts. */
		fullSize: boolean;
	}
}

fc.configureGlobal({ seed: inject('seed') });
