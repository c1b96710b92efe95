import { type Click, parseClickId, signedText, truncateMac } from './domain/attribution/click-id.ts';

const utf8 = new TextEncoder();

/**
 * The Worker's secrets. The first of the comma-separated `SECRETS` signs and all of them verify, so that a secret can be rotated. Each
 * purpose has its own key.
 */
export interface Secrets {
	/** The truncated MAC of a new click id. */
	clickMac(click: Click): Promise<number>;
	/** The click of an id; undefined if the id is malformed, altered or invented. */
	verifyClickId(clickId: string): Promise<Click | undefined>;
	/** Keyed hashes of a normalised email address, one per secret, newest first. */
	emailHashes(email: string): Promise<string[]>;
	/** Keyed hashes of an erased id, one per secret, newest first. */
	erasedHashes(id: string): Promise<string[]>;
	/** The value that a domain must publish as proof, one per secret, newest first. */
	domainProofs(programId: number, domain: string): Promise<string[]>;
	/** Unsubscribe tokens for an email, one per secret, newest first. Anyone who has one can unsubscribe the user. */
	unsubscribeProofs(userId: number): Promise<string[]>;
	/** Proofs that a token was received by email, one per secret, newest first. */
	mailProofs(token: string): Promise<string[]>;
	/** Proofs that somebody has signed in on this device before, one per secret, newest first. */
	deviceProofs(text: string): Promise<string[]>;
	/** A stable pseudonym for a name or address in limits and logs. */
	pseudonym(text: string): Promise<string>;
	/**
	 * Encrypts with AES-GCM and returns nonce and ciphertext as base64. Opening it again requires the same `boundTo`, such as the row's key.
	 */
	seal(text: string, boundTo?: string): Promise<string>;
	/** Decrypts sealed text. Throws if no secret can decrypt it or `boundTo` differs. */
	open(sealed: string, boundTo?: string): Promise<string>;
}

/** 64 bits, so that collisions are unlikely among millions of clients. */
const PSEUDONYM_LENGTH = 16;

/** 128 bits, so that it cannot be guessed. */
const PROOF_LENGTH = 32;

const opened = new Map<string, Secrets>();

/** Caches imported keys while the isolate lives, because an import costs more than a MAC. */
export function openSecrets(list: string): Secrets {
	let secrets = opened.get(list);
	if (!secrets) {
		secrets = importSecrets(list);
		opened.set(list, secrets);
	}
	return secrets;
}

/** SHA-256, hex. Random tokens need no salt. */
export async function sha256Hex(text: string): Promise<string> {
	return hex(await crypto.subtle.digest('SHA-256', utf8.encode(text)));
}

/** Compares in constant time, through hashes of equal length. */
export async function isSameSecret(actual: string, expected: string): Promise<boolean> {
	const [a, b] = await Promise.all(
		[actual, expected].map(async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text)))),
	);
	return a !== undefined && b !== undefined && a.reduce((different, byte, index) => different | (byte ^ (b[index] ?? 0)), 0) === 0;
}

/** A random token of 160 bits, with a prefix for its kind. */
export function newToken(prefix: string): string {
	return `${prefix}_${hex(crypto.getRandomValues(new Uint8Array(20)).buffer)}`;
}

