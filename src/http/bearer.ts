import { Rejection } from '../domain/rejection.ts';
import { sha256Hex } from '../secrets.ts';
import type { AppContext } from './app-env.ts';

/** The SHA-256 of the program key in the Authorization header. Rejects with 401 (contract, section 5, rules 1 and 2). */
export async function requireKeyHash(c: AppContext): Promise<string> {
	const header = c.req.header('Authorization');
	if (!header?.startsWith('Bearer ')) throw new Rejection('authorization_missing');
	const token = header.slice('Bearer '.length).trim();
	if (token === '') throw new Rejection('program_key_empty');
	return sha256Hex(token);
}
