import './setup.css';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { centsOf, money } from '../../format.ts';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { pageUrlOf, shortUrlOf } from '../partners/links/link-addresses.ts';
import { processorsQuery } from '../settings/processors/processors-query.ts';
import { useChangeProgram } from '../settings/use-change-program.ts';
import { useProgram } from '../use-program.ts';
import { Processors, Sales, Snippet } from './setup-tracking.tsx';
import { TestChain } from './test-chain.tsx';
import { type Status, statusQuery } from './status.ts';

/** Guides a new program to a working integration, and ticks off completed steps. */
export function Setup() {
	const { programId, program, can } = useProgram();
	const status = useQuery(statusQuery(programId));
	const { data: processors = [] } = useQuery(processorsQuery(programId));
	return (
		<Page title={`Set up ${program.name}`}>
			<Loaded query={status} lines={12}>
				{(found) => (
					<>
						{found.integration_verified && (
							<p className="note good" role="status">
								<strong>Your integration works.</strong> Clicks, sign-ups and sales arrive and are credited.{' '}
								<Link to="/programs/$programId" params={{ programId }} search={{}}>
									See the overview
								</Link>
							</p>
						)}
						{!can('admin') && <p className="note">You may read here. Owners and admins of the workspace change things.</p>}
						<ol className="setup">
							<Step title="Where your site is" isDone={found.allowed_origins.length > 0 && found.refused_origins.length === 0}>
								<Site status={found} />
							</Step>
							<Step title="What partners earn" isDone={isOk(found, 'commission_rule')}>
								<Earnings />
							</Step>
							<Step title="A first partner" isDone={isOk(found, 'partner_link')}>
								<FirstPartner />
							</Step>
							<Step title="The script in your pages" isDone={isOk(found, 'click_received')}>
								<Snippet />
							</Step>
							<Step title="Sales, from your backend" isDone={isOk(found, 'sale_received')}>
								<Sales />
							</Step>
							<Step
								title="Or from your payment processor"
								isDone={processors.some(({ connected }) => connected) && processorProblems(found).length === 0}
							>
								<Processors processors={processors} />
								<Problems checks={processorProblems(found)} />
							</Step>
							<Step title="Try it" isDone={found.integration_verified}>
								<TestChain programId={programId} mayTry={can('admin')} />
								<Problems checks={found.checks.filter(({ name, ok }) => !ok && !hasStep(name))} />
							</Step>
						</ol>
					</>
				)}
			</Loaded>
		</Page>
	);
}

function isOk(status: Status, name: string): boolean {
	return status.checks.some((check) => check.name === name && check.ok);
}

function Step({ title, isDone, children }: { title: string; isDone: boolean; children: ReactNode }) {
	return (
		<li className={isDone ? 'done' : ''}>
			<span className="mark" role="img" aria-label={isDone ? 'Done' : 'To do'}>
				{isDone ? '✓' : '·'}
			</span>
			<div className="stack">
				<h2>{title}</h2>
				{children}
			</div>
		</li>
	);
}

const LOCAL = 'http://localhost:*';

/** The origins whose pages may report clicks, and those that were refused. */
function Site({ status }: { status: Status }) {
	const { programId, program, can } = useProgram();
	const change = useChangeProgram();
	const allow = (origin: string) => change.mutate({ allowed_origins: [...program.allowed_origins, origin] });
	const isLocalAllowed = program.allowed_origins.includes(LOCAL);
	return (
		<>
			<p>
				Pages of{' '}
				{status.allowed_origins.length === 0
					? 'no site yet'
					: status.allowed_origins.map((origin, index) => (
							<span key={origin}>
								{index > 0 && ', '}
								<code>{origin}</code>
							</span>
						))}{' '}
				may report clicks.
			</p>
			{can('admin') && program.domain === null && (
				<ActionForm
					action="Save"
					isPending={change.isPending}
					error={null}
					onSend={(fields) => change.mutate({ domain: textOf(fields, 'domain') ?? null })}
				>
					<Field label="Domain of your site" name="domain" placeholder="example.com" isRequired />
				</ActionForm>
			)}
			<div className="row">
				{can('admin') && !isLocalAllowed && (
					<Button isPending={change.isPending} onPress={() => allow(LOCAL)}>
						Also allow localhost, while you develop
					</Button>
				)}
				<Link to="/programs/$programId/settings" params={{ programId }}>
					All origins
				</Link>
			</div>
			{status.refused_origins.map((origin) => (
				<p key={origin} className="note warn row">
					<span>
						A page of <code>{origin}</code> was refused in the last 24 hours. If it is yours, allow it.
					</span>
					{can('admin') && origin !== 'null' && (
						<Button isPending={change.isPending} onPress={() => allow(origin)}>
							Allow {origin}
						</Button>
					)}
				</p>
			))}
		</>
	);
}

