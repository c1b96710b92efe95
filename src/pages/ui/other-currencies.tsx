import { Button, Dialog, DialogTrigger, Heading, Popover } from 'react-aria-components';
import type { LateProps } from './late.tsx';

interface OtherCurrenciesProps {
	readonly label: string;
	readonly others: readonly string[];
}

export function OtherCurrencies({ button, isOpenAtFirst, label, others }: LateProps & OtherCurrenciesProps) {
	return (
		<DialogTrigger defaultOpen={isOpenAtFirst}>
			<Button {...button} />
			<Popover placement="bottom start">
				<Dialog className="react-aria-Dialog currencies">
					<Heading slot="title">{label}</Heading>
					<ul>
						{others.map((amount) => (
							<li key={amount}>{amount}</li>
						))}
					</ul>
				</Dialog>
			</Popover>
		</DialogTrigger>
	);
}
