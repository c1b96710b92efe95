import type { Request } from './world/journal.ts';

/** A readable history: each request, when it was sent, and its response. */
export function transcriptOf(requests: readonly Request[]): string[] {
	return requests.map((request) => {
		const { step, id, kind, params, faults, now } = request;
		const met = faults > 0 ? ` (${faults} fault${faults > 1 ? 's' : ''})` : '';
		return `#${step} ${new Date(now).toISOString()} request ${id}: ${kind} ${brief(params)} -> ${answerTo(request)}${met}`;
	});
}

function answerTo({ answer }: Request): string {
	if (!answer) return 'no answer';
	switch (answer.state) {
		case 'rejected':
			return `${answer.rejection.status} ${answer.rejection.message}`;
		case 'faulted':
			return `fault: ${answer.error instanceof Error ? answer.error.message.slice(0, 100) : String(answer.error)}`;
		case 'answered':
			return answer.receipt === undefined ? 'done' : brief(answer.receipt);
		case 'crashed':
			return 'crashed';
	}
}

function brief(value: unknown): string {
	return JSON.stringify(value, (key, part: unknown) => {
		if (key === 'program' && typeof part === 'object' && part !== null && 'id' in part) return part.id;
		return key === 'page' || key === 'links' || key === 'opId' ? undefined : part;
	});
}
