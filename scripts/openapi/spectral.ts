import type { RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** npm run check:openapi: every rule of Spectral for OpenAPI, but for these. */
export const ruleset: RulesetDefinition = {
	extends: [[requireRuleset(rulesets.oas), 'all']],
	rules: {
		// The chapters stand in the order in which they are read.
		'openapi-tags-alphabetical': 'off',
		// Whom to ask is the operator of a deployment, whom the code does not know.
		'info-contact': 'off',
		// OpenAPI 3.1 has the identifier in its place.
		'license-url': 'off',
	},
};

/** The package's own types do not agree with each other. */
function requireRuleset(value: unknown): RulesetDefinition {
	if (!isRuleset(value)) throw new Error('Spectral has no rules for OpenAPI');
	return value;
}

function isRuleset(value: unknown): value is RulesetDefinition {
	return typeof value === 'object' && value !== null && 'rules' in value;
}
