import { ask, forgetToken, onSubmit, post, say, token } from './shared.js';

const ways = document.querySelector('#ways');
const path = `/invitations/${encodeURIComponent(token)}`;

/** Who invites to what, in words. */
function inWords({ workspace_name: workspace, invited_by: inviter, role, partner }) {
	const programs = partner?.programs.map(({ name }) => name).join(', ');
	return partner ? `${inviter} of ${workspace} invites you to be a partner: ${programs}.` : `${inviter} invites you to ${workspace}, as ${role}.`;
}

const signOut = () => ask('/auth/sign-out', { method: 'POST' }).catch(() => undefined);

/** The session leads a member on to the dashboard; a partner has nothing to do there. */
async function accept(body) {
	const { workspace, partner_account: partner } = await ask(`${path}/accept`, post({ ...body, cookie: true }));
	forgetToken();
	ways.hidden = true;
	say(`You have joined ${workspace?.name ?? partner?.workspace_name ?? 'it'}.`);
	if (workspace) location.replace('/dashboard');
	else await signOut();
}

try {
	if (token === '') throw new Error('Open the link of the letter: there is nothing to join without it.');
	const invitation = await ask(path);
	say(inWords(invitation));
	document.querySelector('#email').textContent = invitation.email;
	ways.hidden = false;
} catch (error) {
	say(error instanceof TypeError ? 'The service could not be reached. Reload the page.' : error.message);
}

onSubmit(document.querySelector('#new'), ({ name, password }) => accept({ name, password }));

onSubmit(document.querySelector('#known'), async ({ email, password }) => {
	await ask('/auth/sign-in', post({ email, password, cookie: true }));
	await accept({}).catch(async (error) => {
		await signOut();
		throw error;
	});
});
