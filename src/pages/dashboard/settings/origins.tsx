import { useState } from 'react';
import { Button } from 'react-aria-components';
import { normaliseOrigin } from '../../../domain/origin.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { useProgram } from '../use-program.ts';
import { originProblem } from './origin-problem.ts';
import { SETTINGS } from './program-fields.ts';
import { useChangeProgram } from './use-change-program.ts';

const LOCALHOST = 'http://localhost:*';

/** Saves each change immediately. */
export function Origins() {
	const { program, can } = useProgram();
	const { allowed_origins: origins } = program;
	const change = useChangeProgram();
	const save = (list: readonly string[]) => change.mutate({ allowed_origins: [...list] });
	return (
		<Card title={SETTINGS.allowed_origins.label}>
			<div className="stack">
				<p className="description">{SETTINGS.allowed_origins.about}</p>
				{origins.length === 0 && (
					<p className="note warn">
						No origins yet, so calls from the script on your pages are refused. Your backend can still report events.
					</p>
				)}
				<ul className="plain rows">
					{origins.map((origin) => (
						<li key={origin}>
							<code>{origin}</code>
							{can('admin') && (
								<Button
									className="react-aria-Button plain"
									aria-label={`Remove ${origin}`}
									isDisabled={change.isPending}
									onPress={() => save(origins.filter((other) => other !== origin))}
								>
									Remove
								</Button>
							)}
						</li>
					))}
				</ul>
				{can('admin') && <NewOrigin origins={origins} isPending={change.isPending} save={save} />}
			</div>
		</Card>
	);
}

function NewOrigin({ origins, isPending, save }: { origins: readonly string[]; isPending: boolean; save: (list: string[]) => void }) {
	const [text, setText] = useState('');
	const [isTried, setTried] = useState(false);
	const problem = isTried && text.trim() !== '' ? originProblem(text) : undefined;
	const add = (origin: string) => {
		setText('');
		setTried(false);
		save([...new Set([...origins, origin])]);
	};
	const { meant } = problem ?? {};
	return (
		<>
			<ActionForm
				action="Add"
				isPending={isPending}
				error={null}
				onSend={() => {
					const origin = normaliseOrigin(text);
					if (origin === undefined) setTried(true);
					else add(origin);
				}}
			>
				<Field
					label="New origin"
					placeholder="https://shop.example"
					value={text}
					onChange={setText}
					description="Scheme and host, and the port if it is not the default. https://*.shop.example covers all subdomains."
					isRequired
				/>
				{problem && (
					<div className="note bad stack tight" role="alert">
						<p>{problem.text}</p>
						{meant !== undefined && (
							<p>
								<Button onPress={() => add(meant)}>Add {meant}</Button>
							</p>
						)}
					</div>
				)}
			</ActionForm>
			{!origins.includes(LOCALHOST) && (
				<p className="row">
					<Button isDisabled={isPending} onPress={() => add(LOCALHOST)}>
						Add localhost
					</Button>
					<span className="description">Any port on your development machine.</span>
				</p>
			)}
		</>
	);
}
