import type { Days } from './days/open-days.ts';
import { type DemoWorld, referralUrl } from './world.ts';
import { faint, strong } from './terminal.ts';

/** What `npm run dev` prints once the service is ready. */
export function welcome(world: DemoWorld, isNew: boolean, folder = '.wrangler'): string {
	return `
${strong('The service is running at')} ${strong(world.url)} ${faint('(open it for the dashboard)')}
${isNew ? 'It has a new demo program.' : 'It has the demo program of an earlier start.'}

  Sign in        ${world.email}
${world.partnerEmail === undefined ? '' : `  As a partner   ${world.partnerEmail}, at ${world.url}/portal\n`}  Password       ${world.password}
  Program        ${world.programId}: 20 % of every sale
  Program key    ${world.apiToken}
  Referral link  ${referralUrl(world)}
                 ${world.url}/r/${world.shortLink}

${strong('Track a sale by hand.')} In a second terminal, send a click:

${clickCommand(world)}

then a sale, with the program key:

${saleCommand(world)}

${strong('Run the whole funnel:')}  npm run demo
${strong('Open a small shop:')}     npm run example
${strong('Guides and reference:')}  ${world.url}/docs/

${strong('Each event')} that is tracked or refused appears here.
${faint(`Crons run every minute. Stop with Ctrl-C; the data stays in ${folder}.`)}
`;
}

/** Additional lines for `npm run dev -- --demo`. */
export function welcomeToDays(days: Days, url: string): string {
	return `${strong('Ninety days of Northwind Coffee,')} a fictional shop:

  Owner          ${days.email}
  Partner        ${days.partnerEmail}, at ${url}/portal
  Password       ${days.password}, for everyone
  Programs       ${days.programId} in dollars, ${days.secondProgramId} in yen
  To apply       ${url}/p/northwind-coffee
`;
}

/** Stores the click id in $CLICK. */
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
