import './figures.css';
import { ToggleButton } from 'react-aria-components';
import { share } from '../format.ts';

interface Trend {
	/** In percent. */
	readonly trend: number;
	readonly trendDirection: string;
}

interface Tile<Name extends string> {
	readonly name: Name;
	readonly label: string;
	readonly value: string;
	/** The comparison with the preceding period; null without one. */
	readonly trend: Trend | null;
	/** Notes under the figure. */
	readonly notes: readonly string[];
}

interface TilesProps<Name extends string> {
	readonly tiles: readonly Tile<Name>[];
	readonly shown: Name;
	readonly onShow: (name: Name) => void;
}

/** The totals of a report. The selected one is charted by day. */
export function Tiles<Name extends string>({ tiles, shown, onShow }: TilesProps<Name>) {
	return (
		<div className="tiles" role="group" aria-label="What the chart shows">
			{tiles.map(({ name, label, value, trend, notes }) => (
				<ToggleButton key={name} className="react-aria-ToggleButton tile" isSelected={shown === name} onChange={() => onShow(name)}>
					<span>{label}</span>
					<strong>{value}</strong>
					{trend && <TrendText trend={trend} />}
					{notes.map((line) => (
						<span key={line}>{line}</span>
					))}
				</ToggleButton>
			))}
		</div>
	);
}

function TrendText({ trend: { trend, trendDirection } }: { trend: Trend }) {
	if (trendDirection === 'stable') return <span>No change</span>;
	const isUp = trendDirection === 'up';
	return (
		<span className={isUp ? 'good' : 'bad'}>
			<span aria-hidden="true">{isUp ? '▲' : '▼'}</span> <span className="visually-hidden">{isUp ? 'up' : 'down'}</span>
			{share(trend / 100)}
		</span>
	);
}
