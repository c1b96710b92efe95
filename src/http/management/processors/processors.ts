import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import * as z from 'zod/mini';
import { isoOf } from '../../../domain/instant.ts';
import { invalid, notFound } from '../../../domain/rejection.ts';
import { once } from '../../../once.ts';
import { connectProcessor } from '../../../processor/connect-processor.ts';
import { disconnectProcessor } from '../../../processor/disconnect-processor.ts';
import { type Endpoint, findEndpoint, listEndpoints } from '../../../processor/endpoint.ts';
import type { Processor } from '../../../processor/processor.ts';
import { makeSecret, rollSecret } from '../../../processor/roll-secret.ts';
import { isProcessorName, loadProcessor, PROCESSOR_NAMES } from '../../../processor/processors.ts';
import type { AppContext, AppEnv } from '../../app-env.ts';
import { Flag, Strict, Whole } from '../../fields.ts';
import { body, noQuery, optionalBody } from '../../validate.ts';
import { requireProgram } from '../session.ts';

export const MAX_SECRETS = 5;

/** Its format is checked once the processor is known. */
const Secret = once(() => z.string('must be a signing secret'));
const Secrets = once(() =>
	z
		.array(Secret(), 'must be a list of signing secrets')
		.check(z.minLength(1, 'must have at least one'), z.maxLength(MAX_SECRETS, `must have at most ${MAX_SECRETS}`)),
);

export const AmountBasisField = once(() => z.optional(z.enum(['net', 'gross'], 'must be "net" (without tax) or "gross"')));

export const ProcessorRequest = once(() =>
	Strict({
		webhook_secret: z.optional(Secret()),
		webhook_secrets: z.optional(Secrets()),
		test_webhook_secrets: z.optional(Secrets()),
		amount_basis: AmountBasisField(),
	}),
);

const MOST_OVERLAP_HOURS = 168;

export const RollRequest = once(() =>
	Strict({
		webhook_secret: z.optional(Secret()),
		test: z.optional(Flag()),
		overlap_hours: z._default(Whole(0, MOST_OVERLAP_HOURS), 24),
	}),
);

/** Rejects with 404 if the processor's name is unknown. */
const requireProcessor = createMiddleware<AppEnv & { Variables: { processor: Processor } }>(async (c, next) => {
	const name = c.req.param('processor') ?? '';
	if (!isProcessorName(name)) throw notFound('Processor');
	c.set('processor', await loadProcessor(name));
	await next();
});

/** /api/v1/programs/:id/processors */
export const processors = new Hono<AppEnv>()
	.get('/', requireProgram('member'), noQuery, async (c) => {
		const { ctx, program } = c.var;
		const endpoints = await listEndpoints(ctx, program.id);
		const all = await Promise.all(PROCESSOR_NAMES.map(loadProcessor));
		return c.json({ success: true, data: all.map((processor) => onWire(c, processor, endpoints.get(processor.name))) });
	})
	.get('/:processor', requireProgram('member'), noQuery, requireProcessor, async (c) => {
		const { ctx, program, processor } = c.var;
		return c.json({ success: true, data: onWire(c, processor, await findEndpoint(ctx, program.id, processor.name)) });
	})
	.put('/:processor', requireProgram('admin'), requireProcessor, body(ProcessorRequest), async (c) => {
		const { ctx, program, processor } = c.var;
		const { amount_basis: amountBasis, ...sent } = c.req.valid('json');
		const endpoint = await connectProcessor(ctx, program, processor, { secrets: secretsIn(processor, sent), amountBasis });
		return c.json({ success: true, data: onWire(c, processor, endpoint) });
	})
	.post('/:processor/secret', requireProgram('admin'), requireProcessor, optionalBody(RollRequest), async (c) => {
		const { ctx, program, processor } = c.var;
		const { webhook_secret: sent, test: isTest, overlap_hours: overlapHours } = c.req.valid('json');
		const made = sent === undefined && processor.secretForm.isOurs ? makeSecret(processor.secretForm) : undefined;
		const secret = requireSecret(processor, sent ?? made, isTest);
		const endpoint = await rollSecret(ctx, program, processor, { ...secret, overlapHours });
		return c.json({ success: true, data: { ...onWire(c, processor, endpoint), webhook_secret: made ?? null } }, 201);
	})
	.delete('/:processor', requireProgram('admin'), requireProcessor, async (c) => {
		const { ctx, program, processor } = c.var;
		await disconnectProcessor(ctx, program, processor);
		return c.json({ success: true, data: null });
	});

