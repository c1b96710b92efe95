import type { Click } from './click-id.ts';
import { NOT_SKIPPED } from './own-document.ts';
import { withClick } from './sister-link.ts';

let latest: { readonly click: Click | undefined; readonly domains: readonly string[] } | undefined;

/** Adds the click to a sister-domain link when somebody follows it. */
export function handOver(click: Click | undefined, domains: readonly string[]): void {
	if (!latest) for (const type of ['click', 'auxclick']) addEventListener(type, follow, true);
	latest = { click, domains };
}

/** The link carries the click only while the browser follows it, because links get copied. */
function follow(event: Event): void {
	const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
	if (!link?.matches(NOT_SKIPPED) || !latest?.click) return;
	const plain = link.getAttribute('href');
	const decorated = withClick(link.href, location, latest.click, latest.domains);
	if (plain === null || decorated === undefined) return;
	link.setAttribute('href', decorated);
	setTimeout(() => {
		if (link.getAttribute('href') === decorated) link.setAttribute('href', plain);
	});
}
