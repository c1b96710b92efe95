import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { MAILED } from '../../domain/people/mail-preference.ts';
import type { MailedKind } from '../../domain/people/notification.ts';
import { answerOf, api } from '../api.ts';
import { Toggle } from '../ui/fields.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Card, Page } from '../ui/page.tsx';
import { useAction } from '../ui/use-action.ts';
import { meQuery } from '../layout/me.ts';

/** All other kinds are for partners. */
const TO_MEMBERS: readonly MailedKind[] = [
	'manual_review',
	'payout_file_made',
	'processor_silent',
	'reversal_refused',
	'application_received',
	'webhook_disabled',
];

const KINDS: readonly { readonly kind: MailedKind; readonly label: string }[] = [
	{ kind: 'manual_review', label: 'A paid commission was refunded' },
	{ kind: 'payout_file_made', label: 'Someone downloads a file with partners’ payout details' },
	{ kind: 'processor_silent', label: 'A payment processor stops sending events' },
	{ kind: 'reversal_refused', label: 'A refund or dispute was refused because of its currency' },
	{ kind: 'application_received', label: 'Someone applied to become a partner' },
	{ kind: 'webhook_disabled', label: 'A webhook was disabled because it kept failing' },
	{ kind: 'commission_created', label: 'You earned a commission' },
	{ kind: 'commission_reversed', label: 'A commission was reversed or reduced' },
	{ kind: 'commission_reinstated', label: 'A commission was reinstated' },
	{ kind: 'commission_rejected', label: 'A commission was rejected' },
	{ kind: 'payout_made', label: 'A payout was made' },
	{ kind: 'payout_sent', label: 'A payout was sent' },
	{ kind: 'payout_failed', label: 'A payout failed' },
	{ kind: 'postback_disabled', label: 'Your postback was switched off because it kept failing' },
	{ kind: 'membership_suspended', label: 'Your membership in a program was suspended' },
	{ kind: 'membership_resumed', label: 'Your membership in a program is active again' },
	{ kind: 'membership_ended', label: 'Your membership in a program has ended' },
];

export function Mail() {
	const query = useQuery({
		queryKey: ['mail-preferences'],
		queryFn: async ({ signal }) => (await answerOf(api.v1.me['mail-preferences'].$get({}, { init: { signal } }))).data,
	});
	return (
		<Page title="Email">
			<Loaded query={query}>
				{({ mail_on: isMailOn, notifications, kinds }) => (
					<>
						{!isMailOn && <p className="note">This service does not send email. Your choices apply once it does.</p>}
						<Choices isOn={notifications} kinds={kinds} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

function Choices({ isOn, kinds }: { isOn: boolean; kinds: Readonly<Record<MailedKind, boolean>> }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const change = useAction({
		send: (json: { notifications?: boolean; kinds?: { readonly [Kind in MailedKind]?: boolean } }) =>
			answerOf(api.v1.me['mail-preferences'].$patch({ json })),
	});
	const isReceived = (kind: MailedKind) => (TO_MEMBERS.includes(kind) ? me.workspaces : me.partner_accounts).length > 0;
	return (
		<Card title="Email notifications">
			<div className="stack">
				<Toggle isSelected={isOn} isDisabled={change.isPending} onChange={(notifications) => change.mutate({ notifications })}>
					Email me notifications that I have not read here
				</Toggle>
				<p className="description">Emails about your password and sessions are always sent.</p>
				<ul className="plain rows">
					{KINDS.filter(({ kind }) => isReceived(kind)).map(({ kind, label }) => (
						<li key={kind}>
							<Toggle
								isSelected={kinds[kind]}
								isDisabled={!isOn || change.isPending}
								onChange={(isSelected) => change.mutate({ kinds: { [kind]: isSelected } })}
							>
								{label}
							</Toggle>
							<span className="description">{MAILED[kind].pace === 'daily' ? 'Once a day, in one email' : 'Within minutes'}</span>
						</li>
					))}
				</ul>
			</div>
		</Card>
	);
}
