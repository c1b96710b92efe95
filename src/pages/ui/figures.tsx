import './figures.css';
import { type ReactNode, useId, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import { share } from '../format.ts';
import { CurrenciesChip } from './currencies-chip.tsx';

interface Trend {
	/** In percent. */
	readonly trend: number;
	readonly trendDirection: string;
	/** There was nothing to compare with, so a percentage would mean nothing. */
	readonly isNew?: boolean;
}

export interface Figure {
	/** Shortened if it is long. */
	readonly short: string;
	readonly exact: string;
}

interface Tile<Name extends string> {
	readonly name: Name;
	readonly label: string;
	readonly value: Figure;
	/** Against the preceding period; null without one. */
	readonly trend: Trend | null;
	/** Notes under the figure. */
	readonly notes: readonly string[];
	/** Other currencies, which are never added up. */
	readonly others?: readonly string[];
}

interface TilesProps<Name extends string> {
	readonly tiles: readonly Tile<Name>[];
	readonly shown: Name;
	readonly onShow: (name: Name) => void;
}

/** The chart shows the selected figure by day. */
export function Tiles<Name extends string>({ tiles, shown, onShow }: TilesProps<Name>) {
	return (
		<div className="tiles" role="group" aria-label="What the chart shows">
			{tiles.map((tile) => (
				<TileOf key={tile.name} tile={tile} isShown={shown === tile.name} onShow={() => onShow(tile.name)} />
			))}
		</div>
	);
}

interface TileProps {
	readonly tile: Tile<string>;
	readonly isShown: boolean;
	readonly onShow: () => void;
}

function TileOf({ tile: { label, value, trend, notes, others = [] }, isShown, onShow }: TileProps) {
	const isShortened = value.short !== value.exact;
	return (
		<div className={isShown ? 'tile-of shown' : 'tile-of'}>
			<WithExact exact={isShortened ? value.exact : undefined}>
				{(events) => (
					<ToggleButton {...events} className="react-aria-ToggleButton tile" isSelected={isShown} onChange={onShow}>
						<span>{label}</span>
						<strong className={value.short.length > 10 ? 'long' : ''}>{value.short}</strong>
						{trend && <TrendText trend={trend} />}
						{notes.map((line) => (
							<span key={line}>{line}</span>
						))}
					</ToggleButton>
				)}
			</WithExact>
			<CurrenciesChip label={label} others={others} />
		</div>
	);
}

interface WithExactProps {
	/** Undefined if the figure is exact as it is. */
	readonly exact: string | undefined;
	readonly children: (events: ExactEvents) => ReactNode;
}

interface ExactEvents {
	readonly 'aria-describedby'?: string;
	readonly onHoverChange: (isHovered: boolean) => void;
	readonly onFocus: (event: { readonly target: Element }) => void;
	readonly onBlur: () => void;
	readonly onPress: (event: { readonly pointerType: string }) => void;
	readonly onKeyDown: (event: { readonly key: string; readonly continuePropagation?: () => void }) => void;
}

/** Shows the exact figure while the tile has the pointer or the focus, or after a touch. Escape hides it. */
function WithExact({ exact, children }: WithExactProps) {
	const id = useId();
	const [isHovered, setHovered] = useState(false);
	const [isFocused, setFocused] = useState(false);
	const events = {
		...(exact === undefined ? {} : { 'aria-describedby': id }),
		onHoverChange: setHovered,
		// After a click, the pointer decides: otherwise the figure would stay after the pointer has left.
		onFocus: ({ target }: { readonly target: Element }) => setFocused(target.matches(':focus-visible')),
		onBlur: () => setFocused(false),
		onPress: ({ pointerType }: { readonly pointerType: string }) => pointerType === 'touch' && setFocused(true),
		onKeyDown: ({ key, continuePropagation }: { readonly key: string; readonly continuePropagation?: () => void }) => {
			if (key === 'Escape') {
				setHovered(false);
				setFocused(false);
			}
			continuePropagation?.();
		},
	};
	return (
		<>
			{children(events)}
			{exact !== undefined && (
				<span role="tooltip" id={id} className="exact" hidden={!isHovered && !isFocused}>
					{exact}
				</span>
			)}
		</>
	);
}

function TrendText({ trend: { trend, trendDirection, isNew } }: { trend: Trend }) {
	if (isNew) return <span className="good">New</span>;
	if (trendDirection === 'stable') return <span>No change</span>;
	const isUp = trendDirection === 'up';
	return (
		<span className={isUp ? 'good' : 'bad'}>
			<span aria-hidden="true">{isUp ? '▲' : '▼'}</span> <span className="visually-hidden">{isUp ? 'up' : 'down'}</span>
			{share(trend / 100)}
		</span>
	);
}
