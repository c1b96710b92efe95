import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Modal, ModalOverlay } from 'react-aria-components';
import type { LateProps } from '../ui/late.tsx';

export function NarrowMenu({ button, isOpenAtFirst, children }: LateProps & { children: ReactNode }) {
	return (
		<DialogTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<ModalOverlay className="react-aria-ModalOverlay menu" isDismissable>
				<Modal>
					<Dialog aria-label="Navigation">{children}</Dialog>
				</Modal>
			</ModalOverlay>
		</DialogTrigger>
	);
}
