import { CLICK_FILES, readConfig } from './config.ts';
import { byName, isList, isTable, type Table, type Value } from './merge.ts';
import { CHOICES, type ChoiceName, choiceNames, type Placeholders, type Options, readChoice } from './options.ts';
import type { Surroundings } from './surroundings.ts';
import type { LiveWorker } from './worker.ts';

/** Asks for each missing choice until the answer is valid. Without a terminal it uses the default. */
export async function askFor(
	names: readonly ChoiceName[],
	given: Placeholders,
	{ ask, say }: Pick<Surroundings, 'ask' | 'say'>,
): Promise<Placeholders> {
	const answers: Placeholders = { ...given };
	for (const name of names) {
		if (answers[name] !== undefined) continue;
		const { asks, fallback } = CHOICES[name];
		answers[name] = fallback;
		if (!ask) continue;
		for (;;) {
			const typed = (await ask(`${asks}${fallback === '' ? '' : ` [${fallback}]`}: `)).trim();
			try {
				answers[name] = readChoice(name, typed === '' ? fallback : typed);
				break;
			} catch (error) {
				say(`  ${error instanceof Error ? error.message : String(error)}`);
			}
		}
	}
	return answers;
}

/** The questions a first deployment would ask, with their options and defaults. */
export function questions(given: Placeholders): string[] {
	return choiceNames()
		.filter((name) => given[name] === undefined)
		.map((name) => `${CHOICES[name].asks} (--${name}; default: ${CHOICES[name].fallback === '' ? 'none' : CHOICES[name].fallback})`);
}

/** The config including the operator's choices for this run. */
export function withChoices(config: Table, given: Placeholders, { publicUrl, placement }: Pick<Options, 'publicUrl' | 'placement'>): Table {
	let { routes, send_email: mail, r2_buckets: buckets, placement: place, workers_dev: workersDev, ...rest } = config;
	const vars: Record<string, Value> = { ...(isTable(rest['vars']) ? rest['vars'] : {}) };
	const { domain, 'mail-from': from, 'click-bucket': bucket, 'sign-up': signUp } = given;
	if (domain !== undefined) {
		routes = domain === '' ? undefined : [{ pattern: domain, custom_domain: true }];
		vars['PUBLIC_URL'] = domain === '' ? '' : `https://${domain}`;
		workersDev = domain === '';
	}
	if (publicUrl !== undefined) vars['PUBLIC_URL'] = publicUrl;
	if (signUp !== undefined) vars['SIGN_UP'] = signUp;
	if (from !== undefined) {
		vars['MAIL_FROM'] = from;
		mail = from === '' ? undefined : [{ name: 'MAIL' }];
	}
	if (bucket !== undefined && bucket !== readConfig(config).clickBucket?.name) buckets = withClickBucket(buckets, bucket);
	if (placement !== undefined) place = placement === 'off' ? undefined : placement === 'smart' ? { mode: 'smart' } : { region: placement };
	return known({ ...rest, workers_dev: workersDev ?? true, routes, placement: place, send_email: mail, r2_buckets: buckets, vars });
}

/** The bindings of buckets with another one for retired clicks, or with none. Bindings that the operator has added stay. */
function withClickBucket(buckets: Value | undefined, name: string): Value | undefined {
	const others = (isList(buckets) ? buckets : []).filter((item) => !isClickBucket(item));
	const all = name === '' ? others : [...others, { binding: CLICK_FILES, bucket_name: name }];
	return all.length === 0 ? undefined : all;
}

function isClickBucket(item: Value): item is Table {
	return isTable(item) && item['binding'] === CLICK_FILES;
}

/** If the deploy file is missing, restores the config from the running Worker. */
export function asItRuns(template: Table, { vars, placement, domains, clickBucket }: LiveWorker): Table {
	const from = vars['MAIL_FROM'] ?? '';
	return known({
		...template,
		routes: domains.length > 0 ? domains.map((pattern) => ({ pattern, custom_domain: true })) : undefined,
		workers_dev: domains.length === 0,
		placement,
		send_email: from === '' ? undefined : [{ name: 'MAIL' }],
		r2_buckets: clickBucket && [known({ binding: CLICK_FILES, bucket_name: clickBucket.name, jurisdiction: clickBucket.jurisdiction })],
		vars: { ...(isTable(template['vars']) ? template['vars'] : {}), ...vars },
	});
}

export function withIds(config: Table, ids: { readonly account?: string | undefined; readonly database?: string | undefined }): Table {
	const databases = config['d1_databases'];
	const withId = (item: Value) =>
		isTable(item) && item['binding'] === 'DB' && ids.database !== undefined ? { ...item, database_id: ids.database } : item;
	return known({
		...config,
		account_id: ids.account ?? config['account_id'],
		d1_databases: Array.isArray(databases) ? databases.map(withId) : databases,
	});
}

/** The clicks of a database that must not leave a jurisdiction must not leave it as files either. */
export function withJurisdiction(config: Table, jurisdiction: string | undefined): Table {
	const buckets = config['r2_buckets'];
	if (jurisdiction === undefined || !isList(buckets)) return config;
	return { ...config, r2_buckets: buckets.map((item) => (isClickBucket(item) ? { ...item, jurisdiction } : item)) };
}

/** One line for each changed setting. */
export function differences(before: Table, after: Table, path = ''): string[] {
	const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
	return keys.flatMap((key) => {
		const [old, now] = [before[key], after[key]];
		if (JSON.stringify(old) === JSON.stringify(now)) return [];
		const [oldTable, nowTable] = [isTable(old) ? old : byName(old), isTable(now) ? now : byName(now)];
		if (oldTable && nowTable) return differences(oldTable, nowTable, `${path}${key}.`);
		return [`${path}${key}: ${shown(old)} -> ${shown(now)}`];
	});
}

function shown(value: Value | undefined): string {
	return value === undefined ? 'none' : JSON.stringify(value);
}

function known(table: Readonly<Record<string, Value | undefined>>): Table {
	return Object.fromEntries(Object.entries(table).filter((entry): entry is [string, Value] => entry[1] !== undefined));
}
