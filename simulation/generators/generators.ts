import type { ProcessorName } from '../world/account.ts';
import { custom } from './custom.ts';
import { paddle } from './paddle.ts';
import { stripe } from './stripe.ts';
import type { ReportingEvent } from './generator.ts';

export const TELLERS: Readonly<Record<ProcessorName, ReportingEvent>> = { stripe, custom, paddle };
