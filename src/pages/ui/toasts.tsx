import { X } from 'lucide-react';
import {
	Button,
	Text,
	UNSTABLE_Toast as Toast,
	UNSTABLE_ToastContent as ToastContent,
	UNSTABLE_ToastQueue as ToastQueue,
	UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';

interface Message {
	readonly title: string;
	readonly text?: string | undefined;
	readonly isError?: boolean;
	/** Reverts what the message says. */
	readonly onUndo?: (() => void) | undefined;
}

const SHOWN_MS = 6_000;
/** Time to read it and to find the button. */
const SHOWN_WITH_UNDO_MS = 15_000;
const queue = new ToastQueue<Message>();

/** Errors stay until they are closed. */
export function toast(message: Message): void {
	queue.add(message, message.isError ? {} : { timeout: message.onUndo ? SHOWN_WITH_UNDO_MS : SHOWN_MS });
}

export function Toasts() {
	return (
		<ToastRegion queue={queue}>
			{({ toast: shown }) => (
				<Toast toast={shown} className={`react-aria-Toast ${shown.content.isError ? 'error' : ''}`}>
					<ToastContent>
						<Text slot="title">{shown.content.title}</Text>
						{shown.content.text && <Text slot="description">{shown.content.text}</Text>}
					</ToastContent>
					{shown.content.onUndo && (
						<Button
							className="react-aria-Button undo"
							onPress={() => {
								queue.close(shown.key);
								shown.content.onUndo?.();
							}}
						>
							Undo
						</Button>
					)}
					<Button slot="close" aria-label="Close">
						<X size={14} />
					</Button>
				</Toast>
			)}
		</ToastRegion>
	);
}
