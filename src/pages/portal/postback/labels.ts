import type { Postback } from './queries.ts';

type Event = Postback['events'][number];

/** In the order of the form. */
export const EVENTS = [
	{ event: 'lead', label: 'Somebody signs up', about: 'A visitor of yours became a customer.' },
	{ event: 'sale', label: 'A sale earns you a commission', about: 'It may be on hold still.' },
	{ event: 'reversed', label: 'A commission is taken back', about: 'By a refund, in whole or in part, or by the program.' },
	{ event: 'reinstated', label: 'A commission is given back', about: 'A refund failed, or a dispute was won.' },
] as const satisfies readonly { readonly event: Event; readonly label: string; readonly about: string }[];
