import { useQuery } from '@tanstack/react-query';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { ActionForm } from '../../ui/action-form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Badge, Copy } from '../../ui/small.tsx';
import { titleOf, useAction } from '../../ui/use-action.ts';
import { useProgram } from '../use-program.ts';
import { DomainField, domainIn } from './domain-field.tsx';
import { SETTINGS } from './program-fields.ts';
import { useChangeProgram } from './use-change-program.ts';

async function readDomain(id: string, signal: AbortSignal) {
	return (await answerOf(api.v1.programs[':id'].domain.$get({ param: { id } }, { init: { signal } }))).data;
}

type Shown = Awaited<ReturnType<typeof readDomain>>;
type Proved = { readonly [Place in 'dns' | 'file']: NonNullable<Shown[Place]> };

/** The domain, and the proof that the program owns it. */
export function Domain() {
	const { programId, program, can } = useProgram();
	const query = useQuery({ queryKey: ['domain', programId], queryFn: ({ signal }) => readDomain(programId, signal) });
	const change = useChangeProgram({ isQuiet: true });
	return (
		<Card title={SETTINGS.domain.label} actions={query.data && <ProofBadge domain={query.data} />}>
			<div className="stack">
				{can('admin') ? (
					<ActionForm
						action="Save"
						isPending={change.isPending}
						error={change.error}
						onSend={(fields) => change.mutate({ domain: domainIn(fields) })}
					>
						<DomainField label="Host name" description={SETTINGS.domain.about} defaultValue={program.domain ?? ''} />
					</ActionForm>
				) : (
					<>
						<p className="wrap">{program.domain ?? 'No domain is set.'}</p>
						<p className="description">{SETTINGS.domain.about}</p>
					</>
				)}
				<Loaded query={query}>{(domain) => <Proof domain={domain} />}</Loaded>
			</div>
		</Card>
	);
}

function ProofBadge({ domain }: { domain: Shown }) {
	if (domain.domain === null) return null;
	if (domain.verified_at !== null) return <Badge tone="good">Verified</Badge>;
	return domain.verification_required ? <Badge tone="warn">Not verified</Badge> : <Badge>Not verified</Badge>;
}

function Proof({ domain }: { domain: Shown }) {
	const { program, can } = useProgram();
	const { dns, file } = domain;
	if (domain.domain === null) return null;
	if (domain.verified_at !== null) {
		return (
			<p className="description">Verified {dayOf(domain.verified_at, program.time_zone)}. If you change the domain, verify it again.</p>
		);
	}
	if (!dns || !file) return <p className="description">This host name is not public. You can use it here, but you cannot verify it.</p>;
	return (
		<>
			{domain.verification_required ? (
				<>
					<p className="description">
						Prove that you own the domain. Until then, links do not work on it and no cookies are set for it. Publish either of these two:
					</p>
					<Places dns={dns} file={file} />
				</>
			) : (
				can('admin') && (
					<details>
						<summary>Verify the domain</summary>
						<div className="stack">
							<p className="description">
								The domain already works, because this service does not require verification. Verify it in case the service requires it
								later, for example because anyone may sign up. Publish either of these two:
							</p>
							<Places dns={dns} file={file} />
						</div>
					</details>
				)
			)}
		</>
	);
}

function Places({ dns, file }: Proved) {
	const { programId, can } = useProgram();
	const check = useAction({
		send: () => answerOf(api.v1.programs[':id'].domain.verify.$post({ param: { id: programId } })),
		successMessage: () => 'The domain is verified',
		isQuiet: true,
	});
	return (
		<div className="stack">
			<div className="stack tight">
				<h3>A DNS TXT record</h3>
				<Copy label="the name of the record" text={dns.name} />
				<Copy label="the value of the record" text={dns.value} />
			</div>
			<div className="stack tight">
				<h3>Or a file on your site</h3>
				<Copy label="the address of the file" text={file.url} />
				<Copy label="the content of the file" text={file.content} />
			</div>
			{check.error && (
				<p className="note bad" role="alert">
					<strong>{titleOf(check.error)}.</strong> {check.error.message}
				</p>
			)}
			{can('admin') && (
				<div className="actions">
					<Button isPending={check.isPending} onPress={() => check.mutate()}>
						Check now
					</Button>
				</div>
			)}
		</div>
	);
}
