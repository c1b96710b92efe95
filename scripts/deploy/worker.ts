import * as z from 'zod';
import { Failure } from '../../testing/failure.ts';
import type { Cloudflare } from './cloudflare.ts';
import { type BucketName, CLICK_FILES } from './config.ts';
import type { Table } from './merge.ts';

export interface LiveWorker {
	readonly vars: Readonly<Record<string, string>>;
	readonly secrets: readonly string[];
	readonly placement: Table | undefined;
	readonly databaseId: string | undefined;
	/** The bucket for retired clicks. */
	readonly clickBucket: BucketName | undefined;
	readonly domains: readonly string[];
}

const Named = z.object({ name: z.string() });
const Settings = z.object({
	bindings: z.array(
		z.looseObject({
			type: z.string(),
			name: z.string(),
			text: z.optional(z.string()),
			id: z.optional(z.string()),
			bucket_name: z.optional(z.string()),
			jurisdiction: z.nullish(z.string()),
		}),
	),
	placement: z.nullish(z.looseObject({ mode: z.optional(z.string()), region: z.optional(z.string()) })),
});
const Domain = z.object({ hostname: z.string(), service: z.string() });

export async function findWorker(cloudflare: Cloudflare, account: string, name: string): Promise<LiveWorker | undefined> {
	const path = `/accounts/${account}/workers/scripts/${name}`;
	const settings = await cloudflare.find(`${path}/settings`, Settings);
	if (!settings) return undefined;
	// Secrets missing from this list would be replaced, and old click ids and keys would become unreadable. So the Worker's list of secrets is
	// read too.
	const secrets = (await cloudflare.find(`${path}/secrets`, z.array(Named))) ?? [];
	const bound = (type: string) => settings.bindings.filter((binding) => binding.type === type);
	const database = bound('d1').find((binding) => binding.name === 'DB');
	const bucket = bound('r2_bucket').find((binding) => binding.name === CLICK_FILES);
	if (!database && !secrets.some((secret) => secret.name === 'SECRETS'))
		throw new Failure(`The account has a Worker ${name} that is not this service. Choose another name: --name.`);
	const { mode, region } = settings.placement ?? {};
	return {
		// Unquoted numbers become JSON bindings.
		vars: Object.fromEntries(
			[...bound('plain_text'), ...bound('json')].map((binding) => [binding.name, binding.text ?? JSON.stringify(binding['json']) ?? '']),
		),
		secrets: [...new Set([...secrets, ...bound('secret_text')].map((secret) => secret.name))],
		placement: region !== undefined ? { region } : mode === 'smart' ? { mode } : undefined,
		databaseId: database?.id,
		clickBucket:
			bucket?.bucket_name === undefined ? undefined : { name: bucket.bucket_name, jurisdiction: bucket.jurisdiction ?? undefined },
		domains: (await findDomains(cloudflare, account)).filter((domain) => domain.service === name).map((domain) => domain.hostname),
	};
}

export async function findDomains(cloudflare: Cloudflare, account: string): Promise<z.infer<typeof Domain>[]> {
	return (await cloudflare.find(`/accounts/${account}/workers/domains`, z.array(Domain))) ?? [];
}

/** The account's workers.dev subdomain. */
export async function findSubdomain(cloudflare: Cloudflare, account: string): Promise<string | undefined> {
	return (await cloudflare.find(`/accounts/${account}/workers/subdomain`, z.object({ subdomain: z.string() })))?.subdomain;
}
