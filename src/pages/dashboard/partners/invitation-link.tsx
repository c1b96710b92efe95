import { Copy } from '../../ui/small.tsx';

interface InvitationLinkProps {
	/** Null if the partner has already accepted an invitation. */
	readonly url: string | null;
	readonly email: string | null;
	readonly mailed: boolean;
}

/** The service stores only the hash of a link, so it cannot show it again. */
export function InvitationLink({ url, email, mailed }: InvitationLinkProps) {
	if (url === null) return <p className="note">They have an account with you already and need no invitation.</p>;
	return (
		<div className="stack tight">
			<p>
				{mailed ? (
					<>
						The invitation was mailed to <b className="wrap">{email}</b>. You can also hand the link over yourself.
					</>
				) : (
					<>
						The invitation was <b>not mailed</b>: hand this link to <span className="wrap">{email}</span> yourself.
					</>
				)}
			</p>
			<Copy label="invitation link" text={url} />
			<p className="quiet small">
				Whoever has the link can use it, once, within seven days. Copy it before you leave this page. You can make another one on the
				partner’s page.
			</p>
		</div>
	);
}
