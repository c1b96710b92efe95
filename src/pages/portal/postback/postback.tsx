import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from 'react-aria-components';
import { answerOf } from '../../api.ts';
import { dayOf } from '../../format.ts';
import { Confirm } from '../../ui/dialogs.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Paging } from '../../ui/paging.tsx';
import { Badge } from '../../ui/small.tsx';
import { useAction } from '../../ui/use-action.ts';
import { useMembership } from '../memberships.ts';
import { own } from '../queries.ts';
import { Deliveries } from './deliveries.tsx';
import { PostbackForm } from './postback-form.tsx';
import { deliveriesQuery, type Postback as Known, postbackQuery } from './queries.ts';

export function Postback() {
	const { membershipId, isActive } = useMembership();
	const query = useQuery(postbackQuery(membershipId));
	return (
		<Page title="Postback">
			<p className="quiet">
				Your own network or tracker can receive the results of your links: it gets a GET request for each event. No customer data is sent.
			</p>
			<Loaded query={query} lines={8}>
				{(postback) => (
					<>
						<Card title="Address" actions={postback && <State postback={postback} />}>
							<div className="stack">
								{postback && <WhyOff postback={postback} />}
								{isActive ? (
									<PostbackForm key={postback?.created_at} postback={postback} />
								) : (
									postback && <p className="wrap code">{postback.url}</p>
								)}
								{postback && isActive && <Further postback={postback} />}
							</div>
						</Card>
						{postback && <Log />}
					</>
				)}
			</Loaded>
		</Page>
	);
}

function State({ postback: { enabled, failures } }: { postback: Known }) {
	if (!enabled) return <Badge tone="bad">Off</Badge>;
	return failures > 0 ? <Badge tone="warn">Failing</Badge> : <Badge tone="good">On</Badge>;
}

const OFF = {
	gone: 'Your system answered 410 (Gone), so calls have stopped.',
	failing: 'Your system failed for too long, so calls have stopped.',
	program: 'The program has switched it off. Ask the program for the reason.',
} as const;

function WhyOff({ postback }: { postback: Known }) {
	const { membershipId, zone, isActive } = useMembership();
	const { url, events, disabled_at, disabled_for } = postback;
	const again = useAction({
		send: () => answerOf(own.postback.$put({ param: { id: membershipId }, json: { url, events: [...events] } })),
		successMessage: () => 'Postback switched on',
	});
	if (disabled_for === null || disabled_at === null) return null;
	return (
		<div className="note bad stack">
			<p>
				{OFF[disabled_for]} Off since {dayOf(disabled_at, zone)}. Events since then were not sent.
			</p>
			{disabled_for !== 'program' && isActive && (
				<div className="actions">
					<Button isPending={again.isPending} onPress={() => again.mutate()}>
						Switch on again
					</Button>
				</div>
			)}
		</div>
	);
}

function Further({ postback: { enabled, disabled_for } }: { postback: Known }) {
	const { membershipId: id } = useMembership();
	const test = useAction({
		send: () => answerOf(own.postback.test.$post({ param: { id }, json: {} })),
		successMessage: () => 'Test sent. The result appears in the recent calls.',
	});
	const remove = useAction({
		send: () => answerOf(own.postback.$delete({ param: { id } })),
		successMessage: () => 'Postback deleted',
	});
	return (
		<div className="actions below-form">
			{enabled && (
				<Button isPending={test.isPending} onPress={() => test.mutate()}>
					Send a test
				</Button>
			)}
			{disabled_for !== 'program' && (
				<Confirm
					trigger={
						<Button className="react-aria-Button danger" isPending={remove.isPending}>
							Delete
						</Button>
					}
					title="Delete your postback?"
					action="Delete it"
					isDangerous
					isPending={remove.isPending}
					onConfirm={() => remove.mutate()}
				>
					<p>Your system will get no more calls. Waiting calls are cancelled, and the list of recent calls is deleted.</p>
				</Confirm>
			)}
		</div>
	);
}

const route = getRouteApi('/shell/programs/$membershipId/postback');

function Log() {
	const { membershipId } = useMembership();
	const { cursor } = route.useSearch();
	const navigate = route.useNavigate();
	const query = useQuery({ ...deliveriesQuery(membershipId, cursor), placeholderData: keepPreviousData });
	return (
		<>
			<Card title="Recent calls" isFlush>
				<Loaded query={query} lines={5}>
					{({ data }) => <Deliveries rows={data} isStale={query.isPlaceholderData} />}
				</Loaded>
			</Card>
			<Paging
				cursor={cursor}
				meta={query.data?.meta}
				shown={query.data?.data.length ?? 0}
				limit={20}
				onChange={(next) => void navigate({ search: { cursor: next } })}
			/>
		</>
	);
}
