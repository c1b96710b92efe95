interface Rule {
	readonly programId: number;
	readonly partnerId?: number;
	readonly groupId?: number;
	readonly productId?: string;
	readonly basisPoints?: number;
	readonly flat?: readonly [cents: number, currency: string];
	readonly recurringMonths?: number;
	readonly holdDays?: number;
}

const RULES: readonly Rule[] = [
	{ programId: 1, basisPoints: 2000 },
	{ programId: 1, productId: 'pro', basisPoints: 3333, holdDays: 14 },
	{ programId: 1, productId: 'gift', basisPoints: 0 },
	{ programId: 1, partnerId: 2, flat: [555, 'USD'], recurringMonths: 0 },
	{ programId: 1, partnerId: 2, productId: 'pro', basisPoints: 777, recurringMonths: 3, holdDays: 1 },
	{ programId: 1, partnerId: 3, productId: 'gift', basisPoints: 7000 },
	{ programId: 1, groupId: 1, basisPoints: 4444, holdDays: 3 },
	{ programId: 1, groupId: 1, productId: 'pro', flat: [444, 'USD'] },
	{ programId: 1, groupId: 2, basisPoints: 100, recurringMonths: 1 },
	{ programId: 2, groupId: 3, productId: 'gift', basisPoints: 9000 },
	{ programId: 2, basisPoints: 1250, recurringMonths: 2, holdDays: 30 },
	{ programId: 2, productId: 'pro', flat: [777, 'USD'] },
	{ programId: 3, flat: [300, 'USD'], holdDays: 7 },
	{ programId: 3, productId: 'pro', basisPoints: 5000 },
	{ programId: 2, productId: 'other', basisPoints: 5000 },
];

export function seedRules(insert: (table: string, row: Record<string, string | number | null>) => void, created_at: number): void {
	for (const [index, rule] of RULES.entries()) {
		const id = index + 1;
		insert('commission_rules', {
			id,
			program_id: rule.programId,
			partner_id: rule.partnerId ?? null,
			group_id: rule.groupId ?? null,
			product_id: rule.productId ?? null,
			current_version: 1,
			created_at,
		});
		insert('commission_rule_versions', {
			rule_id: id,
			version: 1,
			type: rule.flat ? 'flat' : 'percent',
			basis_points: rule.basisPoints ?? null,
			amount_cents: rule.flat?.[0] ?? null,
			currency: rule.flat?.[1] ?? null,
			recurring_months: rule.recurringMonths ?? null,
			hold_days: rule.holdDays ?? 0,
			created_at,
		});
	}
}
