import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { DOUBLE_CLICK_MS, sendOnce } from './send-once.ts';
import { toast } from './toasts.tsx';

interface Action<Input, Output> {
	readonly send: (input: Input) => Promise<Output>;
	/** Undefined if the page shows the result itself. */
	readonly successMessage?: (output: Output, input: Input) => string | undefined;
	readonly onDone?: (output: Output, input: Input) => void;
	/** Sends what reverts the action; offered next to the success message. */
	readonly undo?: ((input: Input) => Promise<unknown>) | undefined;
	/** The page shows the error itself, next to its form. */
	readonly isQuiet?: boolean;
	/** The action only reads, so no shown data becomes outdated. */
	readonly isRead?: boolean;
}

/** Sent once, even on a double click, and never retried automatically. A change refetches everything shown. */
export function useAction<Input = void, Output = unknown>({
	send,
	successMessage,
	onDone,
	undo,
	isQuiet = false,
	isRead = false,
}: Action<Input, Output>) {
	const isShown = useShown();
	const [once] = useState(() => sendOnce(isRead ? 0 : DOUBLE_CLICK_MS));
	const reversal = useMutation<unknown, Error, () => Promise<unknown>>({
		mutationFn: (sendUndo) => sendUndo(),
		onSuccess: () => toast({ title: 'Undone' }),
		onError: (error) => toast({ title: 'This could not be undone', text: error.message, isError: true }),
	});
	const mutation = useMutation<Output, Error, Input>({
		mutationFn: send,
		meta: { isRead },
		// Inputs and results may contain passwords and keys, so nothing is kept after the page is closed.
		gcTime: 0,
		onSuccess: (output, input) => {
			const title = successMessage?.(output, input);
			if (title !== undefined) toast({ title, onUndo: undo && (() => reversal.mutate(() => undo(input))) });
			onDone?.(output, input);
		},
		onError: (error) => {
			// If the dialog was closed while sending, nothing else would show the error.
			if (!isQuiet || !isShown.current)
				toast({ title: isRead ? 'This could not be loaded' : titleOf(error), text: error.message, isError: true });
		},
		onSettled: (_output, error, input) => once.end(input, error === null),
	});
	return {
		...mutation,
		mutate: (...args: Parameters<typeof mutation.mutate>) => {
			if (once.begin(args[0])) mutation.mutate(...args);
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

/** Without an answer, nobody knows whether the change was made. */
export function titleOf(error: Error): string {
	return error instanceof ApiError && error.isPassing ? 'No answer. Check whether it was done before you try again' : 'Nothing was changed';
}
