import { Button } from 'react-aria-components';
import { Choice } from '../../ui/fields.tsx';
import { Copy } from '../../ui/small.tsx';

const OVERLAPS = [
	{ value: '24', label: 'A day' },
	{ value: '1', label: 'An hour' },
	{ value: '168', label: 'A week' },
	{ value: '0', label: 'Not at all' },
] as const;

/** How many hours older secrets stay valid. */
export type Overlap = (typeof OVERLAPS)[number]['value'];

interface OverlapChoiceProps {
	readonly label: string;
	readonly value: Overlap;
	readonly onChange: (overlap: Overlap) => void;
}

export function OverlapChoice(props: OverlapChoiceProps) {
	return <Choice options={OVERLAPS} {...props} />;
}

export function NewSecret({ secret, place, close }: { secret: string; place: string; close: () => void }) {
	return (
		<div className="stack">
			<p>
				<strong>Copy it now.</strong> You will not see it again. {place}
			</p>
			<Copy label="the signing secret" text={secret} />
			<div className="actions">
				<Button className="react-aria-Button primary" onPress={close}>
					Done
				</Button>
			</div>
		</div>
	);
}
