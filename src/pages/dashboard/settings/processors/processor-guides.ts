/** Where the documentation leads through setting one up, where it does. */
export const GUIDES: Readonly<Record<string, string>> = {
	stripe: '/docs/stripe',
	paddle: '/docs/paddle',
	custom: '/docs/custom-webhook',
};
