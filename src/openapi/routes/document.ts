import * as z from 'zod/mini';
import { is } from '../json-schema.ts';
import type { Operation } from '../operation.ts';

export const document: readonly Operation[] = [
	{
		method: 'get',
		path: '/api/openapi.json',
		id: 'readDocument',
		tag: 'Operations',
		summary: 'This document',
		description:
			'OpenAPI 3.1. Pages of any origin may read it. It has an ETag: send it back as `If-None-Match`, and an unchanged document is 304.',
		caller: 'anybody',
		answers: {
			200: {
				description: 'The document.',
				schema: z.looseObject({
					openapi: is(z.string().check(z.regex(/^3\.1\.\d+$/)), 'The version of OpenAPI.'),
					info: is(z.looseObject({}), 'What the service is.'),
					paths: is(z.looseObject({}), 'Every path.'),
				}),
				headers: { ETag: 'Tells one version of the document from another.' },
			},
			304: { description: 'Unchanged.' },
		},
		examples: [],
	},
];
