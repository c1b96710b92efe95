import { Hono } from 'hono';
import { html, raw } from 'hono/html';
import { exampleOf, headlineOf, headlinesOf, payoutWords, rowsOf } from '../domain/commissions/offer.ts';
import { Rejection } from '../domain/rejection.ts';
import { countText } from '../domain/time-text.ts';
import { findProgramPage, type ProgramPage } from '../programs/find-program-page.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { fewLooks } from './management/programs/public-pages.ts';
import { isSignedIn } from './management/session.ts';

/**
 * /p/:slug, a program's public page with its application form. The Worker renders it, so that it appears at once on slow phones and in link
 * previews. src/pages/program/ has its style and script.
 */
export const programPages = new Hono<AppEnv>().on('GET', ['/:slug', '/:slug/'], fewLooks, async (c) => {
	// People may type capital letters or a trailing slash.
	const slug = c.req.param('slug').toLowerCase();
	try {
		return answer(c, pageOf({ ...(await findProgramPage(c.var.ctx, slug)), slug }, c));
	} catch (error) {
		if (error instanceof Rejection && error.status === 404) return answer(c, NO_PAGE, 404);
		throw error;
	}
});

const POLICY =
	"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Html = ReturnType<typeof html>;

interface Written {
	readonly head: Html;
	readonly body: Html;
}

function answer(c: AppContext, { head, body }: Written, status: 200 | 404 = 200): Response | Promise<Response> {
	c.header('Content-Security-Policy', POLICY);
	c.header('Referrer-Policy', 'same-origin');
	// Visitors see changes when they open the page again.
	c.header('Cache-Control', 'no-cache');
	return c.html(
		html`<!doctype html>
			<html lang="en">
				<head>
					<meta charset="utf-8" />
					<meta name="viewport" content="width=device-width, initial-scale=1" />
					<meta name="color-scheme" content="light dark" />
					${head}
					<link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
					<link rel="stylesheet" href="/pages/program/page.css" />
					<script type="module" src="/pages/program/page.js"></script>
				</head>
				<body>
					${body}
				</body>
			</html>`,
		status,
	);
}

const NO_PAGE: Written = {
	head: html`<title>Page not found</title><meta name="robots" content="noindex" />`,
	body: html`<main class="program none">
		<section class="card stack">
			<h1>Page not found</h1>
			<p>This partner program does not accept applications now, or the address is wrong. Ask the person who gave you the address.</p>
		</section>
	</main>`,
};

interface Shown extends ProgramPage {
	readonly slug: string;
}

function pageOf(page: Shown, c: AppContext): Written {
	const { name, description, slug } = page;
	const title = `${name}: partner program`;
	const summary = `Recommend ${name} and earn ${headlineOf(page)}. ${description ?? ''}`.trim().slice(0, DESCRIPTION_LENGTH);
	const url = new URL(`/p/${slug}`, c.get('ctx').settings.publicUrl ?? c.req.url).href;
	return {
		head: html`<title>${title}</title><meta name="description" content="${summary}" /><link rel="canonical" href="${url}" /><meta
				property="og:type"
				content="website"
			/><meta property="og:title" content="${title}" /><meta property="og:description" content="${summary}" /><meta
				property="og:url"
				content="${url}"
			/><meta name="twitter:card" content="summary" />`,
		body: html`<main class="program">
				<header class="stack tight">
					<p class="quiet">Partner program</p>
					<h1 class="wrap">${name}</h1>
					${siteOf(page)}
					<p class="jump"><a class="button primary" href="#apply">Apply</a></p>
				</header>
				<div class="stack about">${aboutOf(page)}</div>
				${formOf(page, c)}${termsOf(page)}
			</main>
			<footer class="program quiet small">Already a partner? <a href="/portal">Sign in</a></footer>`,
	};
}

const DESCRIPTION_LENGTH = 200;

function siteOf({ domain }: ProgramPage): Html | '' {
	return domain === null ? '' : html`<p><a href="https://${domain}/" rel="noopener nofollow">${domain}</a></p>`;
}

function aboutOf(page: ProgramPage): Html {
	const { headline, exceptions } = headlinesOf(page);
	return html`${page.description === null ? '' : html`<p class="prose wrap lead">${page.description}</p>`}
		<section class="card stack tight">
			<h2>What you earn</h2>
			<p class="rate">${headline}</p>
			${exceptions.map((exception) => html`<p>${exception.charAt(0).toUpperCase()}${exception.slice(1)}.</p>`)}${earningsOf(page)}
		</section>
		<section class="card stack tight">
			<h2>Which sales are yours</h2>
			<p>You get a link to share. If someone follows it and buys within ${countText(page.cookieWindowDays, 'day')}, the sale is yours.</p>
		</section>
		<section class="card stack tight">
			<h2>How you are paid</h2>
			<p>
				${payoutWords(page)} You choose how you are paid: by PayPal, by Wise or to a bank account. You see each sale and its status as soon
				as it is recorded.
			</p>
		</section>`;
}

