import type { Click } from './click-id.ts';
import { fillForms } from './forms.ts';
import { handOver } from './hand-over.ts';
import { referToClick } from './stripe.ts';

/** /tracker-extras.js: writes the click into the page's links and forms, or removes it. Safe to run repeatedly. */
export function decorate(click: Click | undefined, domains: readonly string[]): void {
	referToClick(click?.id);
	fillForms(click?.id);
	handOver(click, domains);
}
