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
			'OpenAPI 3.1. Pages of any origin may read it. Send its ETag as `If-None-Match`; if the document is unchanged, the response is 304.',
		caller: 'anybody',
		answers: {
			200: {
				description: 'The document.',
				schema: z.looseObject({
					openapi: is(z.string().check(z.regex(/^3\.1\.\d+$/)), 'The version of OpenAPI.'),
					info: is(z.looseObject({}), 'Describes the service.'),
					paths: is(z.looseObject({}), 'All paths.'),
				}),
				headers: { ETag: 'Identifies the version of the document.' },
			},
			304: { description: 'Unchanged.' },
		},
		examples: [],
	},
];