function importSecrets(list: string): Secrets {
	const values = list.split(',').map((value) => value.trim());
	if (values.some((value) => value.length < 16))
		throw new Error('SECRETS must be one or more strings of at least 16 characters, separated by commas');
	const macKeys = values.map((value) => hmacKey('click', value));
	const emailKeys = values.map((value) => hmacKey('email', value));
	const erasedKeys = values.map((value) => hmacKey('erased', value));
	const domainKeys = values.map((value) => hmacKey('domain', value));
	const unsubscribeKeys = values.map((value) => hmacKey('unsubscribe', value));
	const mailKeys = values.map((value) => hmacKey('mail', value));
	const deviceKeys = values.map((value) => hmacKey('device', value));
	const pseudonymKeys = values.map((value) => hmacKey('pseudonym', value));
	const sealKeys = values.map((value) => aesKey(value));
	const [macKey, pseudonymKey, sealKey] = [macKeys[0], pseudonymKeys[0], sealKeys[0]];
	if (!macKey || !pseudonymKey || !sealKey) throw new Error('SECRETS is empty');

	return {
		clickMac: (click) => macOf(macKey, click),
		async verifyClickId(clickId) {
			const claimed = parseClickId(clickId);
			if (!claimed) return undefined;
			for (const key of macKeys) {
				if ((await macOf(key, claimed)) === claimed.mac) return claimed;
			}
			return undefined;
		},
		emailHashes: (email) => hashesOf(emailKeys, email),
		erasedHashes: (id) => hashesOf(erasedKeys, id),
		domainProofs: (programId, domain) =>
			Promise.all(
				domainKeys.map(async (key) => {
					const mac = hex(await crypto.subtle.sign('HMAC', await key(), utf8.encode(`${programId}\n${domain}`)));
					return `affiliate-tracker=${mac.slice(0, PROOF_LENGTH)}`;
				}),
			),
		unsubscribeProofs: (userId) => proofsOf(unsubscribeKeys, String(userId)),
		mailProofs: (token) => proofsOf(mailKeys, token),
		deviceProofs: (text) => proofsOf(deviceKeys, text),
		async pseudonym(text) {
			return hex(await crypto.subtle.sign('HMAC', await pseudonymKey(), utf8.encode(text))).slice(0, PSEUDONYM_LENGTH);
		},
		async seal(text, boundTo) {
			const nonce = crypto.getRandomValues(new Uint8Array(12));
			const sealed = new Uint8Array(await crypto.subtle.encrypt(aesGcm(nonce, boundTo), await sealKey(), utf8.encode(text)));
			return btoa(String.fromCharCode(...nonce, ...sealed));
		},
		async open(sealed, boundTo) {
			const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0));
			for (const key of sealKeys) {
				try {
					const clear = await crypto.subtle.decrypt(aesGcm(bytes.subarray(0, 12), boundTo), await key(), bytes.subarray(12));
					return new TextDecoder().decode(clear);
				} catch {
					// Try the next secret.
				}
			}
			throw new Error('No secret in SECRETS opens this value: was one removed from the list?');
		},
	};
}

function hashesOf(keys: readonly (() => Promise<CryptoKey>)[], text: string): Promise<string[]> {
	return Promise.all(keys.map(async (key) => hex(await crypto.subtle.sign('HMAC', await key(), utf8.encode(text)))));
}

async function proofsOf(keys: readonly (() => Promise<CryptoKey>)[], text: string): Promise<string[]> {
	return (await hashesOf(keys, text)).map((hash) => hash.slice(0, PROOF_LENGTH));
}

async function macOf(key: () => Promise<CryptoKey>, click: Click): Promise<number> {
	return truncateMac(new Uint8Array(await crypto.subtle.sign('HMAC', await key(), utf8.encode(signedText(click)))));
}

function hmacKey(purpose: string, secret: string): () => Promise<CryptoKey> {
	let key: CryptoKey | undefined;
	return async () =>
		(key ??= await crypto.subtle.importKey('raw', utf8.encode(`${purpose}\n${secret}`), { name: 'HMAC', hash: 'SHA-256' }, false, [
			'sign',
		]));
}

function aesKey(secret: string): () => Promise<CryptoKey> {
	let key: CryptoKey | undefined;
	return async () => {
		const bytes = await crypto.subtle.digest('SHA-256', utf8.encode(`seal\n${secret}`));
		return (key ??= await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']));
	};
}

function aesGcm(iv: Uint8Array<ArrayBuffer>, boundTo: string | undefined) {
	return { name: 'AES-GCM', iv, ...(boundTo !== undefined && { additionalData: utf8.encode(boundTo) }) };
}

function hex(buffer: ArrayBufferLike): string {
	return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
