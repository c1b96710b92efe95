import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf, api } from '../../api.ts';
import { PasswordField } from '../../account/password-field.tsx';
import { ActionForm, rawTextOf } from '../../ui/action-form.tsx';
import { DialogButton } from '../../ui/dialogs.tsx';
import { Copy } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { Processor } from '../settings/processors/processors-query.ts';
import { useChangeProgram } from '../settings/use-change-program.ts';
import { useProgram } from '../use-program.ts';
import { Arrival } from './arrival.tsx';
import { newKeyQuery } from './new-key.ts';
import { SnippetTabs } from './snippet-tabs.tsx';
import { saleSnippets, scriptSnippets } from './snippets.ts';
import type { Chain, Status } from './status.ts';

interface Progress {
	readonly status: Status;
	readonly chain: Chain | undefined;
}

/** The script for the pages of the site. */
export function Script({ status, chain }: Progress) {
	const address = pageIn(chain);
	return (
		<>
			<SnippetTabs label="Kind of site" snippets={scriptSnippets(window.location.origin)} />
			{address !== undefined && (
				<div className="stack tight">
					<p>
						Then{' '}
						<a href={address} target="_blank" rel="noreferrer">
							open the partner&rsquo;s link
						</a>{' '}
						in your own browser:
					</p>
					<Copy label="the partner's link" text={address} />
				</div>
			)}
			<Arrival noun="click" at={status.last_event_at.click} refusal={refusalOf(chain, 'click')} />
			<p className="quiet small">
				Clicks of crawlers and headless browsers, such as Puppeteer and Playwright, are recorded but not counted.
			</p>
		</>
	);
}

interface SalesProps extends Progress {
	readonly processors: readonly Processor[];
	readonly revealedKey: string | undefined;
	readonly onReveal: (key: string) => void;
}

/** Sales are reported by the backend, or by a payment processor. */
export function Sales({ status, chain, processors, revealedKey, onReveal }: SalesProps) {
	const { programId, can } = useProgram();
	const { data: newKey } = useQuery(newKeyQuery(programId));
	const key = revealedKey ?? newKey;
	const snippets = saleSnippets({ service: window.location.origin, key, clickId: realClickIn(chain), address: pageIn(chain) });
	return (
		<>
			<section className="stack" aria-label="From your backend">
				<h3>From your backend</h3>
				{key === undefined
					? can('admin') && (
							<div className="row">
								<ShowKey onReveal={onReveal} />
								<span className="quiet small">The code below then contains the key.</span>
							</div>
						)
					: can('admin') && (
							<p className="note">
								The code below contains the program key. Keep it in your backend&rsquo;s configuration. Never put it in a web page.
							</p>
						)}
				<SnippetTabs label="Kind of backend" snippets={snippets} />
				<Arrival noun="sale" at={status.last_event_at.sale} refusal={refusalOf(chain, 'sale')} />
				<KeysFromBackend />
			</section>
			<section className="stack tight" aria-label="Or from a payment processor">
				<h3>Or from a payment processor</h3>
				<p>The processor reports payments, renewals and refunds automatically. Open yours to connect it.</p>
				<Processors processors={processors} />
			</section>
		</>
	);
}

/** A page of the site with a partner's link; undefined if there is no partner or no domain. */
function pageIn(chain: Chain | undefined): string | undefined {
	const address = chain?.address;
	return address?.startsWith('https:') === true ? address : undefined;
}

function realClickIn(chain: Chain | undefined): string | undefined {
	const event = chain?.steps.find(({ step }) => step === 'click')?.event;
	return event && !event.is_test ? (event.click_id ?? undefined) : undefined;
}

function refusalOf(chain: Chain | undefined, name: 'click' | 'sale'): string | null | undefined {
	const found = chain?.steps.find(({ step }) => step === name);
	return found?.state === 'refused' ? found.reason : undefined;
}

/** Any page can claim a customer key with its own click. Only a lead from the backend that carries a click overrides that claim. */
function KeysFromBackend() {
	const { program, can } = useProgram();
	const change = useChangeProgram();
	if (program.server_leads_only)
		return <p className="quiet small">Only your backend may report customer keys. Pages report sign-ups with the click id alone.</p>;
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

/** Asks for the password, because the key can report sales. */
function ShowKey({ onReveal }: { onReveal: (key: string) => void }) {
	return (
		<DialogButton trigger={<Button>Show the program key</Button>} title="Show the program key">
			{(close) => <ShowKeyForm onReveal={onReveal} close={close} />}
		</DialogButton>
	);
}

function ShowKeyForm({ onReveal, close }: { onReveal: (key: string) => void; close: () => void }) {
	const { programId } = useProgram();
	const reveal = useAction({
		send: (password: string) =>
			answerOf(api.v1.programs[':id']['api-token'].reveal.$post({ param: { id: programId }, json: { password } })),
		isQuiet: true,
		onDone: ({ data }) => {
			onReveal(data.api_token);
			close();
		},
	});
	return (
		<ActionForm
			action="Show the key"
			isPending={reveal.isPending}
			error={reveal.error}
			onCancel={close}
			onSend={(fields) => reveal.mutate(rawTextOf(fields, 'password'))}
		>
			<PasswordField autoFocus />
		</ActionForm>
	);
}

function Processors({ processors }: { processors: readonly Processor[] }) {
	const { programId } = useProgram();
	return (
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
	);
}
