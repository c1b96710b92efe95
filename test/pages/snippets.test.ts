import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { saleSnippets, scriptSnippets } from '../../src/pages/dashboard/start/snippets.ts';

const FACTS = { service: 'https://track.example', key: 'prg_1', clickId: undefined, address: 'https://shop.example/?aff=pat' };

/** What the shell passes to curl in the last call, if the service answers every click with cust_1_2. */
function saleOf(command: string | undefined): unknown {
	const curl = `curl() { case "$*" in *track/click*) echo '{"success":true,"click_id":"cust_1_2","partner_code":"pat"}';; *) printf '%s' "\${@: -1}";; esac; }`;
	return JSON.parse(execFileSync('bash', ['-c', `${curl}\n${command}`], { encoding: 'utf8' }));
}

const commandOf = (facts: typeof FACTS | (Omit<typeof FACTS, 'clickId'> & { clickId: string })) =>
	saleSnippets(facts).find(({ id }) => id === 'curl')?.files[0]?.code;

describe('the command that reports a sale', () => {
	const sale = { transaction_id: 'order-1', amount_cents: 9_900, customer_key: 'user-1' };

	test('carries the click that has arrived', () =>
		expect(saleOf(commandOf({ ...FACTS, clickId: 'cust_3_4' }))).toEqual({ ...sale, click_id: 'cust_3_4' }));

	test('records a click itself if none has arrived', () => expect(saleOf(commandOf(FACTS))).toEqual({ ...sale, click_id: 'cust_1_2' }));
});

test('the key and the address of the service are in every snippet of a backend', () => {
	for (const { files } of saleSnippets(FACTS))
		expect(files.map(({ code }) => code).join('\n')).toMatch(/https:\/\/track\.example[^]*prg_1/);
});

test('there is a script for each kind of site', () => {
	const snippets = scriptSnippets('https://track.example');
	expect(snippets.map(({ name }) => name)).toEqual(['HTML', 'Next.js', 'React', 'WordPress', 'Google Tag Manager']);
	for (const { files } of snippets) expect(files[0]?.code).toContain('src="https://track.example/tracker.js"');
});
