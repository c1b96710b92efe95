import { Check, ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, Disclosure, DisclosureGroup, DisclosurePanel, Heading } from 'react-aria-components';

export interface Step {
	readonly id: string;
	readonly title: string;
	readonly isDone: boolean;
	/** One line, for a step that is done. */
	readonly result: string | undefined;
	readonly children: ReactNode;
}

/** One step is open at a time. A step that is done while it is open stays open, so that nothing moves under the reader. */
export function Steps({ steps }: { steps: readonly Step[] }) {
	const [opened, setOpened] = useState(() => steps.find(({ isDone }) => !isDone)?.id);
	const list = useRef<HTMLOListElement>(null);
	const doneCount = steps.filter(({ isDone }) => isDone).length;
	const goOn = (id: string | undefined) => {
		setOpened(id);
		list.current?.querySelector<HTMLElement>(`[data-step="${id ?? steps.at(-1)?.id}"] button`)?.focus();
	};
	return (
		<div className="setup">
			<div className="setup-head">
				<strong aria-live="polite">
					{doneCount} of {steps.length} done
				</strong>
				<div className="setup-track" aria-hidden="true">
					{steps.map(({ id, isDone }) => (
						<i key={id} className={isDone ? 'done' : ''} />
					))}
				</div>
			</div>
			<DisclosureGroup expandedKeys={opened === undefined ? [] : [opened]} onExpandedChange={(keys) => setOpened([...keys].map(String)[0])}>
				<ol className="plain" ref={list}>
					{steps.map((step, index) => (
						<li key={step.id} data-step={step.id}>
							<OneStep step={step} number={index + 1} onContinue={() => goOn(nextOf(steps, index))} isOpen={step.id === opened} />
						</li>
					))}
				</ol>
			</DisclosureGroup>
		</div>
	);
}

/** The next step that is not done, also before this one. */
function nextOf(steps: readonly Step[], index: number): string | undefined {
	return [...steps.slice(index + 1), ...steps.slice(0, index)].find(({ isDone }) => !isDone)?.id;
}

interface OneStepProps {
	readonly step: Step;
	readonly number: number;
	readonly isOpen: boolean;
	readonly onContinue: () => void;
}

function OneStep({ step: { id, title, isDone, result, children }, number, isOpen, onContinue }: OneStepProps) {
	return (
		<Disclosure id={id} className={`step ${isDone ? 'done' : ''}`}>
			<Heading level={2}>
				<Button slot="trigger" className="step-button">
					<span className="mark" aria-hidden="true">
						{isDone ? <Check size={15} strokeWidth={2.5} /> : number}
					</span>
					<span className="step-words">
						<span className="step-title">{title}</span>
						{isDone && <span className="visually-hidden">Done.</span>}
						{isDone && result !== undefined && <span className="step-result">{result}</span>}
					</span>
					<ChevronDown size={16} className="lucide turn" />
				</Button>
			</Heading>
			<DisclosurePanel>
				{isOpen && (
					<div className="step-body stack">
						{children}
						{isDone && <Continue onContinue={onContinue} />}
					</div>
				)}
			</DisclosurePanel>
		</Disclosure>
	);
}

/** Takes the focus if the step's form had it and is gone. */
function Continue({ onContinue }: { onContinue: () => void }) {
	const button = useRef<HTMLButtonElement>(null);
	useEffect(() => {
		if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
	}, []);
	return (
		<div className="actions">
			<Button ref={button} className="react-aria-Button primary" onPress={onContinue}>
				Continue
			</Button>
		</div>
	);
}
