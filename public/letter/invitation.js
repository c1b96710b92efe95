import { ask, forgetToken, onSubmit, post, say, token } from './shared.js';

const ways = document.querySelector('#ways');
const path = `/invitations/${encodeURIComponent(token)}`;

/** Who invites to what, in words. */
function inWords({ workspace_name: workspace, invited_by: inviter, role, partner }) {
	const programs = partner?.programs.map(({ name }) => name).join(', ');
	return partner ? `${inviter} of ${workspace} invites you to be a partner: ${programs}.` : `${inviter} invites you to ${workspace}, as ${role}.`;
}

async function accept(request) {
	const { workspace, partner_account: partner } = await ask(`${path}/accept`, post(request));
	forgetToken();
	ways.hidden = true;
	say(`You have joined ${workspace?.name ?? partner?.workspace_name ?? 'it'}.`);
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

onSubmit(document.querySelector('#new'), ({ name, password }) => accept({ body: { name, password } }));

onSubmit(document.querySelector('#known'), async ({ email, password }) => {
	const { token: session } = await ask('/auth/sign-in', post({ body: { email, password } }));
	await accept({ session }).finally(() => ask('/auth/sign-out', post({ session })).catch(() => undefined));
});