/** An example for one rate, else every rate. */
function earningsOf(page: ProgramPage): Html {
	const example = exampleOf(page);
	if (example !== undefined) return html`<p>${example}</p>`;
	const rows = rowsOf(page).map(
		({ sales, earned, renewals, hold }) =>
			html`<tr>
				<th scope="row" class="wrap">${sales}</th>
				<td>${earned}</td>
				<td>${renewals}</td>
				<td>${hold}</td>
			</tr>`,
	);
	return html`<p>The first row that fits a sale counts.</p>
		<div class="scroll" tabindex="0" role="region" aria-label="All rates">
			<table class="rates">
				<thead>
					<tr>
						<th scope="col">Sale</th>
						<th scope="col">You earn</th>
						<th scope="col">In a subscription</th>
						<th scope="col">Paid</th>
					</tr>
				</thead>
				<tbody>
					${rows}
				</tbody>
			</table>
		</div>`;
}

function formOf(page: Shown, c: AppContext): Html {
	const { name, mode, terms, slug } = page;
	const next = mode === 'automatic' ? 'Applications are approved automatically.' : 'A person reads your application and replies by email.';
	return html`<section class="card stack apply" id="apply" aria-labelledby="apply-title">
		<h2 id="apply-title">Become a partner</h2>
		<p class="quiet">${next}</p>
		<p class="wrap" id="known" hidden></p>
		<form
			class="stack"
			data-slug="${slug}"
			data-program="${name}"
			data-domain="${page.domain ?? ''}"
			${isSignedIn(c) ? raw(' data-signed-in') : ''}
		>
			${fieldOf({ name: 'name', label: 'Your name', attributes: 'autocomplete="name" maxlength="120" required' })}
			${fieldOf({ name: 'email', label: 'Email address', attributes: 'type="email" autocomplete="email" maxlength="254" required' })}
			${fieldOf({ name: 'website', label: 'Website or profile', hint: 'Optional. Where you would recommend us.', attributes: 'inputmode="url" autocomplete="url" maxlength="2000"' })}
			<div class="react-aria-TextField">
				<label class="react-aria-Label" for="message">How would you recommend ${name}?</label
				><textarea
					class="react-aria-TextArea"
					id="message"
					name="message"
					maxlength="2000"
					aria-describedby="message-said message-problem"
				></textarea
				><span class="description" id="message-said">Optional.</span><span class="react-aria-FieldError" id="message-problem"></span>
			</div>
			<div class="fax" aria-hidden="true">
				<label>Fax <input name="fax" tabindex="-1" autocomplete="off" /></label>
			</div>
			${
				terms === null
					? ''
					: html`<div class="react-aria-TextField">
							<label class="accept"
								><input type="checkbox" name="terms" value="${terms.version}" required aria-describedby="terms-problem" />
								<span>I accept the <a href="#terms">terms</a>, version <span class="terms-version">${terms.version}</span></span></label
							><span class="react-aria-FieldError" id="terms-problem"></span>
						</div>`
			}
			<p class="note bad" role="alert" id="refused" hidden></p>
			<button class="button primary">Apply</button>
		</form>
		<div class="stack tight" id="sent" tabindex="-1" hidden></div>
		<noscript><p class="note">You need JavaScript to apply.</p></noscript>
	</section>`;
}

interface FormField {
	readonly name: string;
	readonly label: string;
	readonly hint?: string;
	/** Not escaped, so only trusted text. */
	readonly attributes: string;
}

function fieldOf({ name, label, hint = '', attributes }: FormField): Html {
	return html`<div class="react-aria-TextField">
		<label class="react-aria-Label" for="${name}">${label}</label
		><input class="react-aria-Input" id="${name}" name="${name}" aria-describedby="${name}-said ${name}-problem" ${raw(attributes)} /><span
			class="description"
			id="${name}-said"
			>${hint}</span
		><span class="react-aria-FieldError" id="${name}-problem"></span>
	</div>`;
}

function termsOf({ terms }: ProgramPage): Html | '' {
	if (terms === null) return '';
	return html`<section class="card stack tight terms" id="terms" tabindex="-1" aria-labelledby="terms-title">
		<h2 id="terms-title">Terms</h2>
		<p class="quiet small">Version <span class="terms-version">${terms.version}</span></p>
		<div class="prose wrap" id="terms-text">${terms.text}</div>
		<p><a href="#apply">Back to the form</a></p>
	</section>`;
}
