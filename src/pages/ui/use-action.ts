import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { DOUBLE_CLICK_MS, sendOnce } from './send-once.ts';
import { toast } from './toasts.tsx';

interface Action<Input, Output> {
	readonly send: (input: Input) => Promise<Output>;
	/** What to say when it is done; nothing where the page shows it. */
	readonly said?: (output: Output, input: Input) => string | undefined;
	readonly onDone?: (output: Output, input: Input) => void;
	/** Where the page shows the error itself, beside its form. */
	readonly isQuiet?: boolean;
	/** It only fetches: nothing that is shown is from before. */
	readonly isRead?: boolean;
}

/** Something that somebody asks for: sent once, by a double click too, and never again by itself. Everything shown is asked for anew after a change. */
export function useAction<Input = void, Output = unknown>({ send, said, onDone, isQuiet = false, isRead = false }: Action<Input, Output>) {
	const isShown = useShown();
	const [once] = useState(() => sendOnce(isRead ? 0 : DOUBLE_CLICK_MS));
	const mutation = useMutation<Output, Error, Input>({
		mutationFn: send,
		meta: { isRead },
		// Passwords and keys are among what is sent and answered: nothing of it is kept once its page is gone.
		gcTime: 0,
		onSuccess: (output, input) => {
			const title = said?.(output, input);
			if (title !== undefined) toast({ title });
			onDone?.(output, input);
		},
		onError: (error) => {
			// A dialog may be closed while it sends: then nobody else would say it.
			if (!isQuiet || !isShown.current)
				toast({ title: isRead ? 'It could not be fetched' : titleOf(error), text: error.message, isError: true });
		},
		onSettled: (_output, error, input) => once.end(input, error === null),
	});
	return {
		...mutation,
		mutate: (...asked: Parameters<typeof mutation.mutate>) => {
			if (once.begin(asked[0])) mutation.mutate(...asked);
		},
	};
}

function useShown() {
	const isShown = useRef(false);
	useEffect(() => {
		isShown.current = true;
		return () => {
			isShown.current = false;
		};
	}, []);
	return isShown;
}

/** Where no answer came nobody knows whether it was done. */
export function titleOf(error: Error): string {
	return error instanceof ApiError && error.isPassing ? 'No answer: look whether it was done before you try again' : 'Nothing was changed';
}
