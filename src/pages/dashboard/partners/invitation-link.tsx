import { Copy } from '../../ui/small.tsx';

interface InvitationLinkProps {
	/** Null if the partner has already accepted an invitation. */
	readonly url: string | null;
	readonly email: string | null;
	readonly mailed: boolean;
}

/** The service stores only the hash of a link, so it cannot show it again. */
export function InvitationLink({ url, email, mailed }: InvitationLinkProps) {
	if (url === null) return <p className="note">They already have an account with you and need no invitation.</p>;
	return (
		<div className="stack tight">
			<p>
				{mailed ? (
					<>
						The invitation was emailed to <b className="wrap">{email}</b>. You can also send them this link yourself.
					</>
				) : (
					<>
						The invitation was <b>not emailed</b>. Send this link to <span className="wrap">{email}</span> yourself.
					</>
				)}
			</p>
			<Copy label="invitation link" text={url} />
			<p className="quiet small">
				Anybody with this link can use it, once, within seven days. Copy it now. You will not see it again, but you can create another one
				on the partner’s page.
			</p>
		</div>
	);
}
