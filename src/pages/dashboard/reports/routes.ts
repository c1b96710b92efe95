import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { program } from '../parents.ts';
import { RangeSearch } from '../search.ts';

const overview = createRoute({
	getParentRoute: () => program,
	path: '/',
	validateSearch: z.object({ ...RangeSearch }),
	component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
});

export const ofProgram = [overview] as const;
