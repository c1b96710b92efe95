import { Check, Copy as CopyIcon, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button, Tooltip, TooltipTrigger } from 'react-aria-components';
import { toast } from './toasts.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'accent';

/** With a reason, a badge becomes a button with a tooltip and a description. */
export function Badge({
	tone,
	icon: Icon,
	reason,
	children,
}: {
	tone?: Tone | undefined;
	/** Tells states apart without their colours. */
	icon?: LucideIcon | undefined;
	reason?: string | null | undefined;
	children: ReactNode;
}) {
	const className = `badge ${tone ?? ''}`;
	const shown = (
		<>
			{Icon && <Icon size={12} strokeWidth={2.25} />}
			{children}
		</>
	);
	if (!reason) return <span className={className}>{shown}</span>;
	return (
		<TooltipTrigger delay={150}>
			<Button className={className}>{shown}</Button>
			<Tooltip>{reason}</Tooltip>
		</TooltipTrigger>
	);
}

/** For a key, a URL or a snippet. */
export function Copy({ label, text, isBlock = false }: { label: string; text: string; isBlock?: boolean }) {
	return (
		<div className="copy">
			{isBlock ? <pre tabIndex={0}>{text}</pre> : <code>{text}</code>}
			<CopyButton label={label} text={text} />
		</div>
	);
}

export function CopyButton({ label, text, className }: { label: string; text: string; className?: string }) {
	const [isCopied, setCopied] = useState(false);
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			toast({ title: 'Your browser blocked the copy', text: 'Select the text and copy it yourself.', isError: true });
			return;
		}
		setCopied(true);
		setTimeout(() => setCopied(false), 2_000);
	};
	return (
		<Button className={`react-aria-Button ${className ?? ''}`} aria-label={`Copy ${label}`} onPress={() => void copy()}>
			{isCopied ? <Check size={14} /> : <CopyIcon size={14} />}
			<span aria-live="polite">{isCopied ? 'Copied' : 'Copy'}</span>
		</Button>
	);
}

/** Omits facts without a value. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
	return (
		<dl className="facts">
			{facts
				.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
				.map(([name, value], index) => (
					<div key={index} className="contents">
						<dt>{name}</dt>
						<dd>{value}</dd>
					</div>
				))}
		</dl>
	);
}
