import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../../api.ts';
import { dayOf } from '../../../format.ts';
import { DialogButton } from '../../../ui/dialogs.tsx';
import { ActionForm, rawTextOf, textOf } from '../../../ui/action-form.tsx';
import { Field } from '../../../ui/field.tsx';
import { Choice } from '../../../ui/fields.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Card } from '../../../ui/page.tsx';
import { Badge, Copy, type Tone } from '../../../ui/small.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { useProgram } from '../../use-program.ts';
import { GroupChoice, groupOf } from '../group-choice.tsx';

type Form = Awaited<ReturnType<typeof ask>>['data'];
type Mode = Form['applications'];

function ask(id: string, signal: AbortSignal) {
	return answerOf(api.v1.programs[':id']['application-form'].$get({ param: { id } }, { init: { signal } }));
}

const MODES: Readonly<Record<Mode, readonly [label: string, tone: Tone | undefined, text: string]>> = {
	closed: ['Closed', undefined, 'Nobody can apply. You add partners yourself.'],
	by_approval: ['Open', 'good', 'Anybody can apply. You decide on each application.'],
	automatic: ['Open, automatic', 'good', 'Anybody who applies becomes a partner immediately and receives an invitation.'],
};

export function FormCard() {
	const { programId, program, can } = useProgram();
	const form = useQuery({
		queryKey: ['application-form', programId],
		queryFn: async ({ signal }) => (await ask(programId, signal)).data,
	});
	return (
		<Card
			title="Application form"
			actions={
				form.data &&
				can('admin') && (
					<DialogButton trigger={<Button>Settings</Button>} title="How people apply" isWide>
						{(close) => <Settings form={form.data} close={close} />}
					</DialogButton>
				)
			}
		>
			<Loaded query={form} lines={2}>
				{({ applications, slug, terms }) => {
					const [label, tone, text] = MODES[applications];
					return (
						<div className="stack tight">
							<p>
								<Badge tone={tone}>{label}</Badge> {text}{' '}
								{applications !== 'closed' && terms && (
									<span className="quiet">
										Terms: version {terms.version}, since {dayOf(terms.since, program.time_zone)}.
									</span>
								)}
							</p>
							{applications !== 'closed' && slug !== null && (
								<>
									<p>This page presents the program and accepts applications. Link to it or share it:</p>
									<Copy label="the address of the page" text={addressOf(slug)} />
									<a href={addressOf(slug)} target="_blank" rel="noreferrer">
										Open the page
									</a>
								</>
							)}
						</div>
					);
				}}
			</Loaded>
		</Card>
	);
}

function addressOf(slug: string): string {
	return new URL(`/p/${slug}`, window.location.href).href;
}

function Settings({ form, close }: { form: Form; close: () => void }) {
	const { programId } = useProgram();
	const [mode, setMode] = useState(form.applications);
	const save = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id']['application-form'].$patch({
					param: { id: programId },
					json: {
						applications: mode,
						slug: textOf(fields, 'slug'),
						description: textOf(fields, 'description') ?? null,
						terms: rawTextOf(fields, 'terms').trim() === '' ? null : rawTextOf(fields, 'terms'),
						group_id: groupOf(fields) ?? null,
					},
				}),
			),
		successMessage: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={save.isPending} error={save.error} onCancel={close} onSend={(fields) => save.mutate(fields)}>
			<Choice
				label="Applications"
				options={[
					{ value: 'closed', label: 'Closed' },
					{ value: 'by_approval', label: 'Open: you decide' },
					{ value: 'automatic', label: 'Open: approved automatically' },
				]}
				description={MODES[mode][2]}
				value={mode}
				onChange={setMode}
			/>
			<div className="field-pair">
				<Field
					label="Address"
					name="slug"
					defaultValue={form.slug ?? ''}
					pattern="[a-z0-9][a-z0-9\-]{1,61}[a-z0-9]"
					description="The end of the page's address. If you change it, the old address stops working."
					isRequired
				/>
				<GroupChoice none="No group" label="New partners join" defaultId={form.group_id} />
			</div>
			<Field
				label="Description"
				name="description"
				isLong
				maxLength={5_000}
				defaultValue={form.description ?? ''}
				description="What you sell, and which partners you are looking for."
			/>
			<Field
				label="Terms"
				name="terms"
				isLong
				maxLength={20_000}
				defaultValue={form.terms?.text ?? ''}
				description="Applicants accept these terms. If you change the text, it becomes a new version. Each application keeps the version that was accepted."
			/>
		</ActionForm>
	);
}
