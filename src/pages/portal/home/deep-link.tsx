import { useState } from 'react';
import { Button } from 'react-aria-components';
import { landingPage } from '../../../domain/attribution/landing-page.ts';
import { bareDomain, isPageOf } from '../../../domain/attribution/own-domain.ts';
import { parseWebAddress } from '../../../domain/web-address.ts';
import { answerOf } from '../../api.ts';
import { Field } from '../../ui/field.tsx';
import { useAction } from '../../ui/use-action.ts';
import { own } from '../queries.ts';
import { LinkToCopy } from './link-to-copy.tsx';

interface DeepLinkProps {
	readonly membershipId: string;
	readonly program: { readonly name: string };
	readonly domain: string;
	/** The partner's code in links. */
	readonly code: string;
}

/** Turns a typed URL of the shop into a partner link. */
export function DeepLink({ membershipId, program, domain, code }: DeepLinkProps) {
	const [typed, setTyped] = useState('');
	const page = pageOf(typed);
	const problem = typed.trim() === '' ? undefined : problemOf(page, domain);
	const isLink = page !== undefined && problem === undefined;
	return (
		<div className="stack tight">
			<Field
				label="Link to another page"
				type="text"
				inputMode="url"
				autoComplete="off"
				placeholder={`https://${domain}/…`}
				description={`Paste the address of any page of ${bareDomain(domain)} to add your code to it.`}
				validationBehavior="aria"
				validate={() => problem ?? null}
				value={typed}
				onChange={setTyped}
			/>
			<div role="status" className="stack tight only-filled">
				{isLink && (
					<>
						<LinkToCopy name="the link to that page" url={landingPage(page, code, undefined, [])} program={program.name} />
						<Keep key={page.href} membershipId={membershipId} page={page.href} program={program.name} />
					</>
				)}
			</div>
		</div>
	);
}

function pageOf(typed: string): URL | undefined {
	const text = typed.trim();
	if (text === '') return undefined;
	return parseWebAddress(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
}

/** Why this page cannot have a partner link. */
function problemOf(page: URL | undefined, domain: string): string | undefined {
	if (!page?.hostname.includes('.')) return 'This is not a web address. Copy one from your browser’s address bar.';
	if (page.username !== '' || page.password !== '') return 'This address contains a user name or password. Remove it.';
	if (isPageOf(domain, page.href)) return undefined;
	return `${page.hostname} does not belong to this program. Only links to pages of ${bareDomain(domain)} earn commissions.`;
}

/** A saved link counts its own clicks and sales. */
function Keep({ membershipId, page, program }: { membershipId: string; page: string; program: string }) {
	const keep = useAction({
		send: async () => {
			const sent = own.links.$post({ param: { id: membershipId }, json: { destination_url: page } });
			return (await answerOf(sent)).data;
		},
		successMessage: () => 'The short link is among your links',
	});
	if (keep.data?.url) return <LinkToCopy name="the short link" url={keep.data.url} program={program} />;
	return (
		<div className="row">
			<Button isPending={keep.isPending} onPress={() => keep.mutate()}>
				Create a short link
			</Button>
			<span className="quiet small">It has its own figures for clicks and sales.</span>
		</div>
	);
}
