export const GUIDES: Readonly<Record<string, string>> = {
	stripe: '/docs/stripe',
	paddle: '/docs/paddle',
	custom: '/docs/custom-webhook',
};
