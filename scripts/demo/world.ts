import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { isOriginAllowed } from '../../src/domain/origin.ts';
import { call, dataOf } from './api.ts';
import { Failure } from '../../testing/failure.ts';
import { ROOT } from '../../testing/root.ts';

const DemoWorld = z.object({
	/** The service's URL when it last started. */
	url: z.string(),
	email: z.string(),
	password: z.string(),
	/** The partner signs in with the same password. Older demo worlds have no such address. */
	partnerEmail: z.optional(z.string()),
	programId: z.int(),
	apiToken: z.string(),
	partnerId: z.int(),
	referralLinkId: z.int(),
	shortLink: z.string(),
});

/** A demo program with one partner, and its credentials. */
export type DemoWorld = z.infer<typeof DemoWorld>;

/** The URL at which `npm run example` opens the demo shop. */
const SHOP = 'http://localhost:3000';

/** Pages on this machine, on any port. */
const LOCAL_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];

const Session = z.object({ token: z.string() });
const Program = z.object({ id: z.int(), api_token: z.string() });
const Origins = z.object({ allowed_origins: z.array(z.string()) });
const Links = z.array(z.object({ id: z.int(), destination_url: z.nullable(z.string()) }));
const Partner = z.object({
	id: z.int(),
	invitation_url: z.string(),
	links: z.tuple([z.object({ id: z.int(), short_link: z.string() })], z.unknown()),
});

/** The credentials are stored next to the data they belong to. */
export function demoFile(persistTo: string | undefined): string {
	return resolve(ROOT, persistTo ?? '.wrangler', 'demo.json');
}

/** The database's existing demo world, or a new one. */
export async function openDemoWorld(url: string, file: string): Promise<{ readonly world: DemoWorld; readonly isNew: boolean }> {
	const earlier = readDemoWorld(file);
	const isNew = !earlier || !(await isThere(url, earlier));
	const world = isNew ? await createDemoWorld(url) : { ...earlier, url };
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(world, null, '\t')}\n`, { mode: 0o600 });
	return { world, isNew };
}

/** The stored demo world, if it is readable. */
export function readDemoWorld(file: string): DemoWorld | undefined {
	if (!existsSync(file)) return undefined;
	try {
		return DemoWorld.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return undefined;
	}
}

/** The shop's page, with the partner's short link in the query string. */
export function referralUrl(world: DemoWorld): string {
	return `${SHOP}/?aff=${world.shortLink}`;
}

/**
 * Adds the shop's origin to the program and points the partner's link to the shop. The returned function undoes only that, and keeps any
 * other changes made since.
 */
export async function openShop(world: DemoWorld, shop: string): Promise<() => Promise<void>> {
	const token = await signIn(world);
	const { url, programId, referralLinkId } = world;
	const program = `/api/v1/programs/${programId}`;
	const originsOf = async () => Origins.parse(await dataOf(url, program, { token })).allowed_origins;
	const list = (allowed_origins: string[]) => dataOf(url, program, { method: 'PATCH', token, body: { allowed_origins } });
	const linkLeads = async () => {
		const links = Links.parse(await dataOf(url, `${program}/links?limit=200`, { token }));
		return links.find(({ id }) => id === referralLinkId)?.destination_url;
	};
	const lead = (destination_url: string | null) =>
		dataOf(url, `${program}/links/${referralLinkId}`, { method: 'PATCH', token, body: { destination_url } });

	const [listed, destination] = [await originsOf(), await linkLeads()];
	const isNewOrigin = !isOriginAllowed(shop, listed);
	const undo = async () => {
		if (isNewOrigin) await list((await originsOf()).filter((origin) => origin !== shop));
		if (destination !== undefined && (await linkLeads()) === `${shop}/`) await lead(destination);
	};
	try {
		if (isNewOrigin) await list([...listed, shop]);
		await lead(`${shop}/`);
	} catch (error) {
		await undo();
		throw error;
	}
	return undo;
}

/** Returns a session token. */
export async function signIn(world: DemoWorld): Promise<string> {
	const { email, password, url } = world;
	const answer = await call(url, '/api/v1/auth/sign-in', { body: { email, password } });
	if (answer.status === 401)
		throw new Failure(`The password of ${email} was changed. Restart \`npm run dev\` to create another demo program.`);
	if (answer.status !== 200) throw new Failure(`The sign-in of ${email} failed with ${answer.status}: ${JSON.stringify(answer.body)}`);
	return Session.parse(answer.body['data']).token;
}

/** Whether the demo world still works: its data may have been deleted, or its key rotated. */
async function isThere(url: string, { email, password, programId, partnerId, apiToken }: DemoWorld): Promise<boolean> {
	const session = await call(url, '/api/v1/auth/sign-in', { body: { email, password } });
	if (session.status !== 200) return false;
	const { token } = Session.parse(session.body['data']);
	const partner = await call(url, `/api/v1/programs/${programId}/partners/${partnerId}`, { token });
	// If the key is valid, refunding an unknown sale is refused with 404 and changes nothing.
	const key = await call(url, '/api/v1/track/refund', { token: apiToken, body: { transaction_id: 'is-the-key-good' } });
	return partner.status === 200 && key.status === 404;
}

async function createDemoWorld(url: string): Promise<DemoWorld> {
	const password = randomBytes(12).toString('base64url');
	const person = await firstFree('demo', async (name) => {
		const email = `${name}@example.com`;
		const { status, body } = await call(url, '/api/v1/auth/sign-up', {
			body: { email, password, name: 'Demo Owner', workspace_name: 'Demo workspace' },
		});
		return { status, body, email };
	});
	const { token } = Session.parse(person.body['data']);
	const program = Program.parse(
		await dataOf(url, '/api/v1/programs', {
			token,
			body: { name: 'Demo shop', allowed_origins: LOCAL_ORIGINS, commission: { type: 'percent', percent: 20 } },
		}),
	);
	// The partner's address gets the same suffix as the owner's, so it is available too.
	const partnerEmail = person.email.replace('demo', 'dana');
	const { body } = await firstFree('demo', (shortLink) =>
		call(url, `/api/v1/programs/${program.id}/partners`, {
			token,
			body: { name: 'Dana Partner', email: partnerEmail, short_link: shortLink },
		}),
	);
	const partner = Partner.parse(body['data']);
	const [link] = partner.links;
	await dataOf(url, `${new URL(partner.invitation_url).pathname}/accept`, { body: { name: 'Dana Partner', password } });
	await leadTo(url, token, { programId: program.id, referralLinkId: link.id }, SHOP);
	return {
		url,
		email: person.email,
		password,
		partnerEmail,
		programId: program.id,
		apiToken: program.api_token,
		partnerId: partner.id,
		referralLinkId: link.id,
		shortLink: link.short_link,
	};
}

async function leadTo(url: string, token: string, link: Pick<DemoWorld, 'programId' | 'referralLinkId'>, shop: string): Promise<void> {
	const path = `/api/v1/programs/${link.programId}/links/${link.referralLinkId}`;
	await dataOf(url, path, { method: 'PATCH', token, body: { destination_url: `${shop}/` } });
}

/** Tries the plain name first. If it is taken (409), adds a random suffix. */
async function firstFree<Tried extends { status: number; body: unknown }>(
	name: string,
	attempt: (name: string) => Promise<Tried>,
): Promise<Tried> {
	const plain = await attempt(name);
	const tried = plain.status === 409 ? await attempt(`${name}-${randomBytes(3).toString('hex')}`) : plain;
	if (tried.status !== 201) throw new Failure(`Could not create the demo data: ${tried.status} ${JSON.stringify(tried.body)}`);
	return tried;
}
