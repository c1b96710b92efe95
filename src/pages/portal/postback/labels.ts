import type { Postback } from './queries.ts';

type Event = Postback['events'][number];

/** In the order of the form. */
export const EVENTS = [
	{ event: 'lead', label: 'Someone signs up', about: 'A visitor from your link became a lead.' },
	{ event: 'sale', label: 'A sale earns you a commission', about: 'It may still be on hold.' },
	{ event: 'reversed', label: 'A commission is deducted', about: 'Fully or partly, after a refund or by the program.' },
	{ event: 'reinstated', label: 'A commission is reinstated', about: 'A refund failed, or a dispute was won.' },
] as const satisfies readonly { readonly event: Event; readonly label: string; readonly about: string }[];
