import * as z from 'zod';
import { ApiFault, type Cloudflare, type Headers } from './cloudflare.ts';
import type { BucketName } from './config.ts';
import type { Plan } from './plan.ts';
import { type Database, isJurisdiction, madeOnce } from './resources.ts';
import type { Steps } from './steps.ts';
import type { Surroundings } from './surroundings.ts';

/** Without their bucket, files of retired clicks cannot be read, and nobody can be erased from them. */
export async function warnOfClickFiles(
	{ cloudflare, account, bucketBefore, config }: Plan,
	database: Database | undefined,
	steps: Steps,
	{ say }: Surroundings,
): Promise<void> {
	const name = config.clickBucket?.name;
	if (!cloudflare || account === undefined || !database || !bucketBefore || bucketBefore.name === name) return;
	const files = await steps.look('Could not count the files of retired clicks', () => countClickFiles(cloudflare, account, database.uuid));
	if (files === 0) return;
	const advice =
		name === undefined
			? `Clicks that expire from now on are deleted. To keep the bucket: --click-bucket ${bucketBefore.name}`
			: `Copy them to ${name}, with their metadata.`;
	say(
		`Warning: the bucket ${bucketBefore.name} holds files of retired clicks (${files}), and this deployment no longer uses it. Those clicks disappear from lists and archives, and people who have them cannot be erased. ${advice}`,
	);
}

export async function provideBucket({ cloudflare, account, location }: Plan, bucket: BucketName | undefined, steps: Steps): Promise<void> {
	if (!bucket) return;
	const { name, jurisdiction } = bucket;
	const where = jurisdiction === undefined ? '' : ` in ${jurisdiction}`;
	if (!cloudflare || account === undefined) {
		await steps.do(`create the R2 bucket ${name}${where}, if it does not exist`, () => undefined);
		return;
	}
	const isThere = await steps.look('Could not read the R2 bucket', () => findBucket(cloudflare, account, bucket));
	if (isThere) steps.there(`R2 bucket ${name}${where}`, undefined);
	else await steps.do(`create the R2 bucket ${name}${where}`, () => createBucket(cloudflare, account, bucket, location));
}

const Bucket = z.object({ name: z.string() });

async function findBucket(cloudflare: Cloudflare, account: string, bucket: BucketName): Promise<boolean> {
	return (await cloudflare.find(`/accounts/${account}/r2/buckets/${bucket.name}`, Bucket, inJurisdiction(bucket))) !== undefined;
}

/** Creates the bucket near the database. */
async function createBucket(cloudflare: Cloudflare, account: string, bucket: BucketName, location: string): Promise<void> {
	const hint = location === '' || isJurisdiction(location) ? {} : { locationHint: location };
	await madeOnce(
		async () => {
			await cloudflare.create(`/accounts/${account}/r2/buckets`, { name: bucket.name, ...hint }, z.unknown(), inJurisdiction(bucket));
			return true;
		},
		async () => (await findBucket(cloudflare, account, bucket)) || undefined,
	);
}

function inJurisdiction({ jurisdiction }: BucketName): Headers {
	return jurisdiction === undefined ? {} : { 'cf-r2-jurisdiction': jurisdiction };
}

/** How many files of retired clicks the service has written. A database of an earlier version has none. */
async function countClickFiles(cloudflare: Cloudflare, account: string, database: string): Promise<number> {
	try {
		const sql = 'SELECT coalesce(sum(files), 0) AS files FROM retired_click_days';
		const [row] = await cloudflare.query(account, database, sql, z.object({ files: z.number() }));
		return row?.files ?? 0;
	} catch (error) {
		if (error instanceof ApiFault && error.message.includes('no such table')) return 0;
		throw error;
	}
}
