import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
	interface ProvidedContext {
		/** Where random tests begin: see vitest.config.ts. */
		seed: number;
	}
}

fc.configureGlobal({ seed: inject('seed') });
