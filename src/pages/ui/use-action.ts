import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api.ts';
import { toast } from './toasts.tsx';

interface Action<Input, Output> {
	readonly send: (input: Input) => Promise<Output>;
	/** What to say when it is done; nothing where the page shows it. */
	readonly said?: (output: Output, input: Input) => string | undefined;
	readonly onDone?: (output: Output, input: Input) => void;
	/** Where the page shows the error itself, beside its form. */
	readonly isQuiet?: boolean;
}

/** Something that changes the books: sent once, never again by itself, and everything shown is asked for anew afterwards. */
export function useAction<Input = void, Output = unknown>({ send, said, onDone, isQuiet = false }: Action<Input, Output>) {
	return useMutation<Output, Error, Input>({
		mutationFn: send,
		onSuccess: (output, input) => {
			const title = said?.(output, input);
			if (title !== undefined) toast({ title });
			onDone?.(output, input);
		},
		onError: (error) => {
			if (!isQuiet) toast({ title: titleOf(error), text: error.message, isError: true });
		},
	});
}

/** Where no answer came nobody knows whether it was done. */
export function titleOf(error: Error): string {
	return error instanceof ApiError && error.isPassing ? 'No answer: look whether it was done before you try again' : 'Nothing was changed';
}
