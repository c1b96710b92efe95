import type { ReactNode } from 'react';
import { Button, Form } from 'react-aria-components';
import { titleOf } from './use-action.ts';

interface ActionFormProps {
	readonly onSend: (fields: FormData) => void;
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Disabled until the required choices are made. */
	readonly isDisabled?: boolean;
	readonly isPending: boolean;
	readonly error: Error | null;
	readonly onCancel?: () => void;
	/** The label of that button. */
	readonly cancel?: string;
	readonly children: ReactNode;
}

/** Sent once. The service's errors appear next to the fields. */
export function ActionForm({
	onSend,
	action,
	isDangerous = false,
	isDisabled = false,
	isPending,
	error,
	onCancel,
	cancel = 'Cancel',
	children,
}: ActionFormProps) {
	return (
		<Form
			onSubmit={(event) => {
				event.preventDefault();
				if (!isPending) onSend(new FormData(event.currentTarget));
			}}
		>
			{children}
			{error && (
				<p className="note bad" role="alert">
					<strong>{titleOf(error)}.</strong> {error.message}
				</p>
			)}
			<div className="actions">
				{onCancel && <Button onPress={onCancel}>{cancel}</Button>}
				<Button
					type="submit"
					className={`react-aria-Button primary ${isDangerous ? 'danger' : ''}`}
					isDisabled={isDisabled}
					isPending={isPending}
				>
					{action}
				</Button>
			</div>
		</Form>
	);
}

/** Undefined if the field is empty. */
export function textOf(fields: FormData, name: string): string | undefined {
	return rawTextOf(fields, name).trim() || undefined;
}

/** Untrimmed, for passwords. */
export function rawTextOf(fields: FormData, name: string): string {
	const value = fields.get(name);
	return typeof value === 'string' ? value : '';
}