type SentSecrets = Omit<z.output<ReturnType<typeof ProcessorRequest>>, 'amount_basis'>;

/** Rejects with 400 if a secret does not have the processor's format. */
function secretsIn({ title, secretForm }: Processor, sent: SentSecrets) {
	const { webhook_secret: secret, webhook_secrets: several, test_webhook_secrets: ofTests = [] } = sent;
	const { pattern, error, namesMode } = secretForm;
	const isLive = secret !== undefined || several !== undefined;
	if ((secret !== undefined && several !== undefined) || (!isLive && ofTests.length === 0))
		throw invalid('Send either webhook_secret or webhook_secrets');
	if (ofTests.length > 0 && !namesMode)
		throw invalid(
			`test_webhook_secrets is not used with ${title}, whose events name their own mode. Send all its secrets as webhook_secrets`,
		);
	const named = [
		...(secret === undefined ? [] : [['webhook_secret', secret] as const]),
		...(several ?? []).map((text, index) => [`webhook_secrets.${index}`, text] as const),
		...ofTests.map((text, index) => [`test_webhook_secrets.${index}`, text] as const),
	];
	const wrong = named.find(([, text]) => !pattern.test(text));
	if (wrong) throw invalid(`${wrong[0]} ${error}`);
	return named.map(([field, text]) => ({ secret: text, isTest: namesMode ? field.startsWith('test_') : undefined }));
}

/** Rejects with 400 if the format is wrong, or if a mode is given although the processor's secrets have none. */
function requireSecret({ title, secretForm }: Processor, secret: string | undefined, isTest: boolean | undefined) {
	const { pattern, error, namesMode } = secretForm;
	if (secret === undefined || !pattern.test(secret)) throw invalid(`webhook_secret ${error}`);
	if (isTest !== undefined && !namesMode) throw invalid(`test is not used with ${title}, whose events name their own mode`);
	return { secret, isTest: namesMode ? isTest === true : undefined };
}

/** Shows what to enter at the processor even before it is connected, because its signing secret may not exist until then. */
function onWire(c: AppContext, processor: Processor, endpoint: Endpoint | undefined) {
	const { name, title, secretForm } = processor;
	return {
		processor: name,
		title,
		secret_form: { prefix: secretForm.prefix, of_one_mode: secretForm.namesMode, made_here: secretForm.isOurs === true },
		...placeOnWire(c, processor, endpoint),
		secrets:
			endpoint?.secrets.map(({ hint, isTest, until }) => ({
				hint: hintOnWire(secretForm.prefix, hint),
				test: isTest ?? null,
				until: isoOf(until ?? null),
			})) ?? [],
	};
}

export function placeOnWire(c: AppContext, { name, eventTypes }: Processor, endpoint: Endpoint | undefined) {
	return {
		connected: endpoint !== undefined,
		webhook_url: new URL(`/webhooks/${name}/${c.req.param('id')}`, c.req.url).href,
		events: eventTypes,
		amount_basis: endpoint?.amountBasis ?? null,
		created_at: isoOf(endpoint?.createdAt ?? null),
		updated_at: isoOf(endpoint?.updatedAt ?? null),
	};
}

export function hintOnWire(prefix: string, hint: string | null): string | null {
	return hint === null ? null : `${prefix}...${hint}`;
}
