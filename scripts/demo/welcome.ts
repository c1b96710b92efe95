import type { Days } from './days/open-days.ts';
import { type DemoWorld, referralUrl } from './world.ts';
import { faint, strong } from './terminal.ts';

/** What `npm run dev` says once the service answers. */
export function welcome(world: DemoWorld, isNew: boolean, folder = '.wrangler'): string {
	return `
${strong('The service runs at')} ${strong(world.url)} ${faint('(open it: the dashboard)')}
${isNew ? 'A demo program was made for you.' : 'The demo program of an earlier start is still there.'}

  Sign in        ${world.email}
${world.partnerEmail === undefined ? '' : `  As a partner   ${world.partnerEmail}, at ${world.url}/portal\n`}  Password       ${world.password}
  Program        ${world.programId}: 20 % of every sale
  Program key    ${world.apiToken}
  Referral link  ${referralUrl(world)}
                 ${world.url}/r/${world.shortLink}

${strong('Track a sale by hand.')} In a second terminal, first the click:

${clickCommand(world)}

then the sale, with the program key:

${saleCommand(world)}

${strong('Or see the whole funnel:')} npm run demo
${strong('Or visit a small shop:')}   npm run example
${strong('Guides and reference:')}    ${world.url}/docs/

${strong('Each event')} that is tracked, or refused, is shown here as it comes.
${faint(`Crons are fired every minute. Stop with Ctrl-C; the data stays in ${folder}.`)}
`;
}

/** What it says more where ninety days of a shop are there. */
export function welcomeToDays(days: Days, url: string): string {
	return `${strong('Ninety days of Northwind Coffee,')} a shop that is made up, are there to look at:

  Owner          ${days.email}
  A partner      ${days.partnerEmail}   at ${url}/portal
  Password       ${days.password}   everybody's
  Programs       ${days.programId} in dollars, ${days.secondProgramId} in yen
  To apply       ${url}/p/northwind-coffee
`;
}

/** Leaves the click id in $CLICK. */
function clickCommand(world: DemoWorld): string {
	return `CLICK=$(curl -s ${world.url}/api/v1/track/click \\
  -H 'Content-Type: application/json' \\
  -d '{"affiliate_url": "${referralUrl(world)}"}' \\
  | sed 's/.*"click_id":"\\([^"]*\\)".*/\\1/'); echo "$CLICK"`;
}

function saleCommand(world: DemoWorld): string {
	return `curl -s ${world.url}/api/v1/track/sale \\
  -H 'Authorization: Bearer ${world.apiToken}' \\
  -H 'Content-Type: application/json' \\
  -d '{"transaction_id": "order-'$(date +%s)'", "amount_cents": 9900,
       "click_id": "'$CLICK'"}'`;
}
