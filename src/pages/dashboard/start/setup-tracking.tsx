import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { ActionForm, rawTextOf } from '../../ui/action-form.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { PasswordField } from '../../account/password-field.tsx';
import { useProgram } from '../use-program.ts';
import type { Processor } from '../settings/processors/processors-query.ts';
import { useChangeProgram } from '../settings/use-change-program.ts';
import { newKeyQuery } from './new-key.ts';

/** The snippet for the shop's pages. */
export function Snippet() {
	return (
		<>
			<p>
				In the <code>&lt;head&gt;</code> of every page that a partner&rsquo;s link may lead to:
			</p>
			<Copy
				label="the script"
				isBlock
				text={`<script>window.tracker = window.tracker || function () { (tracker.q = tracker.q || []).push(arguments); };</script>\n<script async src="${window.location.origin}/tracker.js"></script>`}
			/>
			<p className="quiet small">
				Clicks of crawlers and headless browsers, such as those of Puppeteer and Playwright, are recorded but not counted: to try it, open a
				link in a browser of your own.
			</p>
			<a href="/docs/browser" target="_blank" rel="noreferrer">
				More on the script: single-page apps, consent, sign-ups
			</a>
		</>
	);
}

/** The call from the shop's backend. */
export function Sales() {
	const { can } = useProgram();
	return (
		<>
			<p>
				Your backend reports each payment with the program key. The <code>customer_key</code> is your own id of the customer; the first time
				it goes along with the <code>click_id</code>, which is in the cookie <code>tracker_click_id</code>.
			</p>
			{can('admin') && <Key />}
			<Copy
				label="the call"
				isBlock
				text={`curl ${window.location.origin}/api/v1/track/sale \\\n  -H 'Authorization: Bearer prg_...' -H 'Content-Type: application/json' \\\n  -d '{"transaction_id": "order-1", "amount_cents": 9900, "customer_key": "user-1", "click_id": "cust_..."}'`}
			/>
			<a href="/docs/server-only" target="_blank" rel="noreferrer">
				Backend guide
			</a>
			<KeysFromBackend />
		</>
	);
}

/** Any page can claim a customer key with its own click. Only a lead from the backend that carries a click overrides that claim. */
function KeysFromBackend() {
	const { program, can } = useProgram();
	const change = useChangeProgram();
	if (program.server_leads_only) return <p>Only your backend may report customer keys. Pages report sign-ups by the click alone.</p>;
	return (
		<div className="note row">
			<span>
				<strong>Recommended if your backend reports sign-ups:</strong> accept customer keys from your backend only. Otherwise a stranger can
				claim the key that your next customer gets.
			</span>
			{can('admin') && (
				<Button isPending={change.isPending} onPress={() => change.mutate({ server_leads_only: true })}>
					Accept keys from the backend only
				</Button>
			)}
		</div>
	);
}

/** Shows the key of a new program, or asks for the password. */
function Key() {
	const { programId } = useProgram();
	const { data: made } = useQuery(newKeyQuery(programId));
	const reveal = useAction({
		send: (password: string) =>
			answerOf(api.v1.programs[':id']['api-token'].reveal.$post({ param: { id: programId }, json: { password } })),
		isQuiet: true,
	});
	const key = made ?? reveal.data?.data.api_token;
	if (key !== undefined) {
		return (
			<>
				<p>
					<strong>The program key.</strong> It belongs into your backend&rsquo;s configuration, and into no page.
				</p>
				<Copy label="the program key" text={key} />
			</>
		);
	}
	return (
		<ActionForm
			action="Show the program key"
			isPending={reveal.isPending}
			error={reveal.error}
			onSend={(fields) => reveal.mutate(rawTextOf(fields, 'password'))}
		>
			<PasswordField />
		</ActionForm>
	);
}

/** If a payment processor handles the payments, it reports them instead of the backend. */
export function Processors({ processors }: { processors: readonly Processor[] }) {
	const { programId } = useProgram();
	return (
		<>
			<p>
				A payment processor can report payments, renewals and refunds by itself: it sends its events here, and signs them. Open yours for
				the address, the events to select there and the signing secret.
			</p>
			<ul className="row plain">
				{processors.map(({ processor, title, connected }) => (
					<li key={processor}>
						<Link className="button" to="/programs/$programId/settings/payments/$processor" params={{ programId, processor }}>
							{title}
							{connected && ' (connected)'}
						</Link>
					</li>
				))}
			</ul>
		</>
	);
}
