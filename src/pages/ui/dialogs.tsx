import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components';

interface DialogButtonProps {
	readonly trigger: ReactNode;
	readonly title: string;
	readonly isWide?: boolean;
	readonly children: (close: () => void) => ReactNode;
}

export function DialogButton({ trigger, title, isWide = false, children }: DialogButtonProps) {
	return (
		<DialogTrigger>
			{trigger}
			<ModalOverlay isDismissable>
				<Modal className={`react-aria-Modal ${isWide ? 'wide' : ''}`}>
					<Dialog>
						{({ close }) => (
							<>
								<DialogHead title={title} close={close} />
								{children(close)}
							</>
						)}
					</Dialog>
				</Modal>
			</ModalOverlay>
		</DialogTrigger>
	);
}

interface OpenProps {
	readonly title: string;
	readonly onClose: () => void;
	readonly children: ReactNode;
}

/** Open while it is rendered, for actions without a button on the page. */
export function OpenDialog(props: OpenProps) {
	return <Open {...props} />;
}

/** For one row, open while the URL names that row. */
export function SidePanel(props: OpenProps) {
	return <Open {...props} isSide />;
}

function Open({ title, onClose, children, isSide = false }: OpenProps & { readonly isSide?: boolean }) {
	return (
		<ModalOverlay
			className={`react-aria-ModalOverlay ${isSide ? 'side' : ''}`}
			isDismissable
			isOpen
			onOpenChange={(isOpen) => !isOpen && onClose()}
		>
			<Modal>
				<Dialog>
					<DialogHead title={title} close={onClose} />
					{children}
				</Dialog>
			</Modal>
		</ModalOverlay>
	);
}

interface ConfirmProps {
	readonly trigger: ReactNode;
	readonly title: string;
	/** What the action will cause. */
	readonly children: ReactNode;
	readonly action: string;
	readonly isDangerous?: boolean;
	readonly isPending: boolean;
	readonly onConfirm: () => void;
}

/** For actions that are hard to undo. */
export function Confirm({ trigger, title, children, action, isDangerous = false, isPending, onConfirm }: ConfirmProps) {
	return (
		<DialogTrigger>
			{trigger}
			<ModalOverlay isDismissable>
				<Modal>
					<Dialog role="alertdialog">
						{({ close }) => (
							<>
								<Heading slot="title">{title}</Heading>
								{children}
								<div className="actions">
									<Button onPress={close}>Cancel</Button>
									<Button
										className={`react-aria-Button primary ${isDangerous ? 'danger' : ''}`}
										autoFocus
										isPending={isPending}
										onPress={() => {
											close();
											onConfirm();
										}}
									>
										{action}
									</Button>
								</div>
							</>
						)}
					</Dialog>
				</Modal>
			</ModalOverlay>
		</DialogTrigger>
	);
}

function DialogHead({ title, close }: { title: string; close: () => void }) {
	return (
		<div className="dialog-head">
			<Heading slot="title">{title}</Heading>
			<Button className="react-aria-Button plain icon" aria-label="Close" onPress={close}>
				<X size={16} />
			</Button>
		</div>
	);
}