function Earnings() {
	const { programId, program } = useProgram();
	const [sale, setSale] = useState('100');
	const cents = centsOf(sale, program.currency);
	const isAmount = cents !== undefined && cents > 0;
	const earned = useQuery({
		queryKey: ['dry-run', programId, cents],
		queryFn: async ({ signal }) =>
			(
				await answerOf(
					api.v1.programs[':id']['commission-rules']['dry-run'].$get(
						{ param: { id: programId }, query: { amount_cents: String(cents) } },
						{ init: { signal } },
					),
				)
			).data,
		enabled: isAmount,
		placeholderData: keepPreviousData,
	});
	const found = isAmount ? earned.data : undefined;
	const result = found?.commission ? money(found.commission.amount_cents, found.currency) : (found?.reason ?? '…');
	return (
		<>
			<div className="row">
				<span>A sale of</span>
				<Field label="Amount of a sale" isLabelHidden inputMode="decimal" value={sale} onChange={setSale} />
				<span>
					{program.currency} earns its partner <strong>{result}</strong>
				</span>
			</div>
			<Link to="/programs/$programId/rules" params={{ programId }}>
				Rules by product, partner and group
			</Link>
		</>
	);
}

function FirstPartner() {
	const { programId, program, can } = useProgram();
	const partners = useQuery({
		queryKey: ['partners', programId, 'first'],
		queryFn: async ({ signal }) =>
			(await answerOf(api.v1.programs[':id'].partners.$get({ param: { id: programId }, query: { limit: '1' } }, { init: { signal } })))
				.data,
	});
	const add = useAction({
		send: (json: { name: string; email: string }) => answerOf(api.v1.programs[':id'].partners.$post({ param: { id: programId }, json })),
		isQuiet: true,
	});
	const invitation = add.data?.data.invitation_url;
	const link = partners.data?.[0]?.links[0];
	return (
		<Loaded query={partners} lines={2}>
			{([partner]) => (
				<>
					{partner ? (
						<p>
							<strong>{partner.name}</strong> has this link. Open it once yourself: it is the click of the test below.
						</p>
					) : (
						<p>Add yourself first, to try everything out. Partners get a link of their own at once.</p>
					)}
					{link && <Copy label="the partner's link" text={pageUrlOf(link, program.domain) ?? shortUrlOf(link.short_link)} />}
					{invitation && (
						<>
							<p>The partner signs in by this invitation:</p>
							<Copy label="the invitation" text={invitation} />
						</>
					)}
					{!partner && can('admin') && (
						<ActionForm
							action="Add the partner"
							isPending={add.isPending}
							error={add.error}
							onSend={(fields) => add.mutate({ name: textOf(fields, 'name') ?? '', email: textOf(fields, 'email') ?? '' })}
						>
							<div className="field-pair">
								<Field label="Name" name="name" maxLength={120} isRequired />
								<Field label="E-mail address" name="email" type="email" isRequired />
							</div>
						</ActionForm>
					)}
				</>
			)}
		</Loaded>
	);
}

type Check = Status['checks'][number];

const ARRIVAL = /_(?:events_received|signatures_match|timestamps_match)$/;

/**
 * Why no event of a connected processor is accepted. Failing signatures already explain why no event was received, so only they are shown.
 */
function processorProblems({ checks }: Status): Check[] {
	const failing = checks.filter(({ name, ok }) => !ok && ARRIVAL.test(name));
	const reasons = failing.filter(({ name }) => name.endsWith('_match'));
	const isExplained = (name: string) => reasons.some((reason) => reason.name.startsWith(name.replace('events_received', '')));
	return failing.filter(({ name }) => !name.endsWith('_received') || !isExplained(name));
}

/** Problems found by the service, and what to do. */
function Problems({ checks }: { checks: readonly Check[] }) {
	if (checks.length === 0) return null;
	return (
		<ul className="stack plain">
			{checks.map(({ name, next_action }) => (
				<li key={name} className="note warn">
					{next_action}
				</li>
			))}
		</ul>
	);
}

/** Whether one of the page's steps shows this check. */
function hasStep(name: string): boolean {
	return STEPS.has(name) || ARRIVAL.test(name);
}

const STEPS = new Set([
	'partner_link',
	'commission_rule',
	'allowed_origins',
	'origins_accepted',
	'click_received',
	'lead_received',
	'sale_received',
	'stripe_connected',
]);
