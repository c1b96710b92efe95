import { Link } from '@tanstack/react-router';
import { moment } from '../../../format.ts';
import { SidePanel } from '../../../ui/dialogs.tsx';
import { Facts } from '../../../ui/small.tsx';
import { useProgram } from '../../use-program.ts';
import { type Application, ApplicationStatus } from './application.tsx';
import { type Approved, ApproveDialog, DeclineDialog } from './decide-applications.tsx';

interface ApplicationPanelProps {
	readonly application: Application;
	readonly onClose: () => void;
	readonly onApproved: (approved: Approved) => void;
}

export function ApplicationPanel({ application, onClose, onApproved }: ApplicationPanelProps) {
	const { programId, program, can } = useProgram();
	const { partner_id: partnerId, decided_by: by } = application;
	return (
		<SidePanel title={application.name} onClose={onClose}>
			<div>
				<ApplicationStatus application={application} />
			</div>
			<Facts
				facts={[
					['Email', application.email],
					['Website', application.website],
					['Received', moment(application.created_at, program.time_zone)],
					['Terms accepted', application.terms_version === null ? 'none at the time' : `version ${application.terms_version}`],
					['Signed in', application.signed_in ? 'Yes' : 'No'],
					['Address confirmed', application.email_proved ? 'Yes, by a link that was emailed to it' : 'No: anybody could have entered it'],
					['Decided', application.decided_at && moment(application.decided_at, program.time_zone)],
					['Decided by', application.decided_at && (by?.name ?? 'automatic approval')],
					['Reason', application.reason],
					[
						'Partner',
						partnerId === null ? null : (
							<Link to="/programs/$programId/partners/$partnerId" params={{ programId, partnerId: String(partnerId) }}>
								Open their page
							</Link>
						),
					],
				]}
			/>
			{application.message && (
				<section className="stack tight">
					<h3>Message</h3>
					<p className="wrap prose">{application.message}</p>
				</section>
			)}
			{can('admin') && application.status === 'open' && (
				<div className="actions">
					<DeclineDialog applications={[application]} onDone={onClose} />
					<ApproveDialog applications={[application]} onDone={onApproved} />
				</div>
			)}
		</SidePanel>
	);
}
