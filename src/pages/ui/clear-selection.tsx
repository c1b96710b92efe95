import { Button } from 'react-aria-components';

/** Also for rows that were selected on other pages. */
export function ClearSelection({ onPress }: { onPress: () => void }) {
	return (
		<Button className="react-aria-Button link" onPress={onPress}>
			Clear selection
		</Button>
	);
}
