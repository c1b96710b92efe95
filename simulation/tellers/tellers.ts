import type { ProcessorName } from '../world/account.ts';
import { custom } from './custom.ts';
import { paddle } from './paddle.ts';
import { stripe } from './stripe.ts';
import type { Teller } from './teller.ts';

/** One for each processor. */
export const TELLERS: Readonly<Record<ProcessorName, Teller>> = { stripe, custom, paddle };
