import './settings.css';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { ago, moment } from '../../format.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, rawTextOf } from '../../ui/action-form.tsx';
import { Empty, Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Copy, Facts } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { PasswordField } from '../../account/password-field.tsx';
import { Rotate } from './rotate-key.tsx';
import { timeUntil, useNow } from './use-now.ts';

async function listKeys(id: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id']['api-token'].$get({ param: { id }, query: {} }, { init: { signal } }))).data;
}

type Key = Awaited<ReturnType<typeof listKeys>>[number];

export function Keys() {
	const { programId } = useProgram();
	const query = useQuery({ queryKey: ['keys', programId], queryFn: ({ signal }) => listKeys(programId, signal) });
	return (
		<Page title="Keys">
			<p className="quiet">
				Your backend uses the program key to report leads, sales and refunds. Keep the key only there. Never put it in a web page, an app or
				a repository.
			</p>
			<Loaded query={query}>
				{(keys) => (
					<>
						<CurrentKey current={keys.find(({ current }) => current)} />
						<EarlierKeys keys={keys.filter(({ current }) => !current)} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

function CurrentKey({ current }: { current: Key | undefined }) {
	const { program, can } = useProgram();
	return (
		<Card
			title="Current key"
			actions={
				can('admin') && (
					<>
						{current && <Reveal />}
						<Rotate />
					</>
				)
			}
		>
			{current ? (
				<Facts
					facts={[
						['Begins with', <code key="prefix">{current.prefix}…</code>],
						['Created', current.created_at && moment(current.created_at, program.time_zone)],
						['Last used', <LastUse key="use" keyShown={current} />],
					]}
				/>
			) : (
				<Empty title="There is no key">Create one. Until then, your backend cannot report anything.</Empty>
			)}
			{!can('admin') && <p className="description">Only owners and admins of the workspace can reveal or rotate it.</p>}
		</Card>
	);
}

/** Accurate to the hour, because an exact time would cost one write per sale. */
function LastUse({ keyShown }: { keyShown: Key }) {
	const { program } = useProgram();
	const { last_used_at: at } = keyShown;
	if (at === null) return <span className="quiet">Not for a lead, sale or refund yet</span>;
	return (
		<span className="when" title={moment(at, program.time_zone)}>
			{ago(at)}
		</span>
	);
}

function EarlierKeys({ keys }: { keys: readonly Key[] }) {
	const { can } = useProgram();
	return (
		<Card title="Earlier keys that still work" isFlush>
			<DataTable
				label="Earlier keys"
				rows={keys}
				empty={<Empty title="No earlier keys">After a rotation, the previous key appears here for as long as it works.</Empty>}
				columns={[
					{ id: 'prefix', label: 'Begins with', cell: (key) => <code>{key.prefix}…</code> },
					{ id: 'used', label: 'Last used', cell: (key) => <LastUse keyShown={key} /> },
					{ id: 'until', label: 'Works for', cell: (key) => key.expires_at && <Countdown until={key.expires_at} /> },
					...(can('admin') ? [{ id: 'end', label: 'Actions', cell: (key: Key) => <Revoke keyShown={key} /> }] : []),
				]}
			/>
		</Card>
	);
}

function Countdown({ until }: { until: string }) {
	const { program } = useProgram();
	const now = useNow();
	return (
		<span className="countdown">
			{Date.parse(until) > now ? timeUntil(until, now) : 'Expired'}
			<span className="quiet"> until {moment(until, program.time_zone)}</span>
		</span>
	);
}

function Reveal() {
	const { programId } = useProgram();
	return (
		<DialogButton trigger={<Button>Reveal</Button>} title="Reveal the key">
			{(close) => <RevealForm programId={programId} close={close} />}
		</DialogButton>
	);
}

function RevealForm({ programId, close }: { programId: string; close: () => void }) {
	const reveal = useAction({
		send: async (password: string) =>
			(await answerOf(api.v1.programs[':id']['api-token'].reveal.$post({ param: { id: programId }, json: { password } }))).data.api_token,
		isQuiet: true,
	});
	if (reveal.data !== undefined) {
		return (
			<>
				<Copy label="the program key" text={reveal.data} />
				<p className="description">Anyone with this key can report sales. The audit log records that you revealed it.</p>
			</>
		);
	}
	return (
		<ActionForm
			action="Reveal"
			isPending={reveal.isPending}
			error={reveal.error}
			onCancel={close}
			onSend={(fields) => reveal.mutate(rawTextOf(fields, 'password'))}
		>
			<PasswordField autoFocus />
		</ActionForm>
	);
}

function Revoke({ keyShown }: { keyShown: Key }) {
	const { programId } = useProgram();
	return (
		<DialogButton
			trigger={
				<Button className="react-aria-Button danger" aria-label={`Revoke ${keyShown.prefix}`}>
					Revoke
				</Button>
			}
			title={`Revoke ${keyShown.prefix}… now?`}
		>
			{(close) => <RevokeForm programId={programId} keyShown={keyShown} close={close} />}
		</DialogButton>
	);
}

function RevokeForm({ programId, keyShown, close }: { programId: string; keyShown: Key; close: () => void }) {
	const revoke = useAction({
		send: (password: string) =>
			answerOf(
				api.v1.programs[':id']['api-token'][':keyId'].$delete({ param: { id: programId, keyId: String(keyShown.id) }, json: { password } }),
			),
		successMessage: () => 'The key was revoked',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm
			action="Revoke now"
			isDangerous
			isPending={revoke.isPending}
			error={revoke.error}
			onCancel={close}
			onSend={(fields) => revoke.mutate(rawTextOf(fields, 'password'))}
		>
			<p>
				Requests that still use this key will be refused. Last use: <LastUse keyShown={keyShown} />.
			</p>
			<PasswordField autoFocus />
		</ActionForm>
	);
}
