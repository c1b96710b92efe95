import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { ActionForm, textOf } from '../../ui/action-form.tsx';
import { Field } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { RangePicker } from '../../ui/range-picker.tsx';
import { useAction } from '../../ui/use-action.ts';
import { Figures } from '../reports/figures.tsx';
import { useProgram } from '../use-program.ts';
import { GroupChoice, groupOf } from './group-choice.tsx';
import { PartnerAccount } from './partner-account.tsx';
import { Commissions, Payouts } from './partner-books.tsx';
import { PartnerCoupons } from './partner-coupons.tsx';
import { Identity, PartnerLead } from './partner-head.tsx';
import { PartnerPostback } from './partner-postback.tsx';
import { LinkTable } from './links/link-table.tsx';
import { MakeLink } from './links/add-link.tsx';
import { type Partner, partnerQuery } from './queries.ts';
import { StatusDialog } from './status-dialog.tsx';

const route = getRouteApi('/shell/programs/$programId/partners/$partnerId');

export function PartnerPage() {
	const { programId, partnerId } = route.useParams();
	const partner = useQuery(partnerQuery(programId, partnerId));
	return <Loaded query={partner}>{(data) => <Shown partner={data} />}</Loaded>;
}

function Shown({ partner }: { partner: Partner }) {
	const { can } = useProgram();
	const { link } = route.useSearch();
	const navigate = route.useNavigate();
	const links = partner.links.map((own) => ({ ...own, partner: null }));
	return (
		<Page
			title={partner.name}
			sign={<Avatar name={partner.name} size="large" />}
			under={<Identity partner={partner} />}
			actions={can('admin') && <Actions partner={partner} />}
		>
			{partner.status_reason && (
				<p className="note warn">
					<b>{partner.status === 'ended' ? 'Ended' : 'Suspended'}:</b> {partner.status_reason}
				</p>
			)}
			<PartnerLead partner={partner} />
			<Performance partnerId={String(partner.id)} />
			<div className="columns">
				<Commissions partnerId={String(partner.id)} />
				<Payouts partnerId={String(partner.id)} />
			</div>
			<Card title="Links" isFlush actions={can('admin') && partner.status !== 'ended' && <MakeLink partner={partner} />}>
				<LinkTable
					links={links}
					opened={link}
					onOpen={(id) => void navigate({ search: (old) => ({ ...old, link: id }), resetScroll: false })}
				/>
			</Card>
			<PartnerCoupons partner={partner} />
			<PartnerPostback partner={partner} />
			<PartnerAccount partner={partner} />
		</Page>
	);
}

function Performance({ partnerId }: { partnerId: string }) {
	const { programId, program } = useProgram();
	const { period = '30d', from, to, series = 'revenue' } = route.useSearch();
	const navigate = route.useNavigate();
	const show = (change: object) => void navigate({ search: (old) => ({ ...old, ...change }), resetScroll: false });
	const range = { period, from, to };
	return (
		<>
			<div className="bar">
				<h2>Performance</h2>
				<RangePicker range={range} zone={program.time_zone} onChange={(next) => show({ from: undefined, to: undefined, ...next })} />
			</div>
			<Figures
				request={{ programId, zone: program.time_zone, range, filter: { partner_id: partnerId } }}
				currency={program.currency}
				series={series}
				isCompared
				onShow={(name) => show({ series: name })}
			/>
		</>
	);
}

function Actions({ partner }: { partner: Partner }) {
	const one = [partner];
	if (partner.status === 'ended') return null;
	return (
		<>
			<DialogButton trigger={<Button>Edit</Button>} title="Edit partner">
				{(close) => <ChangeForm partner={partner} close={close} />}
			</DialogButton>
			{partner.status === 'active' ? (
				<StatusDialog trigger={<Button>Suspend</Button>} status="suspended" partners={one} />
			) : (
				<StatusDialog trigger={<Button>Resume</Button>} status="active" partners={one} />
			)}
			<StatusDialog trigger={<Button className="react-aria-Button danger">End membership</Button>} status="ended" partners={one} />
		</>
	);
}

function ChangeForm({ partner, close }: { partner: Partner; close: () => void }) {
	const { programId } = useProgram();
	const change = useAction({
		send: (fields: FormData) =>
			answerOf(
				api.v1.programs[':id'].partners[':partnerId'].$patch({
					param: { id: programId, partnerId: String(partner.id) },
					json: { name: textOf(fields, 'name'), group_id: groupOf(fields) ?? null },
				}),
			),
		successMessage: () => 'Saved',
		isQuiet: true,
		onDone: close,
	});
	return (
		<ActionForm action="Save" isPending={change.isPending} error={change.error} onCancel={close} onSend={(fields) => change.mutate(fields)}>
			<Field label="Name" name="name" defaultValue={partner.name} maxLength={120} isRequired autoFocus />
			<GroupChoice
				none="No group"
				defaultId={partner.group?.id}
				description="The group’s rules apply to sales from now on. Existing commissions do not change."
			/>
		</ActionForm>
	);
}
