import { Hono } from 'hono';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { isSlug } from '../../../domain/slug.ts';
import { once } from '../../../once.ts';
import { type ApplicationForm, readApplicationForm, type Terms } from '../../../applications/application-form.ts';
import { changeApplicationForm } from '../../../applications/change-application-form.ts';
import type { AppEnv } from '../../app-env.ts';
import { Changes, FreeText, Id } from '../../fields.ts';
import { body, noQuery } from '../../validate.ts';
import { requireProgram } from '../session.ts';

export const MODES = ['closed', 'by_approval', 'automatic'] as const;

const SLUG = 'must be 3 to 63 of the characters a-z 0-9 - and must not begin or end with -';

export const FormChangeRequest = once(() =>
	Changes(
		{
			slug: z.optional(z.string(SLUG).check(z.refine(isSlug, SLUG))),
			applications: z.optional(z.enum(MODES, `must be one of ${MODES.join(', ')}`)),
			description: z.nullish(FreeText(5_000)),
			terms: z.nullish(FreeText(20_000)),
			group_id: z.nullish(Id()),
		},
		'Send at least one field to change',
	),
);

/** /api/v1/programs/:id/application-form */
export const applicationForm = new Hono<AppEnv>()
	.get('/', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		return c.json({ success: true, data: formOnWire(await readApplicationForm(ctx, program.id)) });
	})
	.patch('/', requireProgram('admin'), body(FormChangeRequest), async (c) => {
		const { ctx, program } = c.var;
		const { applications: mode, group_id: groupId, ...changes } = c.req.valid('json');
		return c.json({ success: true, data: formOnWire(await changeApplicationForm(ctx, program, { ...changes, mode, groupId })) });
	});

function formOnWire({ slug, mode, description, terms, groupId }: ApplicationForm) {
	return { slug, applications: mode, description, terms: termsOnWire(terms), group_id: groupId };
}

export function termsOnWire(terms: Terms | null) {
	return terms && { version: terms.version, text: terms.text, since: isoOf(terms.createdAt) };
}
