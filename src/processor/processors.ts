import { onceImported } from '../once.ts';
import type { Processor } from './processor.ts';

type Load = () => Promise<{ readonly processor: Processor }>;

/** Separate modules, so that programs load only what they use. */
const PROCESSORS = {
	stripe: onceImported(() => import('./stripe/processor.ts')),
	paddle: onceImported(() => import('./paddle/processor.ts')),
	custom: onceImported(() => import('./custom/processor.ts')),
} as const satisfies Readonly<Record<string, Load>>;

export type ProcessorName = keyof typeof PROCESSORS;

export const PROCESSOR_NAMES: readonly ProcessorName[] = Object.keys(PROCESSORS).filter(isProcessorName);

export function isProcessorName(name: string): name is ProcessorName {
	return Object.hasOwn(PROCESSORS, name);
}

export async function loadProcessor(name: ProcessorName): Promise<Processor> {
	return (await PROCESSORS[name]()).processor;
}
