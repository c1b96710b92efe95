import { ask, forgetToken, onSubmit, post, say, token } from './shared.js';

const form = document.querySelector('#reset');
form.hidden = token === '';
if (token === '') say('Open the link of the letter: there is nothing to reset without it.');

onSubmit(form, async ({ password }) => {
	await ask('/auth/password-reset/confirm', post({ token, new_password: password }));
	forgetToken();
	form.hidden = true;
	say('Your password is set. Sign in with it from now on.');
	document.querySelector('#next').hidden = false;
});
