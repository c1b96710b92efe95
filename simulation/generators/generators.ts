import type { ProcessorName } from '../world/account.ts';
import { custom } from './custom.ts';
import { paddle } from './paddle.ts';
import { stripe } from './stripe.ts';
import type { EventGenerator } from './generator.ts';

export const GENERATORS: Readonly<Record<ProcessorName, EventGenerator>> = { stripe, custom, paddle };
