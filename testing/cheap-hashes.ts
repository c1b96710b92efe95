import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;

/** Makes password hashes cheap in this process, for tests that do not depend on their strength. */
export function hashCheaply(): void {
	Object.assign(crypto, { scrypt: cheapScrypt });
	syncBuiltinESMExports();
}

function cheapScrypt(
	password: crypto.BinaryLike,
	salt: crypto.BinaryLike,
	length: number,
	cost: crypto.ScryptOptions,
	done: (error: Error | null, key: Buffer) => void,
): void {
	const isExpensive = (cost.N ?? 0) > 1_000;
	if (isExpensive) done(null, crypto.createHash('sha512').update(password).update(salt).digest().subarray(0, length));
	else scrypt(password, salt, length, cost, done);
}
