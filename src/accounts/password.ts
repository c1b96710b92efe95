import { Buffer } from 'node:buffer';
import { GUESSABLE, isGuessable } from '../domain/people/guessable-password.ts';
import { invalid } from '../domain/rejection.ts';
import { onceImported } from '../once.ts';
import { serialized, type Lane } from './serialized.ts';

/** 16 MiB and about 0.1 s per guess. Each hash stores its parameters, so these can be raised. */
const COST = { N: 2 ** 14, r: 8, p: 5 } as const;
/** A pause after each hash lets clicks and sales run. */
const REST_MS = 50;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** Loaded on demand, because it slows each isolate's start and clicks and sales do not need it. */
const nodeCrypto = onceImported(() => import('node:crypto'));

/** Rejects an easily guessed password with 400 and names the field. */
export function requireUnguessable(field: string, password: string, person: { readonly email: string; readonly name: string }): void {
	if (isGuessable(password, person)) throw invalid(`${field} ${GUESSABLE}`);
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export async function hashPassword(lane: Lane, password: string): Promise<string> {
	const { randomBytes } = await nodeCrypto();
	const salt = randomBytes(SALT_BYTES);
	const hash = await serialized(lane, () => derive(password, salt, HASH_BYTES, COST), restAfter(COST));
	return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Takes equally long without a stored hash, so that timing does not reveal whether the account exists. */
export async function isPassword(lane: Lane, password: string, stored: string | undefined): Promise<boolean> {
	const { timingSafeEqual } = await nodeCrypto();
	const { cost, salt, hash } = parseStored(stored ?? NOBODY);
	const actual = await serialized(lane, () => derive(password, salt, hash.length, cost), restAfter(cost));
	return timingSafeEqual(actual, hash) && stored !== undefined;
}

/** The stored hash for people without a password. It matches nothing. */
export const NOBODY = ['scrypt', COST.N, COST.r, COST.p, 'A'.repeat(24), `${'A'.repeat(43)}=`].join('$');

function parseStored(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
	const [scheme, N, r, p, salt, hash] = stored.split('$');
	if (scheme !== 'scrypt' || !salt || !hash) throw new Error('users.password_hash has an unknown form');
	return { cost: { N: Number(N), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}

interface Cost {
	readonly N: number;
	readonly r: number;
	readonly p: number;
}

/** scrypt's running time is proportional to this. */
const workOf = ({ N, r, p }: Cost) => N * r * p;

const restAfter = (cost: Cost) => REST_MS * (workOf(cost) / workOf(COST));

/** NFKC, because keyboards and systems may encode the same password differently. */
async function derive(password: string, salt: Buffer, length: number, cost: Cost): Promise<Buffer> {
	const { scrypt } = await nodeCrypto();
	const options = { ...cost, maxmem: 256 * cost.N * cost.r };
	return new Promise((resolve, reject) => {
		scrypt(password.normalize('NFKC'), salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
	});
}
