import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { signingSecret as paddleSecret } from '../../testing/paddle/sign.ts';
import { signingSecret } from '../../testing/stripe/sign.ts';
import type { DemoWorld } from '../demo/world.ts';
import { type Guide, isGuideName, readGuide, type Snippet, snippetsOf } from '../docs/guides.ts';
import { Failure } from '../../testing/failure.ts';
import { differences, lastAnswer } from './answers.ts';
import { withVisit } from './browser.ts';
import { tryDeployLines } from './deploy-file.ts';
import { hasNginx, tryProxy } from './nginx.ts';
import { PAGES } from './pages.ts';
import { addFile, takeCalls } from './project.ts';
import { Shell } from './shell.ts';
import { ROOT } from '../../testing/root.ts';
import { SIGNS } from './signs.ts';
import { payIn, type Secrets } from './payments.ts';

const LOCAL = 'http://127.0.0.1:8787';
const SHOP_PORT = '127.0.0.1:3000';
/** Lines that the reader fills in. */
const FILLED_IN = /^(BASE|KEY|PROGRAM|EMAIL|PASSWORD|WHSEC|PADDLE_SECRET)=(?!\$\().*$/gm;
/** Blocks whose commands were already run: npm ci, npm run dev, and installing the packed SDK. */
const DONE_BEFORE: Readonly<Record<string, string>> = {
	start: 'npm ci\nnpm run dev',
	install: 'npm run pack:sdk\ncd ../my-backend && npm install ../affiliate-tracker/affiliate-tracker-0.1.0.tgz',
};

/** Commands that need one of these are run only if it is installed. */
const RUNTIMES: readonly string[] = ['python3', 'php'];

function isInstalled(runtime: string): boolean {
	return spawnSync(runtime, ['--version']).status === 0;
}

export interface Surroundings {
	readonly world: DemoWorld;
	/** The folder with the service's data. */
	readonly data: string;
	/** The folder with the reader's backend. */
	readonly project: string;
	readonly browser: Browser;
	/** The port of the shop in a guide. */
	readonly shopPort: number;
}

/** Tries all snippets of a guide in order, as a reader would. Calls `report` after each, and once more if an expected text is missing. */
export async function tryGuide(guide: Guide, around: Surroundings, report: (what: string, failure?: unknown) => void): Promise<void> {
	const secrets = { stripe: signingSecret(), paddle: paddleSecret() };
	const { world, shopPort } = around;
	const shell = new Shell(around.project, {
		BASE: world.url,
		KEY: world.apiToken,
		PROGRAM: String(world.programId),
		EMAIL: world.email,
		PASSWORD: world.password,
		WHSEC: secrets.stripe,
		PADDLE_SECRET: secrets.paddle,
		PORT: String(shopPort),
	});
	try {
		const reader = new Reader(around, shell, secrets);
		if (guide.name !== 'quick-start') await reader.prepare();
		const snippets = snippetsOf(guide);
		for (const [index, snippet] of snippets.entries()) {
			const what = `${snippet.number}. ${snippet.language} ${snippet.label}`;
			try {
				await reader.take(snippet, snippets[index + 1]);
				report(what);
			} catch (error) {
				report(what, error);
				// Later snippets depend on the one that failed.
				return;
			}
		}
		const missing = reader.missing(isGuideName(guide.name) ? (SIGNS[guide.name] ?? []) : []);
		if (missing.length > 0) report('all responses', new Failure(`not found: ${missing.join(' and ')}, in:\n${reader.outputs}`));
	} finally {
		await shell.close();
	}
}

class Reader {
	readonly #around: Surroundings;
	readonly #shell: Shell;
	readonly #secrets: Secrets;
	/** The output of the most recent commands. */
	#output = '';
	/** The output of all commands. */
	outputs = '';

	constructor(around: Surroundings, shell: Shell, secrets: Secrets) {
		this.#around = around;
		this.#shell = shell;
		this.#secrets = secrets;
	}

	/** Runs the quick start's block of variables. */
	async prepare(): Promise<void> {
		for (const { label, text } of snippetsOf(readGuide('quick-start')))
			if (label === 'variables') await this.#shell.run(this.#filledIn(text));
	}

	/** The expected texts that no output contains. */
	missing(signs: readonly string[]): string[] {
		return signs.filter((sign) => !this.outputs.includes(sign));
	}

	async take(snippet: Snippet, next: Snippet | undefined): Promise<void> {
		const { language, label } = snippet;
		const text = this.#filledIn(snippet.text);
		if (language === 'sh') {
			await this.#command(label, text, snippet.text);
			const isShown = next?.language === 'json' || next?.language === 'text';
			if (!isShown && this.#output.includes('"error"')) throw new Failure(`it was refused:\n${this.#output}`);
			return;
		}
		// A later command runs it, if that language is installed.
		if (label !== '' && (language === 'py' || language === 'php')) return addFile(this.#around.project, label, text);
		if (language === 'nginx') return this.#proxy(text);
		if (language === 'toml') return tryDeployLines(text, join(this.#around.data, 'deploy-file'));
		if (language === 'json') return this.#compare(JSON.parse(text));
		if (language === 'text') return this.#compareText(text);
		if (label !== '' && ['html', 'js', 'ts', 'tsx'].includes(language)) return this.#file(snippet, text);
		throw new Failure(`cannot try a block of ${language || 'no language'}${label === '' ? ' without a file name' : ''}`);
	}

	async #command(label: string, text: string, written: string): Promise<void> {
		this.#output = '';
		if (label in DONE_BEFORE) {
			if (DONE_BEFORE[label] !== written) throw new Failure(`the commands that already ran are:\n${DONE_BEFORE[label]}`);
			return;
		}
		const { shopPort, world, project } = this.#around;
		if (label === 'serve') return this.#shell.serve(text, `http://127.0.0.1:${shopPort}/`);
		if (RUNTIMES.includes(label) && !isInstalled(label)) return console.log(`  skipped, because ${label} is not installed: ${written}`);
		if (label !== '' && label !== 'variables' && !RUNTIMES.includes(label)) throw new Failure(`unknown label "${label}"`);
		this.#output = await this.#shell.run(text);
		this.outputs += this.#output;
		for (const made of takeCalls(project)) await payIn(made, world, this.#secrets);
	}

	/** Tries a proxy rule if nginx is installed. */
	async #proxy(rule: string): Promise<void> {
		if (!hasNginx()) return console.log('  skipped, because nginx is not installed');
		const { world, data, shopPort } = this.#around;
		await tryProxy(rule, { folder: join(data, 'nginx'), port: shopPort, world });
	}

	#compare(shown: unknown): void {
		const answered = lastAnswer(this.#output);
		const found = differences(shown, answered);
		if (found.length > 0) throw new Failure(`${found.join('\n')}\nThe output:\n${this.#output}`);
		this.#output = '';
	}

	#compareText(shown: string): void {
		if (trimmed(shown) !== trimmed(this.#output)) throw new Failure(`the output is:\n${this.#output}`);
		this.#output = '';
	}

	/** Backend code is run by later commands; a page or its script is tested in the browser. */
	async #file({ guide, label, language }: Snippet, text: string): Promise<void> {
		const { project, browser, world } = this.#around;
		const test = PAGES[`${guide}/${label}`];
		if (language !== 'html') addFile(project, label, text);
		if (test) {
			const tag = snippetsOf(readGuide('browser')).find((snippet) => snippet.label === 'shop.html')?.text ?? '';
			await withVisit(browser, world, (visit) => test(visit, text, this.#filledIn(tag)));
		} else if (language === 'html' || !isRun(guide, label)) {
			throw new Failure(`neither a test in scripts/try-docs/pages.ts nor a command runs it`);
		}
	}

	#filledIn(text: string): string {
		const { world, shopPort, data } = this.#around;
		return text
			.replaceAll(FILLED_IN, '')
			.replaceAll(LOCAL, world.url)
			.replaceAll(SHOP_PORT, `127.0.0.1:${shopPort}`)
			.replaceAll(
				'npm run deploy -- --dry-run',
				`npm run deploy --prefix '${ROOT}' -- --dry-run --config '${join(data, 'wrangler.deploy.toml')}'`,
			)
			.replaceAll('npm run recover -- ', `npm run recover --prefix '${ROOT}' -- --persist-to '${data}' `);
	}
}

/** Removes trailing whitespace, which is invisible. */
function trimmed(text: string): string {
	return text.trim().replaceAll(/[ \t]+$/gm, '');
}

/** Whether a command of the guide runs the file, or a file that imports it. */
function isRun(guide: string, file: string): boolean {
	const snippets = snippetsOf(readGuide(guide));
	if (snippets.some(({ language, text }) => language === 'sh' && text.includes(`node ${file}`))) return true;
	const route = /^app(\/.+)\/route\.ts$/.exec(file)?.[1];
	if (route !== undefined) return snippets.some(({ language, text }) => language === 'sh' && text.includes(`${SHOP_PORT}${route} `));
	const importer = snippets.find(({ label, text }) => label !== file && text.includes(`/${file.replace(/\.ts$/, '')}'`));
	return importer !== undefined && isRun(guide, importer.label);
}
