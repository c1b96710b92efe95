import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;

/** A password hash is dear by design. Where its strength is not what is tried, a dear one costs this process nothing. */
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
	const isDear = (cost.N ?? 0) > 1_000;
	if (isDear) done(null, crypto.createHash('sha512').update(password).update(salt).digest().subarray(0, length));
	else scrypt(password, salt, length, cost, done);
}
