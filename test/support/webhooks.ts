import { api, type Owner, type TestProgram } from './world.ts';

export interface TestWebhook {
	readonly id: number;
	readonly url: string;
	readonly types: readonly string[];
	readonly enabled: boolean;
	readonly disabled_at: string | null;
	readonly disabled_for: string | null;
	readonly failures: number;
	readonly previous_secret_until: string | null;
	readonly secret: string;
}

export interface TestDelivery {
	readonly id: number;
	readonly webhook_id: string;
	readonly type: string;
	readonly test: boolean;
	readonly status: 'pending' | 'delivered' | 'failed';
	readonly attempts: number;
	readonly next_attempt_at: string | null;
	readonly last_status: number | null;
	readonly last_error: string | null;
	readonly last_response?: string | null;
	readonly settled_at: string | null;
	readonly payload?: { readonly type: string; readonly test: boolean; readonly data: Readonly<Record<string, unknown>> };
}

/** The result includes the webhook's secret. */
export async function aWebhook(
	owner: Pick<Owner, 'token'>,
	program: Pick<TestProgram, 'id'>,
	overrides: Record<string, unknown> = {},
): Promise<TestWebhook> {
	const sent = { url: 'https://hooks.shop.example/', types: ['sale.created'], ...overrides };
	const { status, text, body } = await api<TestWebhook>(`/api/v1/programs/${program.id}/webhooks`, { token: owner.token, body: sent });
	if (status !== 201) throw new Error(`Creating a webhook answered ${status}: ${text}`);
	return body.data;
}
